// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.view;

import java.util.List;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.base.protocol.HeldView;

/**
 * The members of one cluster in order; the first one leads. Equal to another with the same id and equal instances in the same
 * order.
 */
final class ImmutableClusterView implements ClusterView {

    private final String id;
    private final List<InstanceDescription> instances;

    ImmutableClusterView(HeldView held) {
        this.id = held.clusterId();
        String leader = held.view().leader().node();
        this.instances = held.members().stream()
                .<InstanceDescription>map(member -> new ImmutableInstance(
                        this,
                        member.record(),
                        member.node().equals(leader),
                        member.node().equals(held.self())))
                .toList();
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
        return instances.get(0);
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
