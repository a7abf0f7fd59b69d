// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One entry of the list of servers.
 *
 * @param id its position, from 1
 * @param host a name or an address; an IPv6 address has brackets
 * @param client the port for clients
 * @param quorum the port on which followers reach the leader
 * @param election the port for elections
 */
public record Entry(int id, String host, int client, int quorum, int election) {
    static final int DEFAULT_CLIENT = 2181;
    /** With the default port for clients these lead to the usual ports 2888 and 3888. */
    static final int QUORUM_OFFSET = 707;

    static final int ELECTION_OFFSET = 1707;

    private static final int MAX_PORT = 65_535;
    private static final Pattern FORM = Pattern.compile(
            "(?<host>\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:(?<client>\\d{1,5})(:(?<quorum>\\d{1,5}):(?<election>\\d{1,5}))?)?");

    /** Parses an entry; throws {@link IllegalArgumentException} with the reason if it has another form. */
    static Entry parse(int id, String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' has neither the form host:port nor host:clientPort:quorumPort:electionPort");
        }
        int client = port(form, "client", DEFAULT_CLIENT);
        Entry entry = new Entry(
                id,
                form.group("host"),
                client,
                port(form, "quorum", client + QUORUM_OFFSET),
                port(form, "election", client + ELECTION_OFFSET));
        entry.check(text);
        return entry;
    }

    private static int port(Matcher form, String group, int otherwise) {
        return form.group(group) == null ? otherwise : Integer.parseInt(form.group(group));
    }

    private void check(String text) {
        if (ports().stream().anyMatch(port -> port < 1 || port > MAX_PORT)) {
            throw new IllegalArgumentException("'" + text + "' leads to the ports " + ports()
                    + ", which are not all from 1 to " + MAX_PORT
                    + "; write it as host:clientPort:quorumPort:electionPort");
        }
        if (host.equals("0.0.0.0") || host.equals("[::]")) {
            throw new IllegalArgumentException("'" + text + "' names no machine; the others could not reach it");
        }
    }

    /** Returns its ports: for clients, quorum and elections. */
    List<Integer> ports() {
        return List.of(client, quorum, election);
    }

    /** Returns host and port for clients. */
    public String address() {
        return host + ":" + client;
    }

    /** Returns the value of {@code server.<id>} in the configuration of ZooKeeper. */
    String configuration() {
        return host + ":" + quorum + ":" + election + ";" + host + ":" + client;
    }
}
