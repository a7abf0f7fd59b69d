// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.view;

import java.util.Map;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.commons.model.MemberRecord;

/**
 * One instance as a member of its cluster. Equal to another with the same id and properties in a cluster with the same id, so
 * that applications can compare the instances of two views; whether it leads or is local does not count.
 */
final class ImmutableInstance implements InstanceDescription {

    private final ClusterView cluster;
    private final MemberRecord record;
    private final boolean leader;
    private final boolean local;

    ImmutableInstance(ClusterView cluster, MemberRecord record, boolean leader, boolean local) {
        this.cluster = cluster;
        this.record = record;
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
        return record.instanceId();
    }

    @Override
    public String getProperty(String name) {
        return name == null ? null : record.properties().get(name);
    }

    @Override
    public Map<String, String> getProperties() {
        return record.properties();
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
        return record.instanceId() + (leader ? " (leader)" : "") + (local ? " (local)" : "");
    }
}
