// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.report.ConnectorReport.Incoming;

/**
 * Registers what peers announce to this instance, and makes the messages to them, by the rules of Sling's protocol: {@link LoopRules} says
 * what is a loop, {@link Timing} how long an announcement lasts. It has no threads and no connections. The clock of a peer decides nothing.
 *
 * <p>All methods may be called from any thread. Announcements may be large: they are copied, compared and written without the lock. What
 * the store and the events of the local topology call does not wait for it: {@link #showSiblings} and {@link #hideLocal}.
 */
public final class AnnouncementRegistry implements ConnectorContent {

    /** Further owners are not registered: each costs memory, and space in the store. */
    static final int MAX_INCOMING = 1_000;

    private static final int MAX_NAMED = 10;

    /** The address of a sender that another member knows. */
    private static final String ELSEWHERE = "elsewhere";

    private final String ownId;
    private final String serverInfo;
    private final Timing timing;
    private final Time time;
    private final Storage storage;
    private final KnownClusters known;
    private final LoopRules rules;
    private final HeldAnnouncements held;
    private final Succession succession;
    private final Messages messages;
    private final Replies replies;
    private final Pings pings;

    /**
     * Begins without announcements.
     *
     * @param ownId the id of this instance
     * @param serverInfo what peers may show of the address of this instance
     * @param signed whether the messages of peers are signed, which proves who they are
     * @param time decisions rest on its monotonic clock; the time of creation in messages is of the wall clock
     * @param changed runs when {@link #held} has changed, and when an announcement expires before the time that {@link #expire} returned;
     *     it only queues
     */
    public AnnouncementRegistry(
            String ownId, String serverInfo, Timing timing, boolean signed, Time time, Runnable changed) {
        this(ownId, serverInfo, timing, signed, time, changed, Storage.DEFAULT);
    }

    AnnouncementRegistry(
            String ownId,
            String serverInfo,
            Timing timing,
            boolean signed,
            Time time,
            Runnable changed,
            Storage storage) {
        this.ownId = ownId;
        this.serverInfo = serverInfo;
        this.timing = timing;
        this.time = time;
        this.storage = storage;
        this.known = new KnownClusters(ownId);
        this.rules = new LoopRules(ownId, known);
        this.held = new HeldAnnouncements(timing, storage, this::now, changed);
        this.succession = new Succession(held, timing, signed, this::now);
        this.messages = new Messages(ownId, time.wall());
        this.replies = new Replies(ownId, known, rules, held, succession);
        this.pings = new Pings(known, rules, held, succession, messages);
    }

    /**
     * Sets the local cluster.
     *
     * @param current says whether the view of it is still current
     */
    public synchronized void showLocal(AnnouncedCluster cluster, BooleanSupplier current) {
        known.showLocal(cluster, current);
    }

    /** Records that the local cluster has no current view. Takes no lock. */
    public void hideLocal() {
        known.hideLocal();
    }

    /** Sets the clusters of the same store. Waits for nothing. */
    public void showSiblings(List<RemoteCluster> clusters) {
        known.showSiblings(clusters);
    }

    /** Sets the announcements that all instances share through the store, this one included. */
    public synchronized void showShared(List<SharedContent> contents) {
        known.showShared(contents);
        Map<String, List<Announcement>> direct = known.shared().stream()
                .map(SharedContent::announcement)
                .collect(Collectors.groupingBy(
                        each -> each.cluster().orElseThrow().id()));
        for (HeldAnnouncement each : held.incoming()) {
            direct.getOrDefault(each.cluster().id(), List.of()).stream()
                    .filter(other ->
                            LoopRules.succeeds(other.ownerId(), other.cluster().orElseThrow(), each))
                    .findFirst()
                    .ifPresent(other -> succession.replace(each, other.ownerId(), ELSEWHERE));
        }
        held.publish();
    }

    // Messages

    @Override
    public Optional<Announcement> ping(String connector, boolean resetBackoff) {
        return known.local().map(cluster -> messages.of(cluster, announcementsFor(connector))
                .withServerInfo(serverInfo)
                .withResetBackoff(resetBackoff));
    }

    /** Returns what a connector announces besides the local cluster. */
    private List<Announcement> announcementsFor(String connector) {
        List<Announcement> nested = new ArrayList<>(known.siblings());
        synchronized (this) {
            // The peer ignores what it said itself, which may be much. A fall-back would see its own cluster in it.
            Optional<HeldAnnouncement> brought = held.ofConnector(connector);
            Optional<AnnouncedCluster> peer = brought.filter(held::lasts).map(HeldAnnouncement::cluster);
            held.all()
                    .filter(each -> each != brought.orElse(null))
                    .map(HeldAnnouncement::announcement)
                    .forEach(nested::add);
            known.tellable()
                    .filter(each -> peer.filter(cluster -> rules.losesTieBreak(each, cluster))
                            .isEmpty())
                    .map(SharedContent::announcement)
                    .forEach(nested::add);
        }
        return nested;
    }

    // Replies to pings of this instance

    @Override
    public synchronized Verdict replied(String connector, Announcement reply) {
        Verdict verdict = replies.take(connector, reply);
        held.publish();
        return verdict;
    }

    @Override
    public synchronized void forget(String connector) {
        held.removeConnector(connector);
        held.publish();
    }

    /** Forgets everything that this instance holds. */
    public synchronized void forgetAll() {
        held.clear();
        held.publish();
    }

    // Pings of peers

    /**
     * Takes the announcement of a ping.
     *
     * @param ping the announcement, whose owner is the sender
     * @param address the network address of the sender
     * @param bytes the length of the body, for display
     */
    public PingOutcome receive(Announcement ping, String address, long bytes) {
        Announcement request = ping.withoutInheritedOf(ownId);
        PingOutcome outcome;
        List<Announcement> others;
        synchronized (this) {
            outcome = pings.take(request, address, bytes);
            others = others().toList();
            held.publish();
        }
        return outcome.kind() == PingOutcome.Kind.ACCEPTED ? withNested(outcome, request, others) : outcome;
    }

    /** Returns what was decided about a ping with a reply that tells the sender what its cluster has not told. */
    private PingOutcome withNested(PingOutcome outcome, Announcement request, List<Announcement> others) {
        List<Announcement> nested = new ArrayList<>(known.siblings());
        others.stream().filter(each -> !request.lists(each.ownerId())).forEach(nested::add);
        return new PingOutcome(
                outcome.kind(), outcome.sentence(), outcome.reply().map(reply -> messages.of(
                                reply.cluster().orElseThrow(), nested)
                        .withBackoff(reply.backoffSeconds())));
    }

    private Stream<Announcement> others() {
        return Stream.concat(
                held.all().map(HeldAnnouncement::announcement), known.tellable().map(SharedContent::announcement));
    }

    // Owners and addresses

    /**
     * Forgets the incoming announcement of an owner that has disconnected.
     *
     * @param address the network address of the sender
     * @return whether the sender may disconnect the owner
     */
    public synchronized boolean disconnected(String ownerId, String address) {
        if (succession.isHeldFromElsewhere(ownerId, address)) {
            return false;
        }
        held.removeOwner(ownerId);
        held.publish();
        return true;
    }

    /** Says whether the last ping of an owner came from that address. */
    public synchronized boolean isHeldFrom(String ownerId, String address) {
        return held.ofOwner(ownerId).filter(each -> each.isFrom(address)).isPresent();
    }

    /** Counts a reply to an owner that is registered. */
    public synchronized void sent(String ownerId, long bytes) {
        held.ofOwner(ownerId).ifPresent(each -> each.repliedTo(bytes));
    }

    /** Takes what peers announced to the registry of the connectors before, from allowed addresses. It expires as it would have there. */
    public synchronized void takeIncoming(AnnouncementRegistry before, Predicate<String> allowed) {
        before.giveUpIncoming().stream()
                .filter(each -> allowed.test(each.address()))
                .forEach(held::putIncoming);
        held.publish();
    }

    private synchronized List<HeldAnnouncement> giveUpIncoming() {
        return held.giveUpIncoming();
    }

    // What is held

    /** Forgets what has expired, and returns when the next announcement expires: {@link Long#MAX_VALUE} for never. */
    public synchronized long expire() {
        return held.expire();
    }

    /** Returns what this instance has to share: bytes that change with the content only, by the ids of the owners. */
    public Map<String, Bytes> held() {
        return all().stream()
                .collect(Collectors.toMap(HeldAnnouncement::ownerId, this::packed, (one, other) -> one, TreeMap::new));
    }

    /** Returns what this instance holds, by the bytes that it shares. */
    public Map<Bytes, Announcement> announcements() {
        return all().stream()
                .collect(Collectors.toMap(this::packed, HeldAnnouncement::announcement, (one, other) -> one));
    }

    private synchronized List<HeldAnnouncement> all() {
        return held.all().toList();
    }

    private Bytes packed(HeldAnnouncement each) {
        return storage.packed(each, timing);
    }

    /** Returns the incoming connectors for display, by owner. */
    public synchronized List<Incoming> incoming() {
        long toWall = time.wall().getAsLong() - now();
        return held.incoming().stream().map(each -> each.shown(toWall)).toList();
    }

    /** Returns what is held without properties, in words. */
    public synchronized List<String> problems() {
        return held.all()
                .filter(HeldAnnouncement::isBare)
                .map(storage::problem)
                .limit(MAX_NAMED)
                .toList();
    }

    private long now() {
        return time.monotonic().getAsLong();
    }
}
