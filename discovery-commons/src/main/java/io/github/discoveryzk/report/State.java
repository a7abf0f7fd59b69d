// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

/** The status of an instance. */
public enum State {
    /** There is no usable connection to the store, and no view is held. */
    CONNECTING,
    /** The instance is announcing itself or waits to be admitted to a view. */
    JOINING,
    /** Another live instance has the same id; this one waits until that one is gone. */
    REFUSED,
    /** The instance lost its seniority too often and rests before it announces itself again. */
    QUARANTINED,
    /** The view is current. */
    SETTLED,
    /** A change is being settled. */
    CHANGING,
    /** A view followed without this instance, whose listeners had not returned in time; it announces itself when they return. */
    EXCLUDED,
    /** The connection is lost; the view is current until the lease ends. */
    SUSPENDED,
    /** The connection is lost and the lease is over. */
    CUT_OFF,
    /** The discovery service has been stopped. */
    STOPPED;

    /** Returns whether the last view is current in that state, as far as the lease lasts. */
    public boolean isHolding() {
        return this == SETTLED || this == SUSPENDED;
    }
}
