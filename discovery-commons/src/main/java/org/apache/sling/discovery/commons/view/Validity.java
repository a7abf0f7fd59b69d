// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.view;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Answers whether a view is current: until its lease ends, which is looked up on a monotonic clock at each question, so that
 * even a process that was stopped for an hour answers "no" the moment it wakes. Once it has answered "no" it never answers
 * "yes" again. Thread-safe and lock-free.
 */
public final class Validity {

    private static final long ENDED = Long.MIN_VALUE;

    private final LongSupplier clock;
    private final AtomicLong end;

    /**
     * Starts a lease.
     *
     * @param clock monotonic milliseconds
     * @param end when the lease ends unless it is extended
     */
    public Validity(LongSupplier clock, long end) {
        this.clock = clock;
        this.end = new AtomicLong(end);
    }

    /** Returns a validity that is over. */
    public static Validity none() {
        return new Validity(() -> 0, ENDED);
    }

    /** Says whether the lease lasts; if it does not, that is final. */
    public boolean isCurrent() {
        while (true) {
            long until = end.get();
            if (until == ENDED) {
                return false;
            }
            if (clock.getAsLong() < until) {
                return true;
            }
            // Somebody has been told "no": a renewal that arrives now comes too late.
            end.compareAndSet(until, ENDED);
        }
    }

    /**
     * Extends the lease; an earlier end than the present one changes nothing.
     *
     * @return false when the lease had ended already
     */
    public boolean extend(long until) {
        return isCurrent() && end.updateAndGet(old -> old == ENDED ? ENDED : Math.max(old, until)) != ENDED;
    }

    /** Ends the lease for good. */
    public void end() {
        end.set(ENDED);
    }
}
