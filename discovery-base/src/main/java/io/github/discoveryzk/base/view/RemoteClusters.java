// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.view;

import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The clusters of a topology besides the local one. No instance id occurs twice, neither here nor in the local cluster, whatever the
 * ways by which a cluster was found.
 *
 * @param clusters ordered by id
 */
public record RemoteClusters(List<RemoteCluster> clusters) {

    /** No other cluster is known. */
    public static final RemoteClusters NONE = new RemoteClusters(List.of());

    public RemoteClusters {
        clusters = List.copyOf(clusters);
    }

    /**
     * Returns the clusters without what is known better: the local cluster, its instances, and those of clusters that come earlier.
     *
     * @param found the clusters that were found, in the order of precedence
     */
    public static RemoteClusters of(HeldView own, Collection<RemoteCluster> found) {
        if (found.isEmpty()) {
            return NONE;
        }
        Set<String> clusters = new HashSet<>(Set.of(own.clusterId()));
        Set<String> instances = new HashSet<>();
        own.members().forEach(member -> instances.add(member.instanceId()));
        List<RemoteCluster> all = new ArrayList<>();
        for (RemoteCluster cluster : found) {
            List<RemoteInstance> others = cluster.instances().stream()
                    .filter(instance -> !instances.contains(instance.instanceId()))
                    .toList();
            if (!others.isEmpty() && clusters.add(cluster.id())) {
                others.forEach(instance -> instances.add(instance.instanceId()));
                boolean hasLeader = others.stream()
                        .anyMatch(instance -> instance.instanceId().equals(cluster.leader()));
                all.add(new RemoteCluster(
                        cluster.id(),
                        others,
                        hasLeader ? cluster.leader() : others.get(0).instanceId(),
                        cluster.way()));
            }
        }
        all.sort(Comparator.comparing(RemoteCluster::id));
        return new RemoteClusters(all);
    }

    /** Returns the clusters without the ways of their announcements. */
    RemoteClusters withoutWays() {
        return new RemoteClusters(clusters.stream()
                .map(each -> new RemoteCluster(each.id(), each.instances(), each.leader()))
                .toList());
    }

    /** Returns how these clusters differ from earlier ones; the ways of the announcements do not count. */
    public List<Reason> differences(RemoteClusters before) {
        Map<String, RemoteCluster> was = byId(before);
        Map<String, RemoteCluster> is = byId(this);
        List<Reason> reasons = new ArrayList<>();
        is.forEach((id, cluster) -> {
            RemoteCluster known = was.get(id);
            if (known == null) {
                reasons.add(Reason.of(
                        ReasonCode.CLUSTER_APPEARED, id, cluster.instances().size()));
            } else if (!isSame(known, cluster)) {
                reasons.add(Reason.of(ReasonCode.CLUSTER_CHANGED, id, cluster.leader(), cluster.instanceIds()));
            } else if (!known.sameContent(cluster)) {
                reasons.add(Reason.of(ReasonCode.CLUSTER_PROPERTIES, id));
            }
        });
        was.keySet().stream()
                .filter(id -> !is.containsKey(id))
                .forEach(id -> reasons.add(Reason.of(ReasonCode.CLUSTER_GONE, id)));
        return reasons;
    }

    private static Map<String, RemoteCluster> byId(RemoteClusters all) {
        Map<String, RemoteCluster> byId = new LinkedHashMap<>();
        all.clusters.forEach(cluster -> byId.put(cluster.id(), cluster));
        return byId;
    }

    private static boolean isSame(RemoteCluster one, RemoteCluster other) {
        return one.id().equals(other.id())
                && one.leader().equals(other.leader())
                && one.instanceIds().equals(other.instanceIds());
    }
}
