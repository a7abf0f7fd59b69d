// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.server;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A real ZooKeeper server that can be stopped and started again, end sessions, and tell what it was asked. */
public final class TestServer implements StandaloneServer {
    private static final int TICK_MILLIS = 100;

    private final File data;
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final int port;
    private NIOServerCnxnFactory connections;
    private Counting server;
    private volatile boolean mute;
    private volatile boolean older;

    /** Starts a server on a free port, with its data in that folder. */
    public TestServer(Path data) throws Exception {
        this(data, FreePort.next());
    }

    /** Starts a server on that port, with its data in that folder. */
    public TestServer(Path data, int port) throws Exception {
        this.data = data.toFile();
        this.port = port;
        start();
    }

    /** Starts the server again, on the same port and with the same data. */
    public void start() throws Exception {
        server = new Counting(data);
        connections = new NIOServerCnxnFactory();
        connections.configure(new InetSocketAddress("127.0.0.1", port), 0);
        connections.startup(server);
    }

    /** Stops the server; its data stays. */
    public void stop() {
        connections.shutdown();
    }

    /** Accepts at most so many connections from one client address from now on; 0 for no limit. */
    public void limitConnections(int most) {
        connections.setMaxClientCnxnsPerHost(most);
    }

    @Override
    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public long session(int clientPort) {
        for (ServerCnxn connection : connections.getConnections()) {
            if (connection.getRemoteSocketAddress().getPort() == clientPort) {
                return connection.getSessionId();
            }
        }
        throw new IllegalStateException("no client is connected from port " + clientPort);
    }

    /** Returns all sessions, also those of paused and of vanished clients. */
    public Set<Long> sessions() {
        return Set.copyOf(server.getZKDatabase().getSessionWithTimeOuts().keySet());
    }

    @Override
    public void expire(long session) {
        server.closeSession(session);
    }

    /** Keeps a session of which nothing is heard alive for a while; the next request sets the usual end again. */
    public void prolong(long session, Duration duration) {
        server.getSessionTracker().touchSession(session, (int) duration.toMillis());
    }

    /** Drops the connection of a session; the session lives on. */
    public void drop(long session) {
        connections.closeSession(session, ServerCnxn.DisconnectReason.CLOSE_CONNECTION_COMMAND);
    }

    /** Answers nothing but pings, and goes on accepting sessions. */
    public void mute(boolean yes) {
        mute = yes;
    }

    /** Replies to what only servers since 3.7 know as one before does, which then ends the connection. */
    public void beOlder() {
        older = true;
    }

    /** Resets the counts of requests. */
    public void forgetAsked() {
        asked.clear();
    }

    /** Returns how often each session asked what since {@link #forgetAsked}, pings aside. */
    public Map<Long, Map<String, Long>> asked() {
        return asked.stream()
                .collect(Collectors.groupingBy(
                        Asked::session, Collectors.groupingBy(Asked::name, TreeMap::new, Collectors.counting())));
    }

    /** Returns how often a session asked what since {@link #forgetAsked}, pings aside. */
    public Map<String, Long> asked(long session) {
        return asked.stream()
                .filter(one -> one.session == session)
                .collect(Collectors.groupingBy(one -> one.name, TreeMap::new, Collectors.counting()));
    }

    @Override
    public boolean exists(String path) {
        return server.getZKDatabase().getNode(path) != null;
    }

    @Override
    public List<String> children(String path) throws Exception {
        return new ArrayList<>(server.getZKDatabase().getChildren(path, null, null));
    }

    /** Returns the paths of a node and of all below it. */
    public List<String> paths(String path) throws Exception {
        List<String> all = new ArrayList<>(List.of(path));
        for (String child : children(path)) {
            all.addAll(paths(path + "/" + child));
        }
        return all;
    }

    /** Returns the access rights of a node, unmasked. */
    public List<ACL> acl(String path) {
        return server.getZKDatabase().aclForNode(server.getZKDatabase().getNode(path));
    }

    /** Returns how many watches all clients have set. */
    public int watches() {
        return server.getZKDatabase().getDataTree().getWatchCount();
    }

    /** Returns the data of a node. */
    public byte[] data(String path) throws Exception {
        return server.getZKDatabase().getData(path, new Stat(), null);
    }

    /** Sets the data version of a node, as it is after any number of writes. */
    public void setVersion(String path, int version) {
        server.getZKDatabase().getNode(path).stat.setVersion(version);
    }

    /** Returns the stat of a node. */
    public Stat stat(String path) throws Exception {
        return server.getZKDatabase().statNode(path, null);
    }

    @Override
    public void close() {
        stop();
    }

    private record Asked(long session, String name) {}

    private final class Counting extends ZooKeeperServer {
        Counting(File directory) throws IOException {
            super(directory, directory, TICK_MILLIS);
            setMinSessionTimeout(100);
            setMaxSessionTimeout(60_000);
        }

        @Override
        public void submitRequest(Request request) {
            if (request.type != OpCode.ping) {
                asked.add(new Asked(request.sessionId, Request.op2String(request.type)));
            }
            if (older && request.type == OpCode.whoAmI) {
                int unknown = Byte.MAX_VALUE;
                super.submitRequest(
                        new Request(request.cnxn, request.sessionId, request.cxid, unknown, null, request.authInfo));
            } else if (!mute || request.type == OpCode.ping || request.type == OpCode.createSession) {
                super.submitRequest(request);
            }
        }
    }
}
