// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.common.X509Exception.SSLContextException;

/**
 * The addresses of the servers of an ensemble, as ZooKeeper writes them: {@code host:port,host:port/path}. Immutable.
 *
 * @param text the original text
 * @param servers the servers, not yet looked up
 */
record ConnectString(String text, List<InetSocketAddress> servers) {

    private static final String NOT_SERVING = "not currently serving";

    /**
     * Reads a connect string.
     *
     * @throws LaunchException if it is malformed
     */
    static ConnectString parse(String text) throws LaunchException {
        try {
            List<InetSocketAddress> servers = new ConnectStringParser(text).getServerAddresses();
            if (!servers.isEmpty() && servers.stream().noneMatch(ConnectString::isIncomplete)) {
                return new ConnectString(text, List.copyOf(servers));
            }
        } catch (IllegalArgumentException e) {
            // Falls through to the common error message.
        }
        throw new LaunchException("--zookeeper " + text + " is not a list of servers: write host:port,host:port, "
                + "followed by a path if needed");
    }

    private static boolean isIncomplete(InetSocketAddress server) {
        return server.getHostString().isEmpty() || server.getPort() == 0;
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
        try {
            return FourLetterWordMain.send4LetterWord(
                    server.getHostString(), server.getPort(), "srvr", false, limitMillis);
        } catch (SSLContextException e) {
            throw new IOException(e);
        }
    }
}
