// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

/**
 * How long a leader may act on its view without a reply of the store, and how long a successor waits for that time to pass.
 * The leader counts two thirds of its session timeout from the start of a renewal, rounded down, on its clock; the successor
 * counts three quarters from a later moment, rounded up, on its own. So at most one of them is a current leader as long as the
 * successor's clock runs at most 9/8 times as fast as the leader's.
 */
final class LeaseTerm {

    /**
     * Clocks are read in whole milliseconds: a lease may last one millisecond longer, and a wait may be one shorter, than
     * counted.
     */
    private static final long READING_MILLIS = 3;

    private LeaseTerm() {}

    /**
     * Returns when a lease ends.
     *
     * @param renewed when its last acknowledged renewal was started, in monotonic milliseconds
     * @param sessionTimeoutMillis the session timeout of its leader
     */
    static long end(long renewed, int sessionTimeoutMillis) {
        return renewed + valid(sessionTimeoutMillis) * 2 / 3;
    }

    /**
     * Returns when the lease of another instance is over.
     *
     * @param seen a moment at which its last renewal had been committed, in monotonic milliseconds
     * @param sessionTimeoutMillis at least the session timeout of its leader
     */
    static long over(long seen, int sessionTimeoutMillis) {
        return seen + (valid(sessionTimeoutMillis) * 3 + 3) / 4 + READING_MILLIS;
    }

    private static long valid(int sessionTimeoutMillis) {
        if (sessionTimeoutMillis < 0) {
            throw new IllegalArgumentException("a session timeout of " + sessionTimeoutMillis + " ms");
        }
        return sessionTimeoutMillis;
    }
}
