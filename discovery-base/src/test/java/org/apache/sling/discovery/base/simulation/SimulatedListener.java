// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.OptionalLong;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.leader.ViewNumber;

/**
 * Remembers its last event and lets the laws check each event. A call may run for a while, during which the simulation
 * continues. May add and remove listeners before it returns, and may throw.
 */
final class SimulatedListener implements TopologyEventListener {

    /** The shortest wait for a listener that is removed during a call, by the fastest clock. */
    private static final long UNBIND_WAIT_MILLIS = 1_880;

    private final SimulatedInstance instance;
    private final Laws laws;
    private final boolean throwing;
    private TopologyEvent last;
    private TopologyView view;
    private boolean removed;
    private long removedAt;
    private boolean running;
    private OptionalLong runsOn = OptionalLong.empty();
    private long returnsAt;

    SimulatedListener(SimulatedInstance instance, Laws laws, boolean throwing) {
        this.instance = instance;
        this.laws = laws;
        this.throwing = throwing;
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        laws.checkCall(instance, this, event);
        running = true;
        last = event;
        if (event.getNewView() != null) {
            view = event.getNewView();
        }
        runsOn = ViewNumber.of(view);
        returnsAt = laws.now() + instance.callMillis();
        instance.churn(this);
        instance.letTimePass(() -> returnsAt);
        running = false;
        if (throwing) {
            throw new AssertionError("a listener that throws an Error");
        }
    }

    /** Makes the running call return now. */
    void release() {
        returnsAt = laws.now();
    }

    TopologyEvent last() {
        return last;
    }

    /** The new view of the last event that had one. */
    TopologyView view() {
        return view;
    }

    boolean isRunning() {
        return running;
    }

    boolean isRemoved() {
        return removed;
    }

    void remove() {
        removed = true;
        removedAt = laws.now();
    }

    /** Resets the memory, because the same object is added again. */
    void addAgain() {
        removed = false;
        last = null;
        view = null;
    }

    /**
     * Returns the number of the view on which it acts: the last one it received until it has returned from CHANGING; empty
     * before INIT and after CHANGING, and soon after the removal.
     */
    OptionalLong actsOn() {
        if (running && (!removed || laws.now() < removedAt + UNBIND_WAIT_MILLIS)) {
            return runsOn;
        }
        boolean acts = last != null && !removed && last.getType() != TopologyEvent.Type.TOPOLOGY_CHANGING;
        return acts ? ViewNumber.of(view) : OptionalLong.empty();
    }
}
