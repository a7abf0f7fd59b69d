// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.outside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** The ZooKeeper server that all tests share. It is started when it is first needed and ends with the process. */
public final class Server {

    private static final int TICK_MILLIS = 200;

    /** The default address of the server for an instance without a configuration. */
    private static final InetSocketAddress DEFAULT = new InetSocketAddress("127.0.0.1", 2181);

    private static Server only;
    private static Socket placeholder;

    private final NIOServerCnxnFactory connections;

    private Server() throws IOException {
        Path directory = Files.createDirectories(Path.of(System.getProperty("work.directory"), "zookeeper"));
        Path data = Files.createTempDirectory(directory, "data");
        ZooKeeperServer server = new ZooKeeperServer(data.toFile(), data.toFile(), TICK_MILLIS);
        server.setMaxSessionTimeout(60_000);
        connections = new NIOServerCnxnFactory();
        connections.configure(new InetSocketAddress("127.0.0.1", 0), 0);
        try {
            connections.startup(server);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns the address of the server for clients. */
    public static synchronized String address() {
        try {
            if (only == null) {
                only = new Server();
            }
            return "127.0.0.1:" + only.connections.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Occupies the default port, so that an instance without a configuration finds no server.
     *
     * @return false when a foreign server is there already, which no test may use
     */
    public static synchronized boolean keepDefaultPortSilent() {
        if (placeholder == null) {
            Socket socket = new Socket();
            try {
                // Bound but not listening: connections are refused.
                socket.bind(DEFAULT);
                placeholder = socket;
            } catch (IOException e) {
                return isSilent();
            }
        }
        return true;
    }

    private static boolean isSilent() {
        try (Socket socket = new Socket()) {
            socket.connect(DEFAULT, 1_000);
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
