// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.it.chaos.Limits.awaitThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.sling.discovery.launcher.Ports;
import org.apache.sling.discovery.testing.server.TcpProxy;

/**
 * Three real ZooKeeper servers, each in its own process. Messages between servers go through proxies, so that a server can be
 * parted from the others and keep its clients. Not safe for use by several threads.
 *
 * <p>Messages between leaders and followers always go through a proxy. Votes do not always: a server announces its own address
 * for elections, and an existing election connection outlives a parting. That may change the elected server, never the stored
 * data.
 */
final class Ensemble implements AutoCloseable {

    static final int SIZE = 3;

    /** Grants sessions from 0.5 to 20 seconds. */
    static final int TICK_MILLIS = 250;

    private static final int LOWEST_PORT = 12_000;
    private static final int LOWEST_OWN_PORT = 32_000;

    /** How long a follower may be ahead of the leader that it has just elected. */
    private static final Duration ELECTED_EARLY = Duration.ofSeconds(1);

    private final List<ServerProcess> servers = new ArrayList<>();
    private final TcpProxy[][] quorum = new TcpProxy[SIZE][SIZE];
    private final TcpProxy[][] election = new TcpProxy[SIZE][SIZE];

    private Ensemble(Path folder) {
        Iterator<Integer> ports = ports();
        int[] client = take(ports);
        int[] quorumPorts = take(ports);
        int[] electionPorts = take(ports);
        for (int from = 0; from < SIZE; from++) {
            List<String> addresses = new ArrayList<>();
            for (int to = 0; to < SIZE; to++) {
                int quorumPort = quorumPorts[to];
                int electionPort = electionPorts[to];
                if (from != to) {
                    quorum[from][to] = new TcpProxy(quorumPort, ELECTED_EARLY);
                    election[from][to] = new TcpProxy(electionPort);
                    quorumPort = quorum[from][to].port();
                    electionPort = election[from][to].port();
                }
                addresses.add("server." + (to + 1) + "=127.0.0.1:" + quorumPort + ":" + electionPort);
            }
            servers.add(new ServerProcess(folder.resolve("server" + (from + 1)), from + 1, client[from], addresses));
        }
    }

    /** Starts an ensemble that keeps its data below a folder, and waits until it serves. */
    static Ensemble start(Path folder) throws IOException {
        Ensemble ensemble = new Ensemble(folder);
        try {
            for (ServerProcess server : ensemble.servers) {
                server.start();
            }
            ensemble.awaitServing();
            return ensemble;
        } catch (IOException | RuntimeException e) {
            ensemble.close();
            throw e;
        }
    }

    /**
     * Chooses ports below the ephemeral range of the system: no connection of another process may use the port of a server that
     * is restarted.
     */
    private static Iterator<Integer> ports() {
        return new Random()
                .ints(LOWEST_PORT, LOWEST_OWN_PORT)
                .filter(Ports::isFree)
                .distinct()
                .iterator();
    }

    private static int[] take(Iterator<Integer> ports) {
        return IntStream.range(0, SIZE).map(i -> ports.next()).toArray();
    }

    /** Returns one of the servers, counted from 0. */
    ServerProcess server(int index) {
        return servers.get(index);
    }

    List<ServerProcess> servers() {
        return List.copyOf(servers);
    }

    /** Returns the addresses of the servers themselves, without proxies. */
    String connectString() {
        return servers.stream()
                .map(server -> "127.0.0.1:" + server.clientPort())
                .collect(Collectors.joining(","));
    }

    /** Waits until one of the servers leads and all others follow it and are up to date. */
    void awaitServing() {
        awaitThat("all servers serve", () -> servers.stream().anyMatch(server -> server.followers() == SIZE - 1));
    }

    /** Returns the index of the server that leads the others now. */
    int leader() {
        return IntStream.range(0, SIZE)
                .filter(i -> servers.get(i).isLeader())
                .findFirst()
                .orElse(0);
    }

    /** Loses everything between a server and the others; connections stay, as they do when a network is parted. */
    void part(int index) {
        links(index).forEach(TcpProxy::loseAll);
    }

    /** Ends what {@link #part} began. */
    void join(int index) {
        links(index).forEach(TcpProxy::restore);
    }

    private List<TcpProxy> links(int index) {
        return IntStream.range(0, SIZE)
                .filter(other -> other != index)
                .boxed()
                .flatMap(other -> List.of(
                        quorum[index][other], quorum[other][index], election[index][other], election[other][index])
                        .stream())
                .toList();
    }

    @Override
    public void close() {
        servers.forEach(ServerProcess::close);
        for (int from = 0; from < SIZE; from++) {
            for (int to = 0; to < SIZE; to++) {
                if (quorum[from][to] != null) {
                    quorum[from][to].close();
                    election[from][to].close();
                }
            }
        }
    }
}
