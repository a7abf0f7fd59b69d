// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.ViewDifference;

/** L4: an instance shows a view with the members, order, leader and cluster as published; views form a chain. */
final class AgreementLaw {

    private static final String LAW = "L4 Agreement";

    private final Publications published;

    AgreementLaw(Publications published) {
        this.published = published;
    }

    void checkPublication(EstablishedView view, Optional<EstablishedView> before) {
        long previous = before.map(EstablishedView::number).orElse(0L);
        if (view.previous() != previous || view.number() <= published.highestNumber()) {
            throw new LawBroken(LAW, view + " does not follow view " + previous);
        }
    }

    /** An instance that derives the view from the one before it holds the same view as one that reads it. */
    void checkDifference(EstablishedView view, Optional<EstablishedView> before, List<HistoryEntry> history) {
        ViewDifference difference = history.get(history.size() - 1).difference();
        boolean same = before.isPresent()
                ? difference.applyTo(before.get()).equals(Optional.of(view))
                : difference.applyTo(List.of()).equals(Optional.of(view.members()));
        boolean undone = difference
                .undo(view.members())
                .equals(Optional.of(before.map(EstablishedView::members).orElse(List.of())));
        if (!same || !undone) {
            throw new LawBroken(LAW, difference + " does not lead from " + before + " to " + view + " and back");
        }
    }

    void checkView(SimulatedInstance instance, TopologyView view) {
        EstablishedView expected = published.view(Publications.number(view)).orElseThrow();
        ClusterView cluster = view.getLocalInstance().getClusterView();
        List<InstanceDescription> told = cluster.getInstances();
        List<String> ids = told.stream().map(InstanceDescription::getSlingId).toList();
        List<String> members =
                expected.members().stream().map(Incarnation::instanceId).toList();
        if (!ids.equals(members) || !cluster.getLeader().equals(told.get(0))) {
            throw new LawBroken(LAW, instance + " shows " + view + " for " + expected);
        }
        if (!cluster.getId().equals(published.clusterId(expected.number()))) {
            throw new LawBroken(LAW, instance + " shows " + expected + " as one of cluster " + cluster.getId());
        }
        if (!view.getLocalInstance().getSlingId().equals(instance.id())) {
            throw new LawBroken(LAW, instance + " is local as " + view.getLocalInstance());
        }
    }
}
