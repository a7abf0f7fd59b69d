// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.clusterinfo;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.InstanceFilter;
import org.apache.sling.discovery.TopologyView;

/** A topology with a local cluster and another one. */
final class Views {

    private Views() {}

    /** Returns a view with these members, the first of which is this instance, and a cluster of one more instance. */
    static TopologyView of(Member... members) {
        Cluster local = new Cluster("cluster-1", List.of(members));
        local.in(local);
        Cluster other = new Cluster("cluster-2", List.of(new Member("elsewhere", false, Map.of())));
        other.in(other);
        return new View(Set.of(local, other), members[0]);
    }

    static Member local(String id, Map<String, String> properties) {
        return new Member(id, true, properties);
    }

    static Member remote(String id, Map<String, String> properties) {
        return new Member(id, false, properties);
    }

    static final class Member implements InstanceDescription {
        private final String id;
        private final boolean local;
        private final Map<String, String> properties;
        private ClusterView cluster;

        private Member(String id, boolean local, Map<String, String> properties) {
            this.id = id;
            this.local = local;
            this.properties = properties;
        }

        @Override
        public ClusterView getClusterView() {
            return cluster;
        }

        @Override
        public boolean isLeader() {
            return local;
        }

        @Override
        public boolean isLocal() {
            return local;
        }

        @Override
        public String getSlingId() {
            return id;
        }

        @Override
        public String getProperty(String name) {
            return properties.get(name);
        }

        @Override
        public Map<String, String> getProperties() {
            return properties;
        }
    }

    private record Cluster(String id, List<Member> members) implements ClusterView {

        private void in(ClusterView view) {
            members.forEach(each -> each.cluster = view);
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

    private record View(Set<Cluster> clusters, Member self) implements TopologyView {

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public InstanceDescription getLocalInstance() {
            return self;
        }

        @Override
        public Set<InstanceDescription> getInstances() {
            return instances().collect(Collectors.toSet());
        }

        private Stream<InstanceDescription> instances() {
            return clusters.stream().map(Cluster::getInstances).flatMap(List::stream);
        }

        @Override
        public Set<InstanceDescription> findInstances(InstanceFilter filter) {
            return instances().filter(filter::accept).collect(Collectors.toSet());
        }

        @Override
        public Set<ClusterView> getClusterViews() {
            return Set.copyOf(clusters);
        }

        @Override
        public String toString() {
            return "view of " + self.id;
        }
    }
}
