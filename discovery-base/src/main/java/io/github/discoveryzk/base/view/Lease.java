// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.view;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The time for which an instance is settled: until an end that is compared with a monotonic clock at each call, so that even a
 * process that was paused for an hour gets "no" as soon as it resumes. Once the answer was "no" it is never "yes" again.
 * Thread-safe and lock-free.
 *
 * <p>Several views may have one lease, one after the other; they differ in properties or in other clusters only.
 */
public final class Lease {

    private static final long ENDED = Long.MIN_VALUE;

    private final LongSupplier clock;
    private final AtomicLong end;

    /** The content of the view that has replaced another one last; empty while there is only one view. */
    private volatile Object latest = "";

    /**
     * Starts a lease.
     *
     * @param clock monotonic milliseconds
     * @param end when the lease ends unless it is extended
     */
    public Lease(LongSupplier clock, long end) {
        this.clock = clock;
        this.end = new AtomicLong(end);
    }

    /** Returns a lease that is over. */
    public static Lease none() {
        return new Lease(() -> 0, ENDED);
    }

    boolean isHeld() {
        return remainingMillis() > 0;
    }

    /** Returns the milliseconds that remain; 0 when the lease is over, and that is final. */
    long remainingMillis() {
        while (true) {
            long until = end.get();
            if (until == ENDED) {
                return 0;
            }
            long now = clock.getAsLong();
            if (now < until) {
                return until - now;
            }
            // A caller has received "no": a renewal that arrives now is too late.
            end.compareAndSet(until, ENDED);
        }
    }

    /** Extends the lease to at least that time, and returns whether it still lasts. */
    public boolean extend(long until) {
        return isHeld() && end.updateAndGet(old -> old == ENDED ? ENDED : Math.max(old, until)) != ENDED;
    }

    /** Ends the lease for good, for all views that have it. */
    public void end() {
        end.set(ENDED);
    }

    /** Sets what the latest view shows. */
    void show(Object content) {
        latest = content;
    }

    /** Says whether the latest view shows the same. */
    boolean shows(Object content) {
        return content.equals(latest);
    }
}
