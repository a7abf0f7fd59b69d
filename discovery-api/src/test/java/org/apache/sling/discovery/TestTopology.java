// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Topologies made by hand. The first member of a cluster leads it. */
public final class TestTopology {

    private TestTopology() {}

    public static Cluster cluster(String id) {
        return new Cluster(id, new ArrayList<>());
    }

    public static TopologyView view(Cluster... clusters) {
        return new View(List.of(clusters));
    }

    private static final class View implements TopologyView {

        private final List<Cluster> clusters;

        private View(List<Cluster> clusters) {
            this.clusters = clusters;
        }

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public InstanceDescription getLocalInstance() {
            return clusters.get(0).getLeader();
        }

        @Override
        public Set<InstanceDescription> getInstances() {
            return clusters.stream()
                    .flatMap(cluster -> cluster.members.stream())
                    .collect(Collectors.toSet());
        }

        @Override
        public Set<InstanceDescription> findInstances(InstanceFilter filter) {
            return getInstances().stream().filter(filter::accept).collect(Collectors.toSet());
        }

        @Override
        public Set<ClusterView> getClusterViews() {
            return Set.copyOf(clusters);
        }
    }

    public static final class Cluster implements ClusterView {

        private final String id;
        private final List<InstanceDescription> members;

        private Cluster(String id, List<InstanceDescription> members) {
            this.id = id;
            this.members = members;
        }

        public Cluster with(String slingId, boolean local, String... property) {
            return with(slingId, local, property.length == 0 ? Map.of() : Map.of("p", property[0]));
        }

        public Cluster with(String slingId, boolean local, Map<String, String> properties) {
            members.add(new Instance(this, slingId, local, members.isEmpty(), properties));
            return this;
        }

        @Override
        public String getId() {
            return id;
        }

        @Override
        public List<InstanceDescription> getInstances() {
            return List.copyOf(members);
        }

        @Override
        public InstanceDescription getLeader() {
            return members.get(0);
        }
    }

    private static final class Instance implements InstanceDescription {

        private final Cluster cluster;
        private final String slingId;
        private final boolean local;
        private final boolean leader;
        private final Map<String, String> properties;

        private Instance(
                Cluster cluster, String slingId, boolean local, boolean leader, Map<String, String> properties) {
            this.cluster = cluster;
            this.slingId = slingId;
            this.local = local;
            this.leader = leader;
            this.properties = properties;
        }

        @Override
        public ClusterView getClusterView() {
            return cluster;
        }

        @Override
        public boolean isLeader() {
            return leader;
        }

        @Override
        public boolean isLocal() {
            return local;
        }

        @Override
        public String getSlingId() {
            return slingId;
        }

        @Override
        public String getProperty(String name) {
            return properties.get(name);
        }

        @Override
        public Map<String, String> getProperties() {
            return properties;
        }

        @Override
        public String toString() {
            return slingId + properties.values();
        }
    }
}
