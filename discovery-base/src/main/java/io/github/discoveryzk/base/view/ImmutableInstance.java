// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.view;

import java.util.Map;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;

/**
 * One instance as a member of its cluster. Equal to another with the same id and properties in a cluster with the same id, so
 * that applications can compare the instances of two views; whether it leads or is local does not count.
 */
final class ImmutableInstance implements InstanceDescription {

    private final ClusterView cluster;
    private final String id;
    private final Map<String, String> properties;
    private final boolean leader;
    private final boolean local;

    /**
     * Creates an instance.
     *
     * @param properties an immutable map
     */
    ImmutableInstance(ClusterView cluster, String id, Map<String, String> properties, boolean leader, boolean local) {
        this.cluster = cluster;
        this.id = id;
        this.properties = properties;
        this.leader = leader;
        this.local = local;
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
        return id;
    }

    @Override
    public String getProperty(String name) {
        return name == null ? null : properties.get(name);
    }

    @Override
    public Map<String, String> getProperties() {
        return properties;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ImmutableInstance instance
                && getSlingId().equals(instance.getSlingId())
                && cluster.getId().equals(instance.cluster.getId())
                && getProperties().equals(instance.getProperties());
    }

    /** Of the id alone: properties may be large. */
    @Override
    public int hashCode() {
        return getSlingId().hashCode();
    }

    @Override
    public String toString() {
        return id + (leader ? " (leader)" : "") + (local ? " (local)" : "");
    }
}
