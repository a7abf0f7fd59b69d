// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.settings;

import io.github.discoveryzk.connectors.wire.Message;
import java.time.Duration;

/**
 * When peers ping, and how long announcements last, by the rules of Sling.
 *
 * @param pingInterval how often each connector pings
 * @param pingTimeout how long an announcement is kept without a ping
 * @param factor how many ping intervals a connector waits that the peer does not need, and at most while nothing changes; at least 1
 */
public record Timing(Duration pingInterval, Duration pingTimeout, int factor) {

    /** The defaults of Sling. The factor has no option, because a shorter ping interval shortens the back-off too. */
    public static final Timing DEFAULT = new Timing(Duration.ofSeconds(30), Duration.ofSeconds(120), 5);

    /** Returns the back-off of a loop announcement, in seconds. */
    public long standbyBackoff() {
        return factor == 1 ? 0 : seconds(factor);
    }

    /** Returns the back-off of a peer whose announcement has not changed for some time, in seconds. */
    public long stableBackoff(long stableMillis) {
        return seconds(Math.min(stableMillis / Math.max(1, pingTimeout.toMillis()), factor));
    }

    /** Returns the longest time between two pings of a peer, and one more ping interval, in seconds. */
    public long maxSilence() {
        return seconds(factor + 1L);
    }

    private long seconds(long intervals) {
        return Math.min(pingInterval.toSeconds() * intervals, Message.MAX_BACKOFF_SECONDS);
    }

    /** Returns how long an announcement is kept without a ping, in milliseconds. */
    public long keptMillis(long backoffSeconds) {
        long timeout = pingTimeout.toMillis();
        return Math.max(timeout, backoffSeconds * 1_000 + timeout - pingInterval.toMillis());
    }

    /** Returns after how many milliseconds a peer has missed a ping: it pings at the end of the interval in which its back-off ends. */
    public long missedMillis(long backoffSeconds) {
        long interval = pingInterval.toMillis();
        return Math.max(interval, backoffSeconds * 1_000) + interval;
    }
}
