// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

/**
 * Detects that no reply has arrived for so long that the client has to be replaced, whatever state it reports. The watchdog counts checks
 * and reads no clock, so a pause of the process or of the thread does not count as silence.
 */
final class Watchdog {
    /** After how many session timeouts without a reply the client is replaced. */
    private static final int TIMEOUTS = 3;

    private static final int CHECKS_PER_TIMEOUT = 3;

    /** A client needs a second or so for an attempt to connect, however short its session is. */
    private static final int MIN_MILLIS = 1_000;

    private boolean replied = true;
    private int silent;
    private volatile int replacements;

    /** Returns the time between two checks. */
    static long intervalMillis(int sessionTimeoutMillis) {
        return Math.max(MIN_MILLIS, sessionTimeoutMillis) / CHECKS_PER_TIMEOUT + 1L;
    }

    /** Returns after which silence the client is replaced. */
    static long timeoutMillis(int sessionTimeoutMillis) {
        return intervalMillis(sessionTimeoutMillis) * CHECKS_PER_TIMEOUT * TIMEOUTS;
    }

    /** Records that a reply has arrived. */
    void reply() {
        replied = true;
    }

    /** Returns how often the advice was to replace the client. It may be called on any thread. */
    int replacements() {
        return replacements;
    }

    /** Checks whether replies have arrived since the last check. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread checks.
    Advice check() {
        if (replied) {
            replied = false;
            silent = 0;
            return Advice.NOTHING;
        }
        silent++;
        if (silent >= TIMEOUTS * CHECKS_PER_TIMEOUT) {
            silent = 0;
            replacements++;
            return Advice.REPLACE;
        }
        return silent % CHECKS_PER_TIMEOUT == 0 ? Advice.PROBE : Advice.NOTHING;
    }

    /** The action that follows from a check. A probe is sent because there may have been no reply for want of a request. */
    enum Advice {
        NOTHING,
        PROBE,
        REPLACE
    }
}
