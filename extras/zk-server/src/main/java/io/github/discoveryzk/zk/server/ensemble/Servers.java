// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The list of servers, which has the same text on all containers.
 *
 * @param entries one, three or five entries, by position
 */
public record Servers(List<Entry> entries) {
    private static final Set<Integer> SIZES = Set.of(1, 3, 5);

    public Servers {
        entries = List.copyOf(entries);
    }

    /** Parses entries that commas separate; throws {@link IllegalArgumentException} with the reason if it cannot be used. */
    public static Servers parse(String text) {
        List<String> parts = Arrays.stream(text.split(","))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .toList();
        if (!SIZES.contains(parts.size())) {
            throw new IllegalArgumentException("it names " + parts.size()
                    + " servers; an ensemble has one, three or five, so that a majority survives a loss");
        }
        Servers servers = new Servers(IntStream.range(0, parts.size())
                .mapToObj(i -> Entry.parse(i + 1, parts.get(i)))
                .toList());
        servers.checkPorts();
        return servers;
    }

    private void checkPorts() {
        Set<String> taken = new HashSet<>();
        for (Entry entry : entries) {
            for (int port : entry.ports()) {
                if (!taken.add(entry.host() + ":" + port)) {
                    throw new IllegalArgumentException(
                            "port " + port + " of " + entry.host()
                                    + " is used twice; write entries of one machine as host:clientPort:quorumPort:electionPort");
                }
            }
        }
    }

    int size() {
        return entries.size();
    }

    Entry entry(int id) {
        return entries.get(id - 1);
    }

    /** Returns the beginning of a sentence about the server of an entry. */
    String named(Entry entry, String does) {
        return "Server " + entry.id() + " of " + size() + " " + does + " on " + entry.address();
    }

    /** Returns the addresses for clients, as ZooKeeper's client and {@code discovery-zk} read them. */
    public String connectString() {
        return entries.stream().map(Entry::address).collect(Collectors.joining(","));
    }

    /** Returns the text in one form, however it was written. */
    String text() {
        return entries.stream()
                .map(each -> each.address() + ":" + each.quorum() + ":" + each.election())
                .collect(Collectors.joining(","));
    }

    /** Returns the configuration of ZooKeeper for each server of this list with its data in that folder. */
    Properties configuration(String dataFolder) {
        Properties all = new Properties();
        all.setProperty("dataDir", dataFolder);
        entries.forEach(each -> all.setProperty("server." + each.id(), each.configuration()));
        // An ensemble of one can grow only if it is one from the start.
        all.setProperty("standaloneEnabled", "false");
        all.setProperty("reconfigEnabled", "false");
        all.setProperty("tickTime", "500");
        all.setProperty("initLimit", "40");
        // 2 s: one that looks for a leader at an old address, which may be a machine that is gone, asks for the new
        // one.
        all.setProperty("connectToLearnerMasterLimit", "4");
        // 4 s: a follower that hears nothing of its leader shall not keep its clients for longer than a lease lasts,
        // which is 6.7 s by default.
        all.setProperty("syncLimit", "8");
        // The bounds that discovery-zk has for its own session timeout.
        all.setProperty("minSessionTimeout", "100");
        all.setProperty("maxSessionTimeout", "600000");
        // All containers of a machine are clients from one address.
        all.setProperty("maxClientCnxns", "0");
        // ZooKeeper's own timer would outlive the server and hold the class loader.
        all.setProperty("autopurge.purgeInterval", "0");
        all.setProperty("admin.enableServer", "false");
        all.setProperty("4lw.commands.whitelist", "conf,ruok,srvr");
        // A server whose data was lost does not vote before it has synced.
        all.setProperty("db.autocreate", "false");
        // In kB. The default of 64 MB is more than discovery ever writes.
        all.setProperty("preAllocSize", "1024");
        return all;
    }
}
