// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Finds free TCP ports of 127.0.0.1. A result may be out of date immediately. */
public final class Ports {

    /** The only address that the launcher binds. */
    static final String HOST = "127.0.0.1";

    private Ports() {}

    /** Tells whether a port can be bound now. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address(port), 1);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns a port that was free a moment ago.
     *
     * @return a free port
     * @throws UncheckedIOException if the machine has none left
     */
    public static int free() {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address(0), 1);
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static InetSocketAddress address(int port) {
        return new InetSocketAddress(HOST, port);
    }
}
