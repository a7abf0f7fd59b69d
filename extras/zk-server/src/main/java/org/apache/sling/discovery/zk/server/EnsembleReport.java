// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.server;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The ensemble, as one container sees it.
 *
 * @param sentence what the server of this container does, or why this container has none
 * @param problems what needs attention, a sentence each, empty if nothing does
 * @param servers all servers in the order of the list
 * @param folder the folder with the data of the own server
 * @param freeBytes the free space of the file system of that folder; empty if it is unknown or this container has no server
 */
public record EnsembleReport(
        String sentence, List<String> problems, List<Server> servers, String folder, OptionalLong freeBytes) {
    public EnsembleReport {
        problems = List.copyOf(problems);
        servers = List.copyOf(servers);
    }

    /** Returns whether the servers serve requests: one of them leads. */
    public boolean serves() {
        return leader().isPresent();
    }

    /** Returns the server that leads. Its container is restarted last, so that the leader changes only once. */
    public Optional<Server> leader() {
        return servers.stream().filter(each -> each.role() == Role.LEADER).findFirst();
    }

    /** What a server does. */
    public enum Role {
        LEADER,
        FOLLOWER,
        /** It runs, but has no quorum, or it waits for the other servers before it starts. */
        NOT_SERVING,
        /** It does not answer. */
        DOWN
    }

    /**
     * One server.
     *
     * @param id its position in the list, from 1
     * @param address host and port for clients
     * @param role what it does
     * @param own whether it runs in this container
     * @param behind how many transactions it is behind the leader; empty unless both serve in the same epoch
     */
    public record Server(int id, String address, Role role, boolean own, OptionalLong behind) {}
}
