// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.it.chaos.Recording.Started;

/**
 * How long an instance may take to be settled once everything is calm: the longest session timeout and settle timeout of all
 * processes, and the times defined here. The only definition of this bound.
 *
 * @param sessionTimeoutMillis the longest session timeout
 * @param settleMillis the longest settle timeout, which is never used below the longest session timeout
 */
record SettlingBound(long sessionTimeoutMillis, long settleMillis) {

    /** The slowest allowed clock, relative to the clock of the machine. */
    private static final double SLOWEST = 1 / NodeSettings.SLOWEST_RATE;

    /** Servers end sessions on their ticks only. */
    private static final long TICK_MILLIS = Ensemble.TICK_MILLIS;

    /** ZooKeeper's client waits up to a second before it tries the next server. */
    private static final long RECONNECT_MILLIS = 1_000;

    /** The next candidate does the coordinator's work a second later when the one before it does not. */
    private static final long STEP_IN_MILLIS = 1_000;

    static SettlingBound of(Recording recording) {
        long session = recording.starts.stream()
                .mapToLong(Started::sessionTimeoutMillis)
                .max()
                .orElse(NodeSettings.SESSION_MILLIS);
        long settle =
                recording.starts.stream().mapToLong(Started::settleMillis).max().orElse(NodeSettings.SETTLE_MILLIS);
        return new SettlingBound(session, Math.max(session, settle));
    }

    /** Returns how long an attempt to reach one of several servers may last. */
    private long attemptMillis() {
        return sessionTimeoutMillis / Ensemble.SIZE;
    }

    long nanos() {
        double millis = (sessionTimeoutMillis + settleMillis) * SLOWEST
                + TICK_MILLIS
                + RECONNECT_MILLIS
                + attemptMillis()
                + STEP_IN_MILLIS;
        return TimeUnit.MILLISECONDS.toNanos((long) millis);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d ms: session timeout %d and settle timeout %d, on the slowest clock (times %.4f), a tick of the server %d, "
                        + "an attempt to connect %d and the pause after it %d, a step in %d",
                TimeUnit.NANOSECONDS.toMillis(nanos()),
                sessionTimeoutMillis,
                settleMillis,
                SLOWEST,
                TICK_MILLIS,
                attemptMillis(),
                RECONNECT_MILLIS,
                STEP_IN_MILLIS);
    }
}
