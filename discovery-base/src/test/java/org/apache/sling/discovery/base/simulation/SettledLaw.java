// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;

/**
 * L5: no listener receives a view before the listeners of all its members that were in the previous one have returned from
 * CHANGING.
 */
final class SettledLaw {

    private final Simulation simulation;
    private final Publications published;

    SettledLaw(Simulation simulation, Publications published) {
        this.simulation = simulation;
        this.published = published;
    }

    void checkView(SimulatedInstance hearing, TopologyView shown) {
        long number = Publications.number(shown);
        EstablishedView view = published.view(number).orElseThrow();
        Optional<EstablishedView> before = published.view(view.previous());
        for (Incarnation member : before.map(EstablishedView::members).orElse(List.of())) {
            if (view.contains(member.node())) {
                instanceOf(member.node()).ifPresent(other -> hasLeft(other, number, hearing));
            }
        }
    }

    private static void hasLeft(SimulatedInstance other, long number, SimulatedInstance hearing) {
        other.allListeners().forEach(listener -> {
            long acting = listener.actsOn().orElse(Long.MAX_VALUE);
            if (acting < number) {
                throw new LawBroken(
                        "L5 Settled",
                        hearing + " receives view " + number + " while a listener of " + other + " acts on view "
                                + acting);
            }
        });
    }

    private Optional<SimulatedInstance> instanceOf(String node) {
        return simulation.ensemble().members().stream()
                .filter(member -> member.node().equals(node))
                .findFirst()
                .flatMap(member -> simulation.running().stream()
                        .filter(instance -> member.isOf(instance.runtimeId()))
                        .findFirst());
    }
}
