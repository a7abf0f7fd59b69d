// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A real server that counts the requests of each session by name. Pings of the client are not counted. */
public final class CountingServer implements AutoCloseable {

    private static final int TICK_MILLIS = 100;
    private static final int MAX_SESSION_TIMEOUT = 60_000;

    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final NIOServerCnxnFactory connections = new NIOServerCnxnFactory();

    /** Starts a server with its data in that folder. */
    public CountingServer(Path data) throws Exception {
        connections.configure(new InetSocketAddress("127.0.0.1", 0), 0);
        connections.startup(new Counting(data));
    }

    /** Returns the address for clients. */
    public String connectString() {
        return "127.0.0.1:" + connections.getLocalPort();
    }

    /** Resets the counts. */
    public void forget() {
        asked.clear();
    }

    /** Returns the counts since {@link #forget} by the name of the request, by session. */
    public Map<Long, Map<String, Long>> counts() {
        return asked.stream()
                .collect(Collectors.groupingBy(
                        Asked::session, Collectors.groupingBy(Asked::name, TreeMap::new, Collectors.counting())));
    }

    @Override
    public void close() {
        connections.shutdown();
    }

    private record Asked(long session, String name) {}

    private final class Counting extends ZooKeeperServer {

        Counting(Path data) throws IOException {
            super(data.toFile(), data.toFile(), TICK_MILLIS);
            setMaxSessionTimeout(MAX_SESSION_TIMEOUT);
        }

        @Override
        public void submitRequest(Request request) {
            if (request.type != OpCode.ping) {
                asked.add(new Asked(request.sessionId, Request.op2String(request.type)));
            }
            super.submitRequest(request);
        }
    }
}
