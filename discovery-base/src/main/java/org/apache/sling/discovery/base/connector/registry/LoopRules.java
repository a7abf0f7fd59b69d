// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.Announcement;

/**
 * The rules by which a connector is a loop: Sling's, and tie-breaks where they would end all connectors.
 *
 * <p>Where two clusters have connectors to each other, or one has several connectors to the other, each side would find itself in the
 * message of the other. Therefore one of them leaves out of its pings what the other one brought: between clusters the one with the
 * lesser id pings, and of several clients the one with the least instance id. In a ring of clusters the connector of the cluster with the
 * greatest id ends. These methods change nothing.
 */
final class LoopRules {
    private final String ownId;
    private final KnownClusters known;

    LoopRules(String ownId, KnownClusters known) {
        this.ownId = ownId;
        this.known = known;
    }

    /**
     * Returns why the announcement of a ping is a loop by itself, whatever is held.
     *
     * @param registered whether its owner is registered
     */
    Optional<String> refusal(Announcement ping, boolean registered) {
        String owner = ping.ownerId();
        if (known.members().contains(owner)) {
            return Optional.of(owner + " is in the own cluster");
        }
        if (closesLoop(ping, registered)) {
            return Optional.of(owner + " knows the own cluster in another way");
        }
        return ping.registrationProblem();
    }

    /** Says whether the sender of a ping knows the local cluster on a way that ends the connector. */
    private boolean closesLoop(Announcement ping, boolean registered) {
        AnnouncedCluster client = ping.cluster().orElseThrow();
        return isLocal(client)
                || ping.nested().stream()
                        .anyMatch(each -> known.isLocal(each)
                                || each.listsAny(known.members())
                                        && (!registered || leadsWithin(each, this::isLocal, client.id())));
    }

    private boolean isLocal(AnnouncedCluster cluster) {
        return cluster.listsAny(known.members());
    }

    /** Says whether of two connectors between the local cluster and a peer's that of this side goes on. */
    boolean isPingingSide(AnnouncedCluster peer) {
        return known.clusterId().compareTo(peer.id()) < 0;
    }

    /** Says whether another connector between the local cluster and that of a peer ends in favour of one of this instance. */
    boolean losesTieBreak(SharedContent other, AnnouncedCluster peer) {
        Announcement announcement = other.announcement();
        if (!announcement.cluster().orElseThrow().id().equals(peer.id())) {
            return false;
        }
        return announcement.inherited() ? other.holder().compareTo(ownId) > 0 : isPingingSide(peer);
    }

    /** Says whether an instance is in the topology. If it is not, the other way of its peer is about to end, or leads here only. */
    boolean isKnown(String instanceId, Stream<HeldAnnouncement> held) {
        Stream<Announcement> announcements = Stream.of(
                        held.map(HeldAnnouncement::announcement),
                        known.shared().stream().map(SharedContent::announcement),
                        known.siblings().stream())
                .flatMap(each -> each);
        return known.members().contains(instanceId) || announcements.anyMatch(each -> each.lists(instanceId));
    }

    /**
     * Returns on which other way the owner of an announcement is known, if that ends the connector that brings it. A registered connector
     * is given up only if its cluster is shown on the other way too: another member tells the same cluster, or it comes around a ring,
     * which ends elsewhere unless the client is the greatest.
     *
     * @param others what is held of others, without those that {@link #succeeds} ends
     * @param registered whether the owner is registered
     * @param ofClient whether this side is the client of the connector
     */
    Optional<String> findAlternativeRoute(
            String owner,
            AnnouncedCluster cluster,
            List<HeldAnnouncement> others,
            boolean registered,
            boolean ofClient) {
        return others.stream()
                .filter(each -> each.lists(owner) && !succeeds(owner, cluster, each))
                .filter(each -> !registered || isShownBy(each, owner, cluster, ringBound(cluster, ofClient)))
                .findFirst()
                .map(each -> owner + " is known through " + each.ownerId());
    }

    /** Returns the id of the client's cluster if it is greater than that of the server; otherwise an empty text. */
    private String ringBound(AnnouncedCluster peer, boolean ofClient) {
        if (ofClient) {
            return isPingingSide(peer) ? "" : known.clusterId();
        }
        return isPingingSide(peer) ? peer.id() : "";
    }

    private static boolean isShownBy(HeldAnnouncement other, String owner, AnnouncedCluster cluster, String ringBound) {
        return other.cluster().lists(owner)
                ? other.cluster().id().equals(cluster.id()) && cluster.lists(other.ownerId())
                : leadsWithin(
                        other.announcement(),
                        each -> each.lists(owner) && each.id().equals(cluster.id()),
                        ringBound);
    }

    /** Says whether the owner of an announcement takes the place of another member that its cluster does not list any more. */
    static boolean succeeds(String owner, AnnouncedCluster cluster, HeldAnnouncement held) {
        return held.cluster().id().equals(cluster.id()) && held.lists(owner) && !cluster.lists(held.ownerId());
    }

    /**
     * Says whether an announcement leads to a cluster on a way on which no cluster has a greater id than the given one.
     *
     * <p>In a ring of three clusters or more that connect at the same time, each server and each client would find out about the ring at
     * the same time, all would give up their connectors, and begin again. Therefore a connector that is registered ends only if the
     * cluster of its client has the greatest id in the ring. One that is not registered is never added to a ring.
     */
    private static boolean leadsWithin(Announcement announcement, Predicate<AnnouncedCluster> end, String greatest) {
        AnnouncedCluster cluster = announcement.cluster().orElseThrow();
        return cluster.id().compareTo(greatest) <= 0
                && (end.test(cluster)
                        || announcement.nested().stream().anyMatch(each -> leadsWithin(each, end, greatest)));
    }
}
