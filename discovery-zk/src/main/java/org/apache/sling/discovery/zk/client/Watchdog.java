// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

/**
 * Notices that nothing has come back from ZooKeeper for so long that the client is not to be relied on any more, whatever it says
 * of itself. It counts beats and reads no clock: a process that was stopped, or a thread that was held up, is no silence.
 */
final class Watchdog {
    /** How many session timeouts without a round trip are too many. */
    private static final int TIMEOUTS = 3;

    private static final int CHECKS_PER_TIMEOUT = 3;

    /** A client needs a second or so for an attempt to connect, however short its session is. */
    private static final int SHORTEST_MILLIS = 1_000;

    private long known = -1;
    private int silent;

    /** Returns how far beats are apart. */
    static long intervalMillis(int sessionTimeoutMillis) {
        return Math.max(SHORTEST_MILLIS, sessionTimeoutMillis) / CHECKS_PER_TIMEOUT + 1L;
    }

    /** Returns which silence is too long. */
    static long timeoutMillis(int sessionTimeoutMillis) {
        return intervalMillis(sessionTimeoutMillis) * CHECKS_PER_TIMEOUT * TIMEOUTS;
    }

    /**
     * To be called regularly.
     *
     * @param roundTrips how many there have been
     */
    Advice check(long roundTrips) {
        if (roundTrips != known) {
            known = roundTrips;
            silent = 0;
            return Advice.NOTHING;
        }
        silent++;
        if (silent >= TIMEOUTS * CHECKS_PER_TIMEOUT) {
            silent = 0;
            return Advice.REPLACE;
        }
        return silent % CHECKS_PER_TIMEOUT == 0 ? Advice.PROBE : Advice.NOTHING;
    }

    /** What is to be done. */
    enum Advice {
        /** Nothing. */
        NOTHING,
        /** To ask the store something: silence may only mean that nothing was asked. */
        PROBE,
        /** To make the client anew. */
        REPLACE
    }
}
