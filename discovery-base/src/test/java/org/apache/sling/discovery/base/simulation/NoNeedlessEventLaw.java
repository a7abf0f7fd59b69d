// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import org.apache.sling.discovery.TopologyEvent;

/** L9: no CHANGING without a change or a disturbance, and no PROPERTIES_CHANGED with equal properties. */
final class NoNeedlessEventLaw {

    private static final String LAW = "L9 No needless event";

    private final Simulation simulation;
    private final Publications published;

    NoNeedlessEventLaw(Simulation simulation, Publications published) {
        this.simulation = simulation;
        this.published = published;
    }

    void checkCall(SimulatedInstance instance, SimulatedListener listener, TopologyEvent event) {
        switch (event.getType()) {
            case TOPOLOGY_CHANGING -> changing(instance, listener);
            case PROPERTIES_CHANGED -> properties(instance, event);
            default -> {
                // INIT and CHANGED follow from earlier events.
            }
        }
    }

    private void changing(SimulatedInstance instance, SimulatedListener listener) {
        long number = Publications.number(listener.view());
        // A change while the view was in transit to the store or to the listener is a reason too.
        long since = published.at(number) - simulation.swarm().onTheWayMillis();
        boolean reason = published.newestNumber() != number
                || simulation.ensemble().membershipChangedAt() >= since
                || instance.disturbedUntil() >= since
                || instance.blindUntil() >= since
                || simulation.others().changedAt() >= instance.unawareSince(since)
                || instance.isLeaving();
        if (!reason) {
            throw new LawBroken(LAW, instance + " receives CHANGING although nothing changed");
        }
    }

    private void properties(SimulatedInstance instance, TopologyEvent event) {
        boolean same = event.getOldView().getInstances().stream()
                .allMatch(old -> event.getNewView().getInstances().stream()
                        .anyMatch(now -> now.getSlingId().equals(old.getSlingId())
                                && now.getProperties().equals(old.getProperties())));
        if (same) {
            throw new LawBroken(LAW, instance + " receives PROPERTIES_CHANGED with equal properties");
        }
    }
}
