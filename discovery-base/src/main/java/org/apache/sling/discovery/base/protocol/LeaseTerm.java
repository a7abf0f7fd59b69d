// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

/**
 * How long a leader may act on its view without hearing the store, and how long a successor waits for that to be over. The
 * leader counts two thirds of its session timeout from the start of a renewal, rounded down, on its clock; the successor counts
 * three quarters from a later moment, rounded up, on its own. So at most one of them is a current leader as long as the
 * successor's clock runs at most 9/8 times as fast as the leader's.
 */
final class LeaseTerm {

    /** Clocks are read in whole milliseconds: a lease may last one longer, and a wait be one shorter, than was counted. */
    private static final long READING_MILLIS = 3;

    private LeaseTerm() {}

    /**
     * Returns when a lease ends.
     *
     * @param renewed when its last renewal that was acknowledged was started, in monotonic milliseconds
     * @param sessionMillis the timeout of the session of its holder
     */
    static long end(long renewed, int sessionMillis) {
        return renewed + valid(sessionMillis) * 2 / 3;
    }

    /**
     * Returns when the lease of somebody else is over.
     *
     * @param seen a moment at which its last renewal had been committed, in monotonic milliseconds
     * @param sessionMillis at least the timeout of the session of its holder
     */
    static long over(long seen, int sessionMillis) {
        return seen + (valid(sessionMillis) * 3 + 3) / 4 + READING_MILLIS;
    }

    private static long valid(int sessionMillis) {
        if (sessionMillis < 0) {
            throw new IllegalArgumentException("a session timeout of " + sessionMillis + " ms");
        }
        return sessionMillis;
    }
}
