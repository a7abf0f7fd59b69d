// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.registry.SharedClusters.SharedContent;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.report.ConnectorReport.ConnectorState;
import io.github.discoveryzk.report.ConnectorReport.Incoming;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Registers what peers announce to this instance, and makes the messages to them, by the rules of Sling's protocol: {@link LoopRules} says
 * what is a loop, {@link Timing} how long an announcement lasts. It has no threads and no connections. The clock of a peer decides nothing.
 *
 * <p>All methods may be called from any thread. Announcements may be large: they are copied, compared and written without the lock. What
 * the events of the local topology call does not wait for it: {@link #hideLocal}.
 */
public final class AnnouncementRegistry {

    /** The address of a sender that another member knows. */
    private static final String ELSEWHERE = "elsewhere";

    private final String ownId;
    private final String serverInfo;
    private final Timing timing;
    private final Time time;
    private final Runnable changed;
    private final KnownClusters known;
    private final HeldAnnouncements held;
    private final LoopRules rules;
    private final AtomicLong lastCreated = new AtomicLong();
    private List<HeldAnnouncement> published = List.of();

    /**
     * Begins without announcements.
     *
     * @param ownId the id of this instance
     * @param serverInfo what peers may show of the address of this instance
     * @param time decisions rest on its monotonic clock; the time of creation in messages is of the wall clock
     * @param changed runs when {@link #held} has changed; it only queues
     * @param maxBytes how much memory all incoming announcements may take
     */
    public AnnouncementRegistry(
            String ownId, String serverInfo, ConnectorSettings settings, Time time, Runnable changed, long maxBytes) {
        this.ownId = ownId;
        this.serverInfo = serverInfo;
        this.timing = settings.timing();
        this.time = time;
        this.changed = changed;
        this.known = new KnownClusters(ownId);
        this.held = new HeldAnnouncements(timing, settings.trust().isPresent(), maxBytes, time.monotonic());
        this.rules = new LoopRules(ownId, settings.autoStop(), known, held);
    }

    /**
     * Sets the local cluster.
     *
     * @param current says whether the view of it is still current
     * @throws IllegalArgumentException when its ids cannot be announced
     */
    public synchronized void showLocal(RemoteCluster cluster, BooleanSupplier current) {
        known.showLocal(Announcement.of(ownId, cluster).cluster(), current);
    }

    /** Records that the local cluster has no current view. Takes no lock. */
    public void hideLocal() {
        known.hideLocal();
    }

    /** Sets the clusters of the same store. */
    public void showSiblings(List<RemoteCluster> clusters) {
        known.showSiblings(clusters);
    }

    /** Sets the announcements that all instances share through the store, this one included. */
    public synchronized void showShared(List<SharedContent> contents) {
        known.showShared(contents);
        known.shared().forEach(each -> held.replace(held.incoming(), each.announcement(), ELSEWHERE));
        publish();
    }

    /** Returns the message of a ping, without what the same connector brought; empty while the local view is not current. */
    public Optional<Message> ping(String connector, boolean resetBackoff) {
        return known.local().map(cluster -> {
            Announcement own = Announcement.of(ownId, cluster).withServerInfo(serverInfo);
            return message(own, announcementsFor(connector)).withResetBackoff(resetBackoff);
        });
    }

    private synchronized List<Announcement> announcementsFor(String connector) {
        // The peer ignores what it said itself, which may be much. A fall-back would see its own cluster in it.
        Optional<HeldAnnouncement> brought = held.ofConnector(connector);
        Optional<RemoteCluster> peer = brought.map(HeldAnnouncement::cluster);
        return announceable(
                held.all().filter(each -> each != brought.orElse(null)),
                known.announceable().filter(each -> peer.filter(cluster -> rules.losesTieBreak(each, cluster))
                        .isEmpty()));
    }

    private static List<Announcement> announceable(Stream<HeldAnnouncement> held, Stream<SharedContent> shared) {
        return Stream.concat(held.map(HeldAnnouncement::announcement), shared.map(SharedContent::announcement))
                .toList();
    }

    /** Returns a message with an announcement, the clusters of the same store, and others, each once. */
    private Message message(Announcement own, List<Announcement> others) {
        Set<Object> once = new HashSet<>();
        List<Announcement> nested = new ArrayList<>(known.siblings());
        nested.addAll(others);
        nested.removeIf(each -> !once.add(List.of(each.ownerId(), each.inherited())));
        return Message.of(own.withNested(nested), created());
    }

    /** Returns a time that no earlier message has: a peer would take two equal messages for a replay. */
    private long created() {
        long wall = time.wall().getAsLong();
        return lastCreated.updateAndGet(last -> Math.max(wall, last + 1));
    }

    /** Takes the reply of a peer to a ping of a connector, in place of what the connector brought before, and says what it means. */
    public synchronized Verdict replied(String connector, Message message) {
        Optional<HeldAnnouncement> before = held.ofConnector(connector);
        held.removeConnector(connector);
        boolean registered =
                before.filter(each -> each.ownerId().equals(message.ownerId())).isPresent();
        Verdict verdict =
                rules.refusalOfReply(message, registered).orElseGet(() -> inherit(connector, message, before));
        publish();
        return verdict;
    }

    private Verdict inherit(String connector, Message message, Optional<HeldAnnouncement> before) {
        Announcement reply = message.announcement().orElseThrow();
        held.remove(rules.endingIncoming(reply));
        long expiresAt = held.inherit(connector, before, known.withoutLocal(reply), message.backoffSeconds());
        return new Verdict(
                ConnectorState.CONNECTED,
                "the peer " + reply.ownerId() + " replied",
                message.backoffSeconds(),
                expiresAt);
    }

    /** Forgets what a connector inherited, because it ended or the announcement expired. */
    public synchronized void forget(String connector) {
        held.removeConnector(connector);
        publish();
    }

    /** Forgets everything that this instance holds. */
    public synchronized void forgetAll() {
        held.clear();
        publish();
    }

    /**
     * Takes the announcement of a ping, and returns the reply: what its sender's cluster does not know, or a loop message.
     *
     * @param address the network address of the sender
     * @param bytes the length of the body, for display
     * @throws InvalidMessage when the sender may not speak for the owner, there is no room, or there is no current view to reply with
     */
    public Message receive(Message ping, String address, long bytes) throws InvalidMessage {
        Announcement request = ping.announcement().orElseThrow().withoutInheritedOf(ownId);
        RemoteCluster cluster = known.local()
                .orElseThrow(() -> new InvalidMessage(Reason.UNAVAILABLE, "the local view is not current"));
        long backoff;
        List<Announcement> others;
        synchronized (this) {
            String owner = ping.ownerId();
            held.requireSender(owner, address);
            try {
                Optional<String> loop = rules.loopOfPing(request);
                if (loop.isPresent()) {
                    held.removeLoop(owner, loop.get());
                    return Message.loop(ownId, created(), timing.standbyBackoff());
                }
                backoff = held.register(known.withoutLocal(request), ping.resetBackoff(), address, bytes);
                others = announceable(held.all(), known.announceable());
            } finally {
                publish();
            }
        }
        List<Announcement> untold =
                others.stream().filter(each -> !request.lists(each.ownerId())).toList();
        return message(Announcement.of(ownId, cluster), untold).withBackoff(backoff);
    }

    /**
     * Forgets the incoming announcement of an owner that disconnects.
     *
     * @param address the network address of the sender
     * @throws InvalidMessage when the sender may not speak for the owner
     */
    public synchronized void disconnect(String ownerId, String address) throws InvalidMessage {
        held.requireSender(ownerId, address);
        held.removeOwner(ownerId);
        publish();
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
        publish();
    }

    private synchronized List<HeldAnnouncement> giveUpIncoming() {
        List<HeldAnnouncement> given = held.incoming().toList();
        held.remove(given);
        return given;
    }

    /** Forgets what has expired. */
    public synchronized void expire() {
        held.expire();
        publish();
    }

    private void publish() {
        List<HeldAnnouncement> now = held.all().toList();
        if (!now.equals(published)) {
            published = now;
            changed.run();
        }
    }

    /** Returns what this instance has to share: bytes that change with the content only, by the ids of the owners. */
    public Map<String, Bytes> held() {
        return all().stream()
                .collect(Collectors.toMap(
                        HeldAnnouncement::ownerId, each -> each.packed(timing), (one, other) -> one, TreeMap::new));
    }

    private synchronized List<HeldAnnouncement> all() {
        return held.all().toList();
    }

    /** Returns the incoming connectors for display, by owner. */
    public synchronized List<Incoming> incoming() {
        long toWall = time.wall().getAsLong() - time.monotonic().getAsLong();
        return held.incoming().map(each -> each.shown(toWall)).toList();
    }

    /**
     * What the reply to a ping of this instance means.
     *
     * @param state whether the announcement is registered, or else whether the connector asks again
     * @param sentence the reason in words
     * @param backoffSeconds how long the peer asks to wait before the next ping; 0 for no longer than usual
     * @param expiresAt until when the announcement is registered, in monotonic milliseconds
     */
    public record Verdict(ConnectorState state, String sentence, long backoffSeconds, long expiresAt) {}
}
