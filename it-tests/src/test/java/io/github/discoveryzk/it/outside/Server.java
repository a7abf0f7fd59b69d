// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.outside;

import io.github.discoveryzk.testing.server.TestServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/** The ZooKeeper server that all tests share. It is started when it is first needed and ends with the process. */
public final class Server {

    /** The default address of the server for an instance without a configuration. */
    private static final InetSocketAddress DEFAULT = new InetSocketAddress("127.0.0.1", 2181);

    private static TestServer only;
    private static Socket placeholder;

    private Server() {}

    /** Returns the address of the server for clients. */
    public static String address() {
        return start().address();
    }

    static synchronized TestServer start() {
        try {
            if (only == null) {
                Path directory = Files.createDirectories(Path.of(System.getProperty("work.directory"), "zookeeper"));
                only = new TestServer(Files.createTempDirectory(directory, "data"));
            }
            return only;
        } catch (Exception e) {
            throw new IllegalStateException("The server of the tests does not start", e);
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
