// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.testing.laws.Listening;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;

/**
 * Remembers its last event and lets the laws check each event. A call may run for a while, during which the simulation
 * continues. May add and remove listeners before it returns, and may throw.
 */
final class SimulatedListener implements TopologyEventListener {

    /** The shortest wait for a listener that is removed during a call, by the fastest clock. */
    private static final long UNBIND_WAIT_MILLIS = 1_880;

    private final SimulatedInstance instance;
    private final Checks checks;
    private final boolean throwing;
    private Listening state;
    private TopologyView view;
    private long removedAt;
    private long returnsAt;

    SimulatedListener(SimulatedInstance instance, Checks checks, boolean throwing) {
        this.instance = instance;
        this.checks = checks;
        this.throwing = throwing;
        this.state = Listening.to(instance.runtimeId, "" + instance.all.size());
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        state = checks.checkCall(instance, this, event);
        if (event.getNewView() != null) {
            view = event.getNewView();
        }
        returnsAt = checks.now() + instance.callMillis();
        instance.churn(this);
        instance.letTimePass(() -> returnsAt);
        state = state.returned();
        if (throwing) {
            throw new AssertionError("a listener that throws an Error");
        }
    }

    /** Makes the running call return now. */
    void release() {
        returnsAt = checks.now();
    }

    /** What it has received. */
    Listening state() {
        return state.removed() && checks.now() >= removedAt + UNBIND_WAIT_MILLIS ? state.afterWait() : state;
    }

    /** The new view of the last event that had one. */
    TopologyView view() {
        return view;
    }

    boolean isRemoved() {
        return state.removed();
    }

    void remove() {
        state = state.afterRemoval();
        removedAt = checks.now();
    }

    /** Resets the memory, because the same object is added again. */
    void addAgain() {
        state = state.again();
        view = null;
    }
}
