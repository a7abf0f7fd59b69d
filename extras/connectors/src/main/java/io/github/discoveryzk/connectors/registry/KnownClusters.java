// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import io.github.discoveryzk.connectors.registry.SharedClusters.SharedContent;
import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * What this instance knows of the topology besides what it holds: the local cluster, the other clusters of the same store, and what the
 * other instances share. All methods may be called from any thread, and none waits.
 */
final class KnownClusters {
    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);

    private final String ownId;
    private volatile Local local;
    private volatile List<RemoteCluster> siblingClusters = List.of();
    private volatile List<Announcement> siblings = List.of();
    private volatile List<SharedContent> shared = List.of();

    KnownClusters(String ownId) {
        this.ownId = ownId;
        showLocal(new RemoteCluster("", List.of(new RemoteInstance(ownId, Map.of())), ownId), () -> false);
    }

    /**
     * Sets the local cluster.
     *
     * @param current says whether the view of it is still current
     */
    void showLocal(RemoteCluster cluster, BooleanSupplier current) {
        local = new Local(cluster, Set.copyOf(cluster.instanceIds()), current);
    }

    /** Records that the local cluster has no current view. Its members stay known. */
    void hideLocal() {
        local = new Local(local.cluster, local.members, () -> false);
    }

    /** Sets the other clusters of the same store, which their leaders announce. */
    void showSiblings(List<RemoteCluster> clusters) {
        // They may be large, and are shown again with each other change.
        if (!clusters.equals(siblingClusters)) {
            siblingClusters = clusters;
            siblings = clusters.stream().flatMap(KnownClusters::announcement).toList();
        }
    }

    private static Stream<Announcement> announcement(RemoteCluster cluster) {
        try {
            List<RemoteInstance> instances = cluster.instances().stream()
                    .map(each -> Announcement.announceable(each.instanceId(), each.properties()))
                    .toList();
            return Stream.of(Announcement.of(
                    cluster.leader(), CODEC.fitting(new RemoteCluster(cluster.id(), instances, cluster.leader()))));
        } catch (IllegalArgumentException e) {
            // Its ids cannot be announced: peers would refuse the whole message.
            return Stream.empty();
        }
    }

    /** Sets what all instances share, this one included. */
    void showShared(List<SharedContent> contents) {
        shared = contents.stream().filter(each -> !each.holder().equals(ownId)).toList();
    }

    /** Returns the local cluster while its view is current. */
    Optional<RemoteCluster> local() {
        return Optional.of(local).filter(each -> each.current.getAsBoolean()).map(Local::cluster);
    }

    /** Returns the members of the local cluster in its last view. */
    Set<String> members() {
        return local.members;
    }

    String clusterId() {
        return local.cluster.id();
    }

    /** Returns the announcements of the other clusters of the same store. */
    List<Announcement> siblings() {
        return siblings;
    }

    /** Returns what the other instances share. */
    List<SharedContent> shared() {
        return shared;
    }

    /** Returns what the other instances share that may be announced to peers: what a former member shares is about to go. */
    Stream<SharedContent> announceable() {
        return shared.stream().filter(each -> !each.ownCluster() || members().contains(each.holder()));
    }

    boolean isLocal(Announcement announcement) {
        return members().contains(announcement.ownerId()) || isLocal(announcement.cluster());
    }

    boolean isLocal(RemoteCluster cluster) {
        return !Collections.disjoint(members(), cluster.instanceIds());
    }

    /** Returns an announcement without what it tells of the local cluster, which would come back with each of its changes. */
    Announcement withoutLocal(Announcement announcement) {
        return announcement.withNested(announcement.nested().stream()
                .filter(each -> !isLocal(each))
                .map(this::withoutLocal)
                .toList());
    }

    private record Local(RemoteCluster cluster, Set<String> members, BooleanSupplier current) {}
}
