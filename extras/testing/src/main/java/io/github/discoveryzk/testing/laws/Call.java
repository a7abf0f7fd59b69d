// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.laws;

import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.leader.ViewNumber;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;

/**
 * A call of a listener.
 *
 * @param shown the new view, or the old one where there is no new one
 * @param sameOld whether the old view is the last view object of this listener
 * @param sameStructure whether old and new view have the same clusters, members, orders and leaders, and the same local instance
 * @param equalProperties whether old and new view have equal properties
 */
public record Call(
        TopologyEvent.Type type, Shown shown, boolean sameOld, boolean sameStructure, boolean equalProperties) {

    /**
     * A view as a listener sees it: its local cluster.
     *
     * @param token the token of the leadership; 0 unless the local instance leads
     * @param ids the members in order
     * @param local the id of the local instance
     */
    public record Shown(long number, long token, List<String> ids, String leader, String local, String cluster) {

        /** Returns a view as it is shown. */
        public static Shown of(TopologyView view) {
            ClusterView cluster = view.getLocalInstance().getClusterView();
            return new Shown(
                    ViewNumber.of(view).orElse(0),
                    LeaderLease.of(view).map(LeaderLease::token).orElse(0L),
                    members(cluster),
                    cluster.getLeader().getSlingId(),
                    view.getLocalInstance().getSlingId(),
                    cluster.getId());
        }
    }

    /**
     * Returns the call with an event.
     *
     * @param last the last view that the listener received before, or null
     */
    public static Call of(TopologyEvent event, TopologyView last) {
        TopologyView before = event.getOldView();
        TopologyView after = event.getNewView();
        boolean both = before != null && after != null;
        return new Call(
                event.getType(),
                Shown.of(after == null ? before : after),
                before == last,
                both && structure(before).equals(structure(after)),
                both && properties(before).equals(properties(after)));
    }

    /** Says whether the listener receives a settled view. */
    public boolean settles() {
        return type == TopologyEvent.Type.TOPOLOGY_INIT || type == TopologyEvent.Type.TOPOLOGY_CHANGED;
    }

    private static List<String> members(ClusterView cluster) {
        return cluster.getInstances().stream()
                .map(InstanceDescription::getSlingId)
                .toList();
    }

    private static Map<String, List<String>> structure(TopologyView view) {
        Map<String, List<String>> all = new HashMap<>();
        all.put("local", List.of(view.getLocalInstance().getSlingId()));
        for (ClusterView cluster : view.getClusterViews()) {
            all.put("members of " + cluster.getId(), members(cluster));
            all.put("leader of " + cluster.getId(), List.of(cluster.getLeader().getSlingId()));
        }
        return all;
    }

    private static Map<String, Map<String, String>> properties(TopologyView view) {
        Map<String, Map<String, String>> all = new HashMap<>();
        view.getInstances().forEach(one -> all.put(one.getSlingId(), one.getProperties()));
        return all;
    }
}
