// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

/**
 * The large writes of a session. A server closes the connection when the data is longer than it accepts, and does not say why. After some
 * losses in a row most large writes are refused here, so that the connection stays and the reason is named.
 */
final class LargeWrites {
    /** Servers accept this much by default and more; what a lease needs is much shorter. */
    private static final int LARGE = 16 * 1024;

    private static final int LOSSES = 2;

    /** Requests are repeated with a growing delay, so that is one attempt in about twelve seconds. */
    private static final int ATTEMPTED = 9;

    private int losses;
    private int refusals;

    /** Decides whether a write of that length is refused. */
    boolean refuse(int bytes) {
        return bytes >= LARGE && losses >= LOSSES && ++refusals % ATTEMPTED != 0;
    }

    /** Records the end of a request that was sent, a write of that length or any other. */
    void end(int bytes, boolean lost) {
        if (bytes >= LARGE) {
            losses = lost ? losses + 1 : 0;
        }
    }
}
