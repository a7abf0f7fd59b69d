// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;

/**
 * L6: a view that is not current never becomes current again, and at no moment are two instances current leaders. A stricter
 * form that fails earlier: when a view with another leader is published, the earlier leader is not current any more.
 */
final class OneCurrentLeaderLaw {

    private static final String LAW = "L6 One current leader";

    private final Map<SimulatedInstance, TopologyView> over = new HashMap<>();

    void checkPublication(EstablishedView view, List<SimulatedInstance> running) {
        Incarnation next = view.leader();
        current(running)
                .filter(leader -> !leader.id().equals(next.instanceId()))
                .ifPresent(leader -> {
                    throw new LawBroken(LAW, leader + " is current while " + view + " is published");
                });
    }

    void check(List<SimulatedInstance> running) {
        current(running);
        running.forEach(this::staysOver);
    }

    private void staysOver(SimulatedInstance instance) {
        TopologyView view = instance.instance().getTopology();
        if (!view.isCurrent()) {
            over.put(instance, view);
        } else if (over.get(instance) == view) {
            throw new LawBroken(LAW, instance + " holds " + view + ", which is current again");
        }
    }

    private static Optional<SimulatedInstance> current(List<SimulatedInstance> running) {
        SimulatedInstance leader = null;
        for (SimulatedInstance instance : running) {
            TopologyView view = instance.instance().getTopology();
            if (view.getLocalInstance().isLeader() && view.isCurrent()) {
                if (leader != null) {
                    throw new LawBroken(LAW, leader + " and " + instance);
                }
                leader = instance;
            }
        }
        return Optional.ofNullable(leader);
    }
}
