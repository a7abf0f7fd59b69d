// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between a client and a server on loopback and can part them. */
public final class TcpProxy implements AutoCloseable {
    private final InetSocketAddress server;
    private final ServerSocket entrance;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean parted;
    private volatile boolean swallowing;
    private volatile int lastPort;

    public TcpProxy(int serverPort) {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
        try {
            this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(this::accept);
    }

    public String address() {
        return "127.0.0.1:" + entrance.getLocalPort();
    }

    /** The port from which the last connection to the server came. */
    public int lastPort() {
        return lastPort;
    }

    public void part() {
        parted = true;
        sockets.forEach(TcpProxy::close);
        sockets.clear();
    }

    /** Goes on accepting connections and passes nothing on, until {@link #part}. */
    public void swallow() {
        swallowing = true;
    }

    public void join() {
        swallowing = false;
        parted = false;
    }

    @Override
    public void close() {
        part();
        try {
            entrance.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() throws IOException {
        while (!entrance.isClosed()) {
            Socket client = entrance.accept();
            if (parted) {
                close(client);
                continue;
            }
            Socket outbound = new Socket();
            outbound.connect(server);
            lastPort = outbound.getLocalPort();
            sockets.add(client);
            sockets.add(outbound);
            run(() -> pump(client, outbound));
            run(() -> pump(outbound, client));
        }
    }

    private void pump(Socket from, Socket to) throws IOException {
        byte[] buffer = new byte[8192];
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            if (!swallowing) {
                out.write(buffer, 0, n);
            }
        }
        close(from);
        close(to);
    }

    private static void run(Traffic traffic) {
        Thread thread = new Thread(
                () -> {
                    try {
                        traffic.flow();
                    } catch (IOException e) {
                        // Parted: both ends are closed.
                        return;
                    }
                },
                "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Traffic {
        void flow() throws IOException;
    }
}
