// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.view;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ViewHead;

/** Makes the views of the discovery API from held views; no other code does. */
public final class Views {

    private Views() {}

    /** Returns the topology view of a held view and other clusters; it is current at most as long as the lease lasts. */
    public static TopologyView of(HeldView held, RemoteClusters remotes, Lease lease) {
        return new ImmutableTopologyView(OptionalLong.of(held.number()), held, remotes, lease);
    }

    /** Records that a view has replaced another one. */
    public static void supersede(TopologyView old, TopologyView next) {
        ((ImmutableTopologyView) old).supersede((ImmutableTopologyView) next);
    }

    /**
     * Returns the view to be shown before the first view is settled: this instance alone, in its own cluster, and never
     * current, because the others are unknown.
     *
     * @param own the record of the instance
     * @param clusterId the id of the cluster shown
     */
    public static TopologyView unsettled(MemberRecord own, String clusterId) {
        Member member = new Member("unannounced", 0, 0, 0, own);
        ViewHead head = new ViewHead(1, 0, 1, 0, 0, List.of(), own.instanceId());
        EstablishedView view = new EstablishedView(head, List.of(member.incarnation()), Set.of());
        HeldView alone = new HeldView(member.node(), clusterId, view, List.of(member));
        return new ImmutableTopologyView(OptionalLong.empty(), alone, RemoteClusters.NONE, Lease.none());
    }
}
