// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import io.github.discoveryzk.connectors.wire.Message;
import java.time.Duration;

/**
 * When peers ping, and how long announcements last, by the rules of Sling.
 *
 * @param pingInterval how often each connector pings
 * @param pingTimeout how long an announcement is kept without a ping
 * @param standbyFactor how many ping intervals a connector waits that the peer does not need; 0 or 1 for one
 * @param stableFactor how many ping intervals a connector waits at most while nothing changes; 0 or 1 for one
 */
public record Timing(Duration pingInterval, Duration pingTimeout, int standbyFactor, int stableFactor) {

    /** The default of Sling. It has no option, because a shorter ping interval shortens the back-off too. */
    private static final int FACTOR = 5;

    /** The defaults of Sling. */
    public static final Timing DEFAULT = of(Duration.ofSeconds(30), Duration.ofSeconds(120));

    /** Returns these times with Sling's default back-off. */
    public static Timing of(Duration pingInterval, Duration pingTimeout) {
        return new Timing(pingInterval, pingTimeout, FACTOR, FACTOR);
    }

    /** Returns the back-off of a loop announcement, in seconds. */
    long standbyBackoff() {
        return standbyFactor <= 1 ? 0 : seconds(standbyFactor);
    }

    /** Returns the back-off of a peer whose announcement has not changed for some time, in seconds. */
    long stableBackoff(long stableMillis) {
        return seconds(Math.min(stableMillis / Math.max(1, pingTimeout.toMillis()), Math.max(0, stableFactor)));
    }

    /** Returns the longest time between two pings of a peer, and one more ping interval, in seconds. */
    long maxSilence() {
        return seconds(Math.max(0, stableFactor) + 1L);
    }

    private long seconds(long intervals) {
        return Math.min(pingInterval.toSeconds() * intervals, Message.MAX_BACKOFF_SECONDS);
    }

    /** Returns how long an announcement is kept without a ping, in milliseconds. */
    long keptMillis(long backoffSeconds) {
        long timeout = pingTimeout.toMillis();
        return Math.max(timeout, backoffSeconds * 1_000 + timeout - pingInterval.toMillis());
    }

    /** Returns after how many milliseconds a peer has missed a ping: it pings at the end of the interval in which its back-off ends. */
    long missedMillis(long backoffSeconds) {
        long interval = pingInterval.toMillis();
        return Math.max(interval, backoffSeconds * 1_000) + interval;
    }
}
