// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import io.github.discoveryzk.leader.LeaderLease;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A component of declarative services with a mandatory reference to the lease. There is one at a time. */
public class OnlyOnTheLeader {

    private static volatile Optional<OnlyOnTheLeader> active = Optional.empty();
    private static volatile CountDownLatch mayDeactivate = new CountDownLatch(0);

    private LeaderLease lease;

    /** Called by the component runtime. */
    public void bind(LeaderLease held) {
        lease = held;
    }

    /** Called by the component runtime. */
    public void activate() {
        active = Optional.of(this);
    }

    /** Called by the component runtime; the component is active until this has returned. */
    public void deactivate() {
        try {
            mayDeactivate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        active = Optional.empty();
    }

    /** Returns the active component, seen from the same bundle. */
    static Optional<OnlyOnTheLeader> active() {
        return active;
    }

    /** Makes deactivation hang until the latch opens. */
    static CountDownLatch hang() {
        mayDeactivate = new CountDownLatch(1);
        return mayDeactivate;
    }

    LeaderLease lease() {
        return lease;
    }
}
