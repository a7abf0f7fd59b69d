// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.PrimitiveIterator;
import java.util.Random;

/** Finds free TCP ports of 127.0.0.1. A result may be out of date immediately. */
public final class Ports {

    /** The only address that the launcher binds by itself. */
    static final String HOST = "127.0.0.1";

    /** Means all addresses of the machine. */
    static final String ALL = "0.0.0.0";

    private static final PrimitiveIterator.OfInt CANDIDATES =
            new Random().ints(2_000, 10_000, 32_768).distinct().iterator();

    private Ports() {}

    /** Tells whether a port can be bound now. */
    public static boolean isFree(int port) {
        return canBind(address(port));
    }

    /** Tells whether an address is one of this machine. */
    static boolean isOwn(String address) {
        return canBind(new InetSocketAddress(address, 0));
    }

    private static boolean canBind(InetSocketAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address, 1);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns a port that was free a moment ago, never the same again, and below those that systems choose by themselves.
     *
     * @throws java.util.NoSuchElementException if the machine has none left
     */
    public static synchronized int free() {
        int port = CANDIDATES.nextInt();
        return isFree(port) ? port : free();
    }

    static InetSocketAddress address(int port) {
        return new InetSocketAddress(HOST, port);
    }
}
