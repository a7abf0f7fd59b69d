// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.InstanceFilter;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.leader.ViewNumber;

/** A topology of one cluster with its members in order. The first one leads and is the local one. */
final class FakeTopology implements TopologyView, ViewNumber.Numbered {

    private final OptionalLong number;
    private final FakeCluster cluster;

    private FakeTopology(OptionalLong number, FakeCluster cluster) {
        this.number = number;
        this.cluster = cluster;
    }

    static FakeTopology of(long number, String... ids) {
        return new FakeTopology(OptionalLong.of(number), new FakeCluster(List.of(ids), Map.of()));
    }

    static FakeTopology unnumbered(String... ids) {
        return new FakeTopology(OptionalLong.empty(), new FakeCluster(List.of(ids), Map.of()));
    }

    /** Returns the same members, of which one has properties. */
    FakeTopology with(String id, Map<String, String> properties) {
        return new FakeTopology(number, new FakeCluster(cluster.ids, Map.of(id, properties)));
    }

    @Override
    public OptionalLong number() {
        return number;
    }

    @Override
    public boolean isCurrent() {
        return true;
    }

    @Override
    public InstanceDescription getLocalInstance() {
        return cluster.getLeader();
    }

    @Override
    public Set<InstanceDescription> getInstances() {
        return new LinkedHashSet<>(cluster.getInstances());
    }

    @Override
    public Set<InstanceDescription> findInstances(InstanceFilter filter) {
        return getInstances().stream().filter(filter::accept).collect(Collectors.toSet());
    }

    @Override
    public Set<ClusterView> getClusterViews() {
        return Set.of(cluster);
    }

    private static final class FakeCluster implements ClusterView {

        private final List<String> ids;
        private final List<InstanceDescription> members;

        FakeCluster(List<String> ids, Map<String, Map<String, String>> properties) {
            this.ids = ids;
            this.members = ids.stream()
                    .<InstanceDescription>map(id -> new FakeInstance(this, id, properties.getOrDefault(id, Map.of())))
                    .toList();
        }

        @Override
        public String getId() {
            return "cluster";
        }

        @Override
        public List<InstanceDescription> getInstances() {
            return members;
        }

        @Override
        public InstanceDescription getLeader() {
            return members.get(0);
        }
    }

    private record FakeInstance(FakeCluster getClusterView, String getSlingId, Map<String, String> getProperties)
            implements InstanceDescription {

        @Override
        public boolean isLeader() {
            return getClusterView.getLeader() == this;
        }

        @Override
        public boolean isLocal() {
            return isLeader();
        }

        @Override
        public String getProperty(String name) {
            return getProperties.get(name);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return getSlingId.hashCode();
        }
    }
}
