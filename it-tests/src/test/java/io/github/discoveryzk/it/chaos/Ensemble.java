// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;

import io.github.discoveryzk.launcher.Ports;
import io.github.discoveryzk.testing.server.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Three real ZooKeeper servers, each in its own process. Messages between servers go through proxies, so that a server can be
 * parted from the others and keep its clients. Not safe for use by several threads.
 *
 * <p>Messages between leaders and followers always go through a proxy. Votes do not always: a server announces its own address
 * for elections, and an existing election connection outlives a parting. That may change the elected server.
 */
final class Ensemble implements AutoCloseable {

    static final int SIZE = 3;

    /** Grants sessions from 0.5 to 20 seconds. */
    static final int TICK_MILLIS = 250;

    private static final int MIN_PORT = 12_000;
    private static final int MAX_PORT = 32_000;
    /** How long a follower may be ahead of the leader that it has just elected. */
    private static final Duration ELECTED_EARLY = Duration.ofSeconds(1);

    private final List<ServerProcess> servers = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();

    /** The proxy from one server to another one. */
    private record Link(int from, int to, TcpProxy proxy) {}

    private Ensemble(Path folder) {
        // Below the ephemeral range of the system: no connection of another process may use the port of a server that
        // is restarted.
        List<Integer> ports = new Random()
                .ints(MIN_PORT, MAX_PORT)
                .filter(Ports::isFree)
                .distinct()
                .limit(3L * SIZE)
                .boxed()
                .toList();
        for (int from = 0; from < SIZE; from++) {
            List<String> addresses = new ArrayList<>();
            for (int to = 0; to < SIZE; to++) {
                int quorum = port(from, to, ports.get(SIZE + to), ELECTED_EARLY);
                int election = port(from, to, ports.get(2 * SIZE + to), Duration.ZERO);
                addresses.add("server." + (to + 1) + "=127.0.0.1:" + quorum + ":" + election);
            }
            Path home = folder.resolve("server" + (from + 1));
            servers.add(new ServerProcess(home, from + 1, ports.get(from), addresses));
        }
    }

    /** Returns the port by which one server reaches a port of another one. */
    private int port(int from, int to, int port, Duration patience) {
        if (from == to) {
            return port;
        }
        TcpProxy proxy = new TcpProxy(port, patience);
        links.add(new Link(from, to, proxy));
        return proxy.port();
    }

    /** Starts an ensemble that keeps its data below a folder, and waits until it serves. */
    static Ensemble start(Path folder) throws IOException {
        Ensemble ensemble = new Ensemble(folder);
        try {
            ensemble.startAll();
            return ensemble;
        } catch (IOException | RuntimeException e) {
            ensemble.close();
            throw e;
        }
    }

    /** Starts all servers, and waits until they serve. */
    void startAll() throws IOException {
        for (ServerProcess server : servers) {
            server.start();
        }
        awaitServing();
    }

    /** Stops and starts each server, one after the other. */
    void restartOneByOne() throws IOException {
        for (ServerProcess server : servers) {
            server.stop();
            server.start();
            awaitServing();
        }
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

    /**
     * Replaces the data of a server by that of the others. A leader that was parted may have stored transactions in a snapshot that were
     * never committed (ZOOKEEPER-1549): from then on its clients would see another tree than those of the other servers.
     */
    void renewData(int index) throws IOException {
        ServerProcess server = servers.get(index);
        server.stop();
        server.wipe();
        server.start();
        awaitServing();
    }

    private Stream<TcpProxy> links(int index) {
        return links.stream()
                .filter(link -> link.from() == index || link.to() == index)
                .map(Link::proxy);
    }

    @Override
    public void close() {
        servers.forEach(ServerProcess::close);
        links.forEach(link -> link.proxy().close());
    }
}
