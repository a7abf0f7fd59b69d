// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an entry has answered.
 *
 * @param kind what it does
 * @param zxid the last transaction that it has; 0 if it does not serve
 * @param members the ids of the ensemble of a server that serves; empty if it does not say
 */
record Answer(Kind kind, long zxid, Set<Integer> members) {
    /** The kinds of answers. The first three come from a container that does not run ZooKeeper yet. */
    enum Kind {
        /** Its data folder is empty, and it waits for the others. */
        EMPTY,
        /** It has seen that all data folders are empty, and is about to start. */
        FORMING,
        /** It was an ensemble of one, with all data, and waits for a second server. */
        GROWING,
        /** ZooKeeper runs there, without a quorum. */
        NOT_SERVING,
        FOLLOWER,
        LEADER,
        /** A process has the port, and gives no answer in time. It may be a server. */
        MUTE,
        /** No process has the port, or the machine is not there. */
        SILENT
    }

    static final Answer SILENT = of(Kind.SILENT);

    private static final String WAITING = "discovery-zk-server ";
    private static final Pattern MODE = Pattern.compile("^Mode: (\\w+)$", Pattern.MULTILINE);
    private static final Pattern ZXID = Pattern.compile("^Zxid: 0x([0-9a-f]{1,16})$", Pattern.MULTILINE);
    private static final Pattern MEMBER = Pattern.compile("^server\\.(\\d{1,3})=", Pattern.MULTILINE);

    static Answer of(Kind kind) {
        return new Answer(kind, 0, Set.of());
    }

    /** Returns what a container answers to each request before it runs ZooKeeper. */
    static String waiting(Kind kind) {
        return WAITING + kind + "\n";
    }

    /** Reads the answers to {@code srvr} and {@code conf}. */
    static Answer read(String srvr, String conf) {
        if (srvr.startsWith(WAITING)) {
            String word = srvr.substring(WAITING.length()).trim();
            return of(Set.of("EMPTY", "FORMING", "GROWING").contains(word) ? Kind.valueOf(word) : Kind.MUTE);
        }
        Matcher mode = MODE.matcher(srvr);
        if (!mode.find()) {
            return of(srvr.isBlank() ? Kind.MUTE : Kind.NOT_SERVING);
        }
        return new Answer(
                mode.group(1).equals("follower") || mode.group(1).equals("observer") ? Kind.FOLLOWER : Kind.LEADER,
                zxid(srvr),
                MEMBER.matcher(conf)
                        .results()
                        .map(each -> Integer.valueOf(each.group(1)))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    private static long zxid(String srvr) {
        Matcher zxid = ZXID.matcher(srvr);
        return zxid.find() ? Long.parseUnsignedLong(zxid.group(1), 16) : 0;
    }

    /** Returns whether the answer proves that a server has the port, or will have it. */
    boolean comesFromAServer() {
        return kind != Kind.SILENT && kind != Kind.MUTE;
    }

    boolean serves() {
        return kind == Kind.LEADER || kind == Kind.FOLLOWER;
    }
}
