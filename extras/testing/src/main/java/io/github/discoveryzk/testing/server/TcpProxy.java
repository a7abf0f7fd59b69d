// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.server;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy between two processes on loopback: it can delay or lose data in one direction or in both, close connections, and swap sessions
 * of ZooKeeper. Safe for use by any thread.
 */
@ThreadsAndClocks
public final class TcpProxy implements AutoCloseable {

    private static final int BACKLOG = 50;
    private static final int CHUNK = 8192;

    /** Where a connect request of ZooKeeper has the id of the session; its password, with its length before it, follows. */
    private static final int SESSION_ID = 16;

    private static final int PASSWORD = SESSION_ID + Long.BYTES + Integer.BYTES;
    private static final int PASSWORD_LENGTH = 16;

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final int target;
    private final long patienceNanos;
    private final ServerSocket entrance;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile State state = State.OPEN;
    private final AtomicLong replied = new AtomicLong();
    private volatile int lastPort;
    private volatile boolean swapsSessions;

    /** Makes a proxy in front of a port of 127.0.0.1; while no process listens there it closes connections immediately. */
    public TcpProxy(int target) {
        this(target, Duration.ZERO);
    }

    /**
     * Makes a proxy that keeps new connections waiting for a while until a process listens. Some clients retry a refused
     * connection, but treat a closed one as a failure.
     */
    public TcpProxy(int target, Duration patience) {
        this.target = target;
        this.patienceNanos = patience.toNanos();
        try {
            this.entrance = new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run("entrance", this::accept);
    }

    /** Returns the port for clients. */
    public int port() {
        return entrance.getLocalPort();
    }

    /** Returns the address for clients. */
    public String address() {
        return "127.0.0.1:" + port();
    }

    /** Returns the port from which the last connection to the server came. */
    public int lastPort() {
        return lastPort;
    }

    /** Returns how many bytes the server has sent to clients over all connections. */
    public long replied() {
        return replied.get();
    }

    /** Delays all data in both directions. */
    public void delay(Duration each) {
        change(new State(false, false, false, each.toNanos()));
    }

    /** Closes all connections and accepts no new ones. */
    public void cut() {
        // What was to be lost is lost, although it comes only now.
        change(new State(true, state.losesRequests, state.losesReplies, 0));
        links.forEach(Link::close);
    }

    /** Resets all connections. New ones are accepted. */
    public void reset() {
        links.forEach(Link::reset);
    }

    /** Keeps connections open, and makes new ones, but loses what the client sends. */
    public void loseRequests() {
        change(new State(false, true, false, 0));
    }

    /** Keeps connections open, and makes new ones, but loses what the server sends. */
    public void loseReplies() {
        change(new State(false, false, true, 0));
    }

    /** Keeps connections open, and makes new ones, but loses everything. */
    public void loseAll() {
        change(new State(false, true, true, 0));
    }

    /**
     * Gives each client of ZooKeeper that connects from now on a new session in place of the one for which it asks. The client must not
     * use TLS. {@link #restore} does not end this.
     */
    public void swapSessions() {
        swapsSessions = true;
    }

    /** Ends every disturbance; a connection that has lost data is closed, because the rest of its stream is meaningless. */
    public void restore() {
        change(State.OPEN);
        links.stream().filter(link -> link.lossy).forEach(Link::close);
    }

    private void change(State next) {
        state = next;
    }

    @Override
    public void close() {
        closeQuietly(entrance);
        links.forEach(Link::close);
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = entrance.accept();
            if (state.cut) {
                closeQuietly(client);
            } else {
                run("connection", () -> connect(client));
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = reach();
        if (server == null) {
            client.close();
            return;
        }
        lastPort = server.getLocalPort();
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Link link = new Link(client, server);
        links.add(link);
        run("requests", () -> link.pump(client, server, true));
        run("replies", () -> link.pump(server, client, false));
        if (state.cut) {
            link.close();
        }
    }

    /** Returns a connection to the target, or null when no process listens there for too long. */
    private Socket reach() throws IOException {
        long start = System.nanoTime();
        while (true) {
            Socket server = new Socket();
            try {
                server.connect(new InetSocketAddress("127.0.0.1", target));
                return server;
            } catch (ConnectException e) {
                server.close();
                if (state.cut || System.nanoTime() - start >= patienceNanos) {
                    return null;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private static void run(String what, Traffic traffic) {
        Thread thread = new Thread(
                () -> {
                    try {
                        traffic.flow();
                    } catch (IOException e) {
                        // Parted: both ends are closed.
                        return;
                    }
                },
                "tcp-proxy-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Traffic {
        void flow() throws IOException;
    }

    private record State(boolean cut, boolean losesRequests, boolean losesReplies, long delayNanos) {
        static final State OPEN = new State(false, false, false, 0);

        boolean loses(boolean requests) {
            return requests ? losesRequests : losesReplies;
        }
    }

    /** One connection through the proxy. */
    @ThreadsAndClocks
    private final class Link {
        private final Socket client;
        private final Socket server;
        private volatile boolean lossy;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pump(Socket from, Socket to, boolean requests) throws IOException {
            try {
                byte[] chunk = new byte[CHUNK];
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                if (requests && swapsSessions) {
                    askForNewSession(in, out);
                }
                for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                    replied.addAndGet(requests ? 0 : n);
                    hold(state.delayNanos);
                    // A connection that has begun to lose data loses it to its end.
                    if (state.loses(requests) || lossy) {
                        lossy = true;
                    } else {
                        out.write(chunk, 0, n);
                    }
                }
            } finally {
                close();
            }
        }

        /** Passes on a connect request, without the session that it names. */
        private void askForNewSession(InputStream in, OutputStream out) throws IOException {
            DataInputStream request = new DataInputStream(in);
            byte[] packet = new byte[request.readInt()];
            request.readFully(packet);
            Arrays.fill(packet, SESSION_ID, SESSION_ID + Long.BYTES, (byte) 0);
            Arrays.fill(packet, PASSWORD, PASSWORD + PASSWORD_LENGTH, (byte) 0);
            DataOutputStream passedOn = new DataOutputStream(out);
            passedOn.writeInt(packet.length);
            passedOn.write(packet);
        }

        private void hold(long nanos) {
            long start = System.nanoTime();
            for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - start)) {
                LockSupport.parkNanos(left);
            }
        }

        /** Without a linger time the system sends a reset in place of the rest of the stream. */
        void reset() {
            try {
                client.setSoLinger(true, 0);
                server.setSoLinger(true, 0);
            } catch (SocketException e) {
                // It is closed already.
                return;
            }
            close();
        }

        void close() {
            links.remove(this);
            closeQuietly(client);
            closeQuietly(server);
        }
    }
}
