// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * A limit on how long a thread waits for several things one after the other: the time spent on one is not available for the
 * next. To be used by one thread.
 */
public final class Deadline {

    private final LongSupplier clock;
    private final long at;
    private final Blocking waiting;

    /**
     * Makes a deadline that is the given number of milliseconds from now.
     *
     * @param clock monotonic milliseconds
     * @param waiting how the thread waits
     */
    public Deadline(long millis, LongSupplier clock, Blocking waiting) {
        this.clock = clock;
        this.at = clock.getAsLong() + millis;
        this.waiting = waiting;
    }

    /** Returns a deadline that is the given number of milliseconds from now, for a thread that blocks while it waits. */
    public static Deadline in(long millis, LongSupplier clock) {
        return new Deadline(millis, clock, (awaited, limit) -> awaited.get(limit, TimeUnit.MILLISECONDS));
    }

    /**
     * Waits until the future has completed, normally or not, the deadline has passed, or the thread is interrupted; an
     * interrupted thread stays interrupted.
     *
     * @return whether the future has completed
     */
    public boolean await(CompletableFuture<?> awaited) {
        long remaining = at - clock.getAsLong();
        if (!awaited.isDone() && remaining > 0) {
            try {
                waiting.await(awaited, remaining);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException | ExecutionException e) {
                // The caller only needs to know whether it has completed.
                return awaited.isDone();
            }
        }
        return awaited.isDone();
    }

    /** A way to wait. */
    @FunctionalInterface
    public interface Blocking {

        /** Returns, or throws, when the future has completed or the given number of milliseconds has passed. */
        void await(CompletableFuture<?> awaited, long millis)
                throws InterruptedException, ExecutionException, TimeoutException;
    }
}
