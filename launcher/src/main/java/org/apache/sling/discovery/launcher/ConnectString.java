// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses of the servers of an ensemble, as ZooKeeper writes them: {@code host:port,host:port/path}. Immutable.
 *
 * @param text the original text
 * @param servers the servers, not yet looked up
 */
record ConnectString(String text, List<InetSocketAddress> servers) {

    private static final int DEFAULT_PORT = 2181;
    private static final int MAX_PORT = 65_535;
    private static final String NOT_SERVING = "not currently serving";

    /**
     * Reads a connect string.
     *
     * @throws LaunchException if it is malformed
     */
    static ConnectString parse(String text) throws LaunchException {
        int path = text.indexOf('/');
        String hosts = path < 0 ? text : text.substring(0, path);
        List<InetSocketAddress> servers = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            servers.add(server(text, host.trim()));
        }
        return new ConnectString(text, List.copyOf(servers));
    }

    private static InetSocketAddress server(String text, String server) throws LaunchException {
        int colon = server.lastIndexOf(':');
        boolean portGiven = colon > server.lastIndexOf(']');
        String host = portGiven ? server.substring(0, colon) : server;
        try {
            int port = portGiven ? Integer.parseInt(server.substring(colon + 1)) : DEFAULT_PORT;
            if (!host.isEmpty() && port > 0 && port <= MAX_PORT) {
                return InetSocketAddress.createUnresolved(host, port);
            }
        } catch (NumberFormatException e) {
            // Falls through to the common error message.
        }
        throw new LaunchException("--zookeeper " + text + " is not a list of servers: write host:port,host:port, "
                + "followed by a path if needed");
    }

    /**
     * Checks whether one of the servers answers and serves.
     *
     * @param limitMillis how long to wait for each
     * @throws LaunchException if none does
     */
    void check(int limitMillis) throws LaunchException {
        List<String> reasons = new ArrayList<>();
        for (InetSocketAddress server : servers) {
            try {
                if (!ask(server, limitMillis).contains(NOT_SERVING)) {
                    return;
                }
                reasons.add(server.getHostString() + ":" + server.getPort() + " has no quorum");
            } catch (UnknownHostException e) {
                reasons.add(server.getHostString() + " is not a known host");
            } catch (IOException e) {
                reasons.add(server.getHostString() + ":" + server.getPort() + ": " + e.getMessage());
            }
        }
        throw new LaunchException("no ZooKeeper server of " + text
                + " can be reached: start the ensemble or correct --zookeeper (" + String.join("; ", reasons) + ")");
    }

    /** A server that refuses the command, or that requires encryption, is running, which is sufficient. */
    private static String ask(InetSocketAddress server, int limitMillis) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.getHostString(), server.getPort()), limitMillis);
            socket.setSoTimeout(limitMillis);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
