// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import org.apache.sling.discovery.TopologyEvent;

/** L1: INIT, then PROPERTIES_CHANGED or CHANGING and CHANGED; one call at a time, and none after the removal. */
final class GrammarLaw {

    private static final String LAW = "L1 Grammar";

    void checkCall(SimulatedInstance instance, SimulatedListener listener, TopologyEvent event) {
        if (listener.isRunning()) {
            throw new LawBroken(
                    LAW, instance + " receives " + event.getType() + " before it has returned from " + listener.last());
        }
        if (listener.isRemoved()) {
            throw new LawBroken(LAW, instance + " calls a listener that was removed");
        }
        if (!isLegal(listener.last(), event.getType())) {
            throw new LawBroken(LAW, instance + " receives " + event.getType() + " after " + listener.last());
        }
        if (event.getOldView() != listener.view()) {
            throw new LawBroken(LAW, instance + " receives an old view that was not its last one");
        }
    }

    private static boolean isLegal(TopologyEvent last, TopologyEvent.Type next) {
        boolean changing = last != null && last.getType() == TopologyEvent.Type.TOPOLOGY_CHANGING;
        return switch (next) {
            case TOPOLOGY_INIT -> last == null;
            case TOPOLOGY_CHANGED -> changing;
            case TOPOLOGY_CHANGING, PROPERTIES_CHANGED -> last != null && !changing;
        };
    }
}
