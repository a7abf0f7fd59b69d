// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.OptionalLong;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.extension.ViewNumber;

/** Remembers what it heard last and has the laws look at each event. May throw after it has heard one. */
final class SimulatedListener implements TopologyEventListener {

    private final SimulatedInstance instance;
    private final Laws laws;
    private final boolean throwing;
    private TopologyEvent last;
    private TopologyView view;
    private long heardAt;
    private boolean removed;

    SimulatedListener(SimulatedInstance instance, Laws laws, boolean throwing) {
        this.instance = instance;
        this.laws = laws;
        this.throwing = throwing;
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        laws.heard(instance, this, event);
        last = event;
        heardAt = laws.now();
        if (event.getNewView() != null) {
            view = event.getNewView();
        }
        if (throwing) {
            throw new AssertionError("a listener that throws an Error");
        }
    }

    TopologyEvent last() {
        return last;
    }

    long heardAt() {
        return heardAt;
    }

    /** The new view of the last event that had one. */
    TopologyView view() {
        return view;
    }

    boolean isRemoved() {
        return removed;
    }

    void remove() {
        removed = true;
    }

    /** The number of the view it acts on; empty before INIT and after CHANGING. */
    OptionalLong actsOn() {
        boolean acts = last != null && !removed && last.getType() != TopologyEvent.Type.TOPOLOGY_CHANGING;
        return acts ? ViewNumber.of(view) : OptionalLong.empty();
    }
}
