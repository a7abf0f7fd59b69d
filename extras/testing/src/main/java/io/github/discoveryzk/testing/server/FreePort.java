// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.PrimitiveIterator;
import java.util.Random;

/** Chooses ports of 127.0.0.1 for servers that bind them later or once more. For any threads. */
public final class FreePort {

    /** Systems choose the ports of connections, and those of servers that leave the choice to them, from the ports above. */
    private static final PrimitiveIterator.OfInt CANDIDATES =
            new Random().ints(10_000, 32_768).distinct().iterator();

    private FreePort() {}

    /** Returns a port that was free a moment ago, never the same again in this process. */
    public static synchronized int next() {
        int port = CANDIDATES.nextInt();
        try (ServerSocket bound = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return bound.getLocalPort();
        } catch (IOException e) {
            return next();
        }
    }
}
