// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * How long a thread waits at most for several things one after the other: what it waits for one of them is not left for the next.
 * To be used by one thread.
 */
public final class Deadline {

    private final LongSupplier clock;
    private final long at;
    private final Waiting waiting;

    /**
     * Makes a deadline so many milliseconds from now.
     *
     * @param clock monotonic milliseconds
     * @param waiting how the thread waits
     */
    public Deadline(long millis, LongSupplier clock, Waiting waiting) {
        this.clock = clock;
        this.at = clock.getAsLong() + millis;
        this.waiting = waiting;
    }

    /** Returns a deadline so many milliseconds from now, for a thread that is blocked while it waits. */
    public static Deadline in(long millis, LongSupplier clock) {
        return new Deadline(millis, clock, (awaited, limit) -> awaited.get(limit, TimeUnit.MILLISECONDS));
    }

    /**
     * Waits until that has completed, normally or not, or the deadline has come, or the thread is interrupted; then it stays
     * interrupted.
     *
     * @return whether it has completed
     */
    public boolean await(CompletableFuture<?> awaited) {
        long remaining = at - clock.getAsLong();
        if (!awaited.isDone() && remaining > 0) {
            try {
                waiting.await(awaited, remaining);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException | ExecutionException e) {
                // Whether it has completed is all that is asked.
                return awaited.isDone();
            }
        }
        return awaited.isDone();
    }

    /** A way to wait. */
    @FunctionalInterface
    public interface Waiting {

        /** Returns, or throws, when that has completed or so many milliseconds are over. */
        void await(CompletableFuture<?> awaited, long millis)
                throws InterruptedException, ExecutionException, TimeoutException;
    }
}
