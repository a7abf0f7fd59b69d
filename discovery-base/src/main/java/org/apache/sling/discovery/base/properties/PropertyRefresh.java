// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.properties;

import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Runs an action after each interval. The interval can be changed at any time. Thread-safe. */
public final class PropertyRefresh {

    private final ScheduledExecutorService executor;
    private final Runnable action;
    private long intervalMillis;
    private Optional<ScheduledFuture<?>> next = Optional.empty();

    /**
     * Makes a refresh without an interval.
     *
     * @param executor runs the action
     * @param action returns immediately and never throws
     */
    public PropertyRefresh(ScheduledExecutorService executor, Runnable action) {
        this.executor = executor;
        this.action = action;
    }

    /** Starts intervals of the given number of milliseconds now; 0 or less for never. */
    public synchronized void every(long millis) {
        next.ifPresent(future -> future.cancel(false));
        next = Optional.empty();
        intervalMillis = millis;
        if (millis > 0) {
            next = Optional.of(executor.schedule(this::run, millis, TimeUnit.MILLISECONDS));
        }
    }

    private synchronized void run() {
        // Cancelling may come too late.
        if (intervalMillis > 0) {
            action.run();
            every(intervalMillis);
        }
    }
}
