// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.view;

import java.util.function.LongSupplier;

/**
 * Answers whether a view is current: until its lease ends, or another view with the same lease has taken its place because
 * only properties differ. Once it has answered "no" it never answers "yes" again. Thread-safe and lock-free.
 */
public final class Validity {

    private final Lease lease;
    private volatile boolean superseded;

    private Validity(Lease lease) {
        this.lease = lease;
    }

    /**
     * Starts a lease.
     *
     * @param clock monotonic milliseconds
     * @param end when the lease ends unless it is extended
     */
    public Validity(LongSupplier clock, long end) {
        this(new Lease(clock, end));
    }

    /** Returns a validity that is over. */
    public static Validity none() {
        return new Validity(Lease.none());
    }

    /** Returns the validity of a view that takes the place of this one; the lease goes on, or is over, for both. */
    public Validity successor() {
        return new Validity(lease);
    }

    /** Says whether the view is current; if it is not, that is final. */
    public boolean isCurrent() {
        return !superseded && lease.isHeld();
    }

    /**
     * Extends the lease; an earlier end than the present one changes nothing.
     *
     * @return false when the lease had ended already
     */
    public boolean extend(long until) {
        return lease.extend(until);
    }

    /** Another view has taken the place of this one; the lease goes on. */
    public void supersede() {
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
