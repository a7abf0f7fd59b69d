// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.view;

import java.time.Duration;
import org.apache.sling.discovery.commons.leader.LeaderLease;

/** A leadership for as long as the lease lasts. Views that share a lease have equal leaderships, others never do. */
record Leadership(long token, Lease lease) implements LeaderLease {

    @Override
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Override
    public Duration remaining() {
        return Duration.ofMillis(lease.remainingMillis());
    }

    @Override
    public String toString() {
        return "leadership with token " + token + (isHeld() ? ", held" : ", over");
    }
}
