// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;

/** L1: the views of PROPERTIES_CHANGED have the same clusters, instances, orders, leaders and local instance. */
final class StructureLaw {

    void checkCall(SimulatedInstance instance, TopologyEvent event) {
        if (event.getType() != TopologyEvent.Type.PROPERTIES_CHANGED) {
            return;
        }
        Structure before = Structure.of(event.getOldView());
        Structure now = Structure.of(event.getNewView());
        if (!before.equals(now)) {
            throw new LawBroken("L1 Grammar", instance + " receives PROPERTIES_CHANGED from " + before + " to " + now);
        }
    }

    private record Structure(String local, Set<Cluster> clusters) {

        static Structure of(TopologyView view) {
            return new Structure(
                    view.getLocalInstance().getSlingId(),
                    view.getClusterViews().stream().map(Cluster::of).collect(Collectors.toSet()));
        }
    }

    private record Cluster(String id, String leader, List<String> instances) {

        static Cluster of(ClusterView cluster) {
            return new Cluster(
                    cluster.getId(),
                    cluster.getLeader().getSlingId(),
                    cluster.getInstances().stream()
                            .map(InstanceDescription::getSlingId)
                            .toList());
        }
    }
}
