// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.AnnouncedInstance;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.commons.model.RemoteCluster;

/**
 * What this instance knows of the topology besides what it holds: the local cluster, the other clusters of the same store, and what the
 * other instances share. All methods may be called from any thread, and none waits.
 */
final class KnownClusters {
    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);

    private final String ownId;
    private volatile Optional<Local> local = Optional.empty();
    private volatile Set<String> members;
    private volatile String clusterId = "";
    private volatile Siblings siblings = new Siblings(List.of());
    private volatile List<SharedContent> shared = List.of();

    KnownClusters(String ownId) {
        this.ownId = ownId;
        this.members = Set.of(ownId);
    }

    /**
     * Sets the local cluster.
     *
     * @param current says whether the view of it is still current
     */
    void showLocal(AnnouncedCluster cluster, BooleanSupplier current) {
        local = Optional.of(new Local(cluster, current));
        clusterId = cluster.id();
        members = cluster.instances().stream().map(AnnouncedInstance::id).collect(Collectors.toUnmodifiableSet());
    }

    /** Records that the local cluster has no current view. Its members stay known. */
    void hideLocal() {
        local = Optional.empty();
    }

    void showSiblings(List<RemoteCluster> clusters) {
        siblings = new Siblings(clusters);
    }

    /** Sets what all instances share, this one included. */
    void showShared(List<SharedContent> contents) {
        shared = contents.stream()
                .filter(each -> !each.holder().equals(ownId))
                .map(each -> new SharedContent(
                        each.holder(), each.ownCluster(), each.announcement().withBackoff(0)))
                .toList();
    }

    /** Returns the local cluster while its view is current. */
    Optional<AnnouncedCluster> local() {
        return local.filter(each -> each.current().getAsBoolean()).map(Local::cluster);
    }

    /** Returns the members of the local cluster: another set after each change, also when its content is the same again. */
    Set<String> members() {
        return members;
    }

    String clusterId() {
        return clusterId;
    }

    /** Returns the announcements of the other clusters of the same store. */
    List<Announcement> siblings() {
        return siblings.announcements();
    }

    /** Returns what the other instances share. */
    List<SharedContent> shared() {
        return shared;
    }

    /** Returns what the other instances share that may be told to peers: what a former member shares is about to go. */
    Stream<SharedContent> tellable() {
        return shared.stream().filter(each -> !each.ownCluster() || members.contains(each.holder()));
    }

    boolean isLocal(Announcement announcement) {
        return members.contains(announcement.ownerId())
                || announcement.cluster().filter(each -> each.listsAny(members)).isPresent();
    }

    /** Returns an announcement without what it tells of the local cluster, which would come back with each of its changes. */
    Announcement withoutLocal(Announcement announcement) {
        return announcement.withNested(announcement.nested().stream()
                .filter(each -> !isLocal(each))
                .map(this::withoutLocal)
                .toList());
    }

    private record Local(AnnouncedCluster cluster, BooleanSupplier current) {}

    /** Clusters of the same store, which become announcements when the first message needs them. */
    private static final class Siblings {
        private final List<RemoteCluster> clusters;
        private volatile List<Announcement> announcements;

        private Siblings(List<RemoteCluster> clusters) {
            this.clusters = clusters;
        }

        /** Two threads may both make them: they are equal. */
        List<Announcement> announcements() {
            List<Announcement> made = announcements;
            if (made == null) {
                made = clusters.stream().flatMap(Siblings::announcement).toList();
                announcements = made;
            }
            return made;
        }

        private static Stream<Announcement> announcement(RemoteCluster cluster) {
            try {
                List<AnnouncedInstance> instances = cluster.instances().stream()
                        .map(each -> AnnouncedInstance.of(
                                each.instanceId(), each.instanceId().equals(cluster.leader()), each.properties()))
                        .toList();
                AnnouncedCluster announced = new AnnouncedCluster(cluster.id(), instances);
                return Stream.of(Announcement.of(cluster.leader(), 0, CODEC.fitting(announced)));
            } catch (IllegalArgumentException e) {
                // Its ids cannot be announced: peers would refuse the whole message.
                return Stream.empty();
            }
        }
    }
}
