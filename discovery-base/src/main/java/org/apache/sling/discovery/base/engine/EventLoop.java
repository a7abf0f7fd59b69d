// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.engine;

import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue, the turns and the only timer of an instance. Each input and each wake-up runs on the thread of the executor,
 * followed by a turn. {@link #submit} may be called from any thread, {@link #wakeAt} by a turn only.
 */
final class EventLoop {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    private static final long RETRY_MILLIS = 1_000;

    private final String instanceId;
    private final ScheduledExecutorService executor;
    private final LongSupplier clock;
    private final Runnable turn;
    private final Runnable onWake;
    private Optional<ScheduledFuture<?>> timer = Optional.empty();
    private long wakeAt = Long.MAX_VALUE;

    /**
     * Prepares a loop.
     *
     * @param instanceId named in the log
     * @param executor has one thread
     * @param clock monotonic milliseconds
     * @param turn runs after each input and each wake-up
     * @param onWake runs before the turn when the timer expires
     */
    EventLoop(
            String instanceId, ScheduledExecutorService executor, LongSupplier clock, Runnable turn, Runnable onWake) {
        this.instanceId = instanceId;
        this.executor = executor;
        this.clock = clock;
        this.turn = turn;
        this.onWake = onWake;
    }

    /** Queues an input; returns false when the executor has been shut down. */
    boolean submit(Runnable input) {
        try {
            executor.execute(() -> run(input));
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("Input after the instance was closed is dropped");
            return false;
        }
    }

    /** Wakes the loop at that time, or at an earlier time that was already set. */
    void wakeAt(long at) {
        if (at >= wakeAt) {
            return;
        }
        timer.ifPresent(future -> future.cancel(false));
        wakeAt = at;
        long delay = Math.max(1, at - clock.getAsLong());
        timer = Optional.of(executor.schedule(() -> run(this::wake), delay, TimeUnit.MILLISECONDS));
    }

    private void wake() {
        wakeAt = Long.MAX_VALUE;
        onWake.run();
    }

    /** A defect must not end the only decision thread: it is logged, and the next input tries again. */
    private void run(Runnable input) {
        try {
            input.run();
            turn.run();
        } catch (Throwable e) { // An Error would go unnoticed in the executor.
            LOG.error("Discovery of instance {} failed in a decision; the next input tries again", instanceId, e);
            wakeAt(clock.getAsLong() + RETRY_MILLIS);
        }
    }
}
