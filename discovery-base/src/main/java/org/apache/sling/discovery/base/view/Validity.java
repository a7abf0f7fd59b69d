// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.view;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Answers whether a view is current: as long as its lease lasts and it shows the same as the latest view of that lease. Views
 * of one lease differ in properties only. When the properties change back, a listener that was busy meanwhile receives no
 * event, so the view that it holds is current again. Once the lease is over the answer is "no" for ever. Thread-safe and
 * lock-free.
 */
public final class Validity {

    private final Lease lease;

    /** The content of the latest view; shared by all views of the lease, empty while there is only one. */
    private final AtomicReference<Object> latest;

    private volatile boolean superseded;

    private Validity(Lease lease, AtomicReference<Object> latest) {
        this.lease = lease;
        this.latest = latest;
    }

    /**
     * Starts a lease.
     *
     * @param clock monotonic milliseconds
     * @param end when the lease ends unless it is extended
     */
    public Validity(LongSupplier clock, long end) {
        this(new Lease(clock, end), new AtomicReference<>());
    }

    /** Returns a validity that is over. */
    public static Validity none() {
        return new Validity(Lease.none(), new AtomicReference<>());
    }

    /** Returns the validity of a view that replaces this one; the lease continues, or is over, for both. */
    public Validity next() {
        return new Validity(lease, latest);
    }

    /**
     * Says whether the view is current.
     *
     * @param shown what the view shows, compared by {@code equals} once another view has replaced it
     */
    public boolean isCurrent(Object shown) {
        return lease.isHeld() && (!superseded || shown.equals(latest.get()));
    }

    /**
     * Extends the lease; an earlier end than the present one changes nothing.
     *
     * @return false when the lease had ended already
     */
    public boolean extend(long until) {
        return lease.extend(until);
    }

    /**
     * Records that another view has replaced this one; the lease continues.
     *
     * @param shown what the other view shows
     */
    public void supersede(Object shown) {
        latest.set(shown);
        superseded = true;
    }

    /** Ends the lease for good, for all views that share it. */
    public void end() {
        lease.end();
    }

    Lease lease() {
        return lease;
    }
}
