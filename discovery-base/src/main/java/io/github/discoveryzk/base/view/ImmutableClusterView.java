// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.view;

import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.model.RemoteCluster;
import java.util.List;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;

/**
 * The instances of one cluster in order. Equal to another with the same id and equal instances in the same
 * order.
 */
final class ImmutableClusterView implements ClusterView {

    private final String id;
    private final List<InstanceDescription> instances;
    private final InstanceDescription leader;

    /** Makes the local cluster, whose first member leads. */
    ImmutableClusterView(HeldView held) {
        this.id = held.clusterId();
        String first = held.view().leader().node();
        this.instances = held.members().stream()
                .<InstanceDescription>map(member -> new ImmutableInstance(
                        this,
                        member.instanceId(),
                        member.record().properties(),
                        member.node().equals(first),
                        member.node().equals(held.self())))
                .toList();
        this.leader = instances.get(0);
    }

    /** Makes another cluster. Its order is that of its own members, and so is its leader, which need not be the first. */
    ImmutableClusterView(RemoteCluster remote) {
        this.id = remote.id();
        this.instances = remote.instances().stream()
                .<InstanceDescription>map(instance -> new ImmutableInstance(
                        this,
                        instance.instanceId(),
                        instance.properties(),
                        instance.instanceId().equals(remote.leader()),
                        false))
                .toList();
        this.leader = instances.stream()
                .filter(InstanceDescription::isLeader)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public List<InstanceDescription> getInstances() {
        return instances;
    }

    @Override
    public InstanceDescription getLeader() {
        return leader;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ImmutableClusterView view && id.equals(view.id) && instances.equals(view.instances);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }
}
