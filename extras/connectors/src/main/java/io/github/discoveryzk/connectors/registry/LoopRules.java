// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import io.github.discoveryzk.connectors.registry.AnnouncementRegistry.Verdict;
import io.github.discoveryzk.connectors.registry.SharedClusters.SharedContent;
import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.report.ConnectorReport.ConnectorState;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rules by which a connector is a loop: Sling's, and tie-breaks where they would end all connectors.
 *
 * <p>Where two clusters have connectors to each other, or one has several connectors to the other, each side would find itself in the
 * message of the other. Therefore one of them omits from its pings what the other one brought: between clusters the one with the
 * lesser id pings, and of several clients the one with the least instance id. In a ring of clusters the connector of the cluster with the
 * greatest id ends. These methods change nothing.
 */
final class LoopRules {
    private final String ownId;
    private final boolean autoStop;
    private final KnownClusters known;
    private final HeldAnnouncements held;

    /** @param autoStop whether a connector that leads back to this instance stops */
    LoopRules(String ownId, boolean autoStop, KnownClusters known, HeldAnnouncements held) {
        this.ownId = ownId;
        this.autoStop = autoStop;
        this.known = known;
        this.held = held;
    }

    /** Returns why the announcement of a ping is a loop, if it is. */
    Optional<String> loopOfPing(Announcement ping) {
        String owner = ping.ownerId();
        boolean registered = held.ofOwner(owner).isPresent();
        if (closesLoop(ping, registered)) {
            return Optional.of(owner + " knows the local cluster in another way");
        }
        Stream<HeldAnnouncement> others = held.all()
                .filter(each ->
                        each.announcement().inherited() || !each.ownerId().equals(owner));
        return inconsistency(ping).or(() -> findAlternativeRoute(ping, others, registered, false));
    }

    private static Optional<String> inconsistency(Announcement announcement) {
        return announcement.isConsistent()
                ? Optional.empty()
                : Optional.of("its owner " + announcement.ownerId() + " is not in its cluster "
                        + announcement.cluster().id());
    }

    /** Says whether the sender of a ping knows the local cluster on a way that ends the connector. */
    private boolean closesLoop(Announcement ping, boolean registered) {
        String client = ping.cluster().id();
        return known.isLocal(ping.cluster())
                || ping.nested().stream()
                        .anyMatch(each -> known.isLocal(each)
                                || each.listsAny(known.members())
                                        && (!registered || leadsWithin(each, known::isLocal, client)));
    }

    /** Returns why a reply is not registered, if it is not. */
    Optional<Verdict> refusalOfReply(Message message, boolean registered) {
        String owner = message.ownerId();
        if (owner.equals(ownId)) {
            String own = "the connector leads back to this instance";
            return autoStop
                    ? refused(
                            ConnectorState.STOPPED,
                            own + " The connector has stopped until the configuration changes.",
                            message.backoffSeconds())
                    : refused(ConnectorState.STANDBY, own, message.backoffSeconds());
        }
        if (message.loop()) {
            return refused(
                    ConnectorState.STANDBY,
                    "the peer " + owner + " knows this cluster in another way",
                    // If it is not in the topology, the other way of the peer is about to end, or leads here only.
                    isKnown(owner) ? message.backoffSeconds() : 0);
        }
        Announcement reply = message.announcement().orElseThrow();
        if (known.isLocal(reply)) {
            return refused(
                    ConnectorState.STANDBY, "the peer " + owner + " is in the local cluster", message.backoffSeconds());
        }
        List<HeldAnnouncement> ending = endingIncoming(reply);
        Stream<HeldAnnouncement> others = held.all().filter(each -> !ending.contains(each));
        return inconsistency(reply)
                .map(problem -> "the reply cannot be used: " + problem)
                .or(() -> findAlternativeRoute(reply, others, registered, true))
                .flatMap(sentence -> refused(ConnectorState.STANDBY, sentence, message.backoffSeconds()));
    }

    private static Optional<Verdict> refused(ConnectorState state, String sentence, long backoffSeconds) {
        return Optional.of(new Verdict(state, sentence, backoffSeconds, Long.MIN_VALUE));
    }

    /** Returns the connectors of a peer's cluster to this one that end because that of this side goes on. */
    List<HeldAnnouncement> endingIncoming(Announcement reply) {
        return isPingingSide(reply.cluster())
                ? held.incoming()
                        .filter(each ->
                                each.cluster().id().equals(reply.cluster().id()) && each.lists(reply.ownerId()))
                        .toList()
                : List.of();
    }

    /** Says whether of two connectors between the local cluster and a peer's that of this side goes on. */
    private boolean isPingingSide(RemoteCluster peer) {
        return known.clusterId().compareTo(peer.id()) < 0;
    }

    /** Says whether another connector between the local cluster and that of a peer ends in favour of one of this instance. */
    boolean losesTieBreak(SharedContent other, RemoteCluster peer) {
        Announcement announcement = other.announcement();
        if (!announcement.cluster().id().equals(peer.id())) {
            return false;
        }
        return announcement.inherited() ? other.holder().compareTo(ownId) > 0 : isPingingSide(peer);
    }

    private boolean isKnown(String instanceId) {
        return known.members().contains(instanceId)
                || Stream.of(
                                held.all().map(HeldAnnouncement::announcement),
                                known.shared().stream().map(SharedContent::announcement),
                                known.siblings().stream())
                        .flatMap(each -> each)
                        .anyMatch(each -> each.lists(instanceId));
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
    private Optional<String> findAlternativeRoute(
            Announcement by, Stream<HeldAnnouncement> others, boolean registered, boolean ofClient) {
        String owner = by.ownerId();
        return others.filter(each -> each.lists(owner) && !succeeds(by, each))
                .filter(each -> !registered || isShownBy(each, by, ringBound(by.cluster(), ofClient)))
                .findFirst()
                .map(each -> owner + " is known through " + each.ownerId());
    }

    /** Returns the id of the client's cluster if it is greater than that of the server; otherwise an empty text. */
    private String ringBound(RemoteCluster peer, boolean ofClient) {
        if (ofClient) {
            return isPingingSide(peer) ? "" : known.clusterId();
        }
        return isPingingSide(peer) ? peer.id() : "";
    }

    private static boolean isShownBy(HeldAnnouncement other, Announcement by, String ringBound) {
        Predicate<RemoteCluster> same = each -> each.id().equals(by.cluster().id());
        return other.cluster().instanceIds().contains(by.ownerId())
                ? same.test(other.cluster()) && by.cluster().instanceIds().contains(other.ownerId())
                : leadsWithin(
                        other.announcement(),
                        same.and(each -> each.instanceIds().contains(by.ownerId())),
                        ringBound);
    }

    /** Says whether the owner of an announcement takes the place of another member that its cluster no longer lists. */
    static boolean succeeds(Announcement by, HeldAnnouncement held) {
        return held.cluster().id().equals(by.cluster().id())
                && held.lists(by.ownerId())
                && !by.cluster().instanceIds().contains(held.ownerId());
    }

    /**
     * Says whether an announcement leads to a cluster on a way on which no cluster has a greater id than the given one.
     *
     * <p>In a ring of three clusters or more that connect at the same time, each server and each client would find out about the ring at
     * the same time, all would give up their connectors, and begin again. Therefore a connector that is registered ends only if the
     * cluster of its client has the greatest id in the ring. One that is not registered is never added to a ring.
     */
    private static boolean leadsWithin(Announcement announcement, Predicate<RemoteCluster> end, String greatest) {
        return announcement.cluster().id().compareTo(greatest) <= 0
                && (end.test(announcement.cluster())
                        || announcement.nested().stream().anyMatch(each -> leadsWithin(each, end, greatest)));
    }
}
