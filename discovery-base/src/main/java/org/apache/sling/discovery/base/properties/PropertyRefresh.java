// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.properties;

import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Does something again each time an interval is over, and can be given another interval at any time. Thread-safe. */
public final class PropertyRefresh {

    private final ScheduledExecutorService executor;
    private final Runnable action;
    private long intervalMillis;
    private Optional<ScheduledFuture<?>> next = Optional.empty();

    /**
     * Makes one that does nothing yet.
     *
     * @param executor runs the action
     * @param action returns at once and never throws
     */
    public PropertyRefresh(ScheduledExecutorService executor, Runnable action) {
        this.executor = executor;
        this.action = action;
    }

    /** Starts an interval of so many milliseconds now; 0 or less for never. */
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
