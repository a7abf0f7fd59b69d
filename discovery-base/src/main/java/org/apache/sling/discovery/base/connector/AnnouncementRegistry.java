// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.connector.ConnectorContent.Verdict.Kind;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.AnnouncedInstance;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.report.ConnectorReport.Incoming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The announcements that this instance holds: incoming ones, by the id of their owner, and inherited ones, by connector. It decides what
 * is registered, what is a loop and when an announcement expires, by the rules of Sling's protocol, and makes the messages to peers.
 * It has no threads and no connections. The clock of a peer decides nothing.
 *
 * <p>Where two clusters have connectors to each other, or one has several connectors to the other, each side would find itself in the
 * message of the other, and all these connectors would end. Therefore one of them leaves out of its pings what the other one brought:
 * between clusters the one with the lesser id pings, and of several clients the one with the least instance id. In a ring of clusters
 * the connector of the cluster with the greatest id ends.
 *
 * <p>All methods may be called from any thread. Announcements may be large: they are copied, compared and written without the lock. What
 * the store and the events of the own topology call does not wait for it: {@link #showSiblings} and {@link #hideOwn}.
 */
final class AnnouncementRegistry implements ConnectorContent {

    /** Further owners are not registered: each costs memory, and space in the store. */
    static final int MOST_INCOMING = 1_000;

    /** What peers announce to one instance takes at most this part of the heap: all instances keep what each of them has heard. */
    private static final int PART_OF_HEAP = 64;

    private static final int MAX_NAMED = 10;

    private static final Logger LOG = LoggerFactory.getLogger(AnnouncementRegistry.class);
    private static final long WARNING_INTERVAL_MILLIS = 10_000;

    /** The address of a sender that another member knows. */
    private static final String ELSEWHERE = "elsewhere";

    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);

    private final String ownId;
    private final String serverInfo;
    private final ConnectorSettings settings;
    private final Time time;
    private final Runnable changed;
    private final long maxBytes;
    private final Function<Announcement, Bytes> packer;

    private final Map<String, Held> incoming = new TreeMap<>();
    private final Map<String, Held> inherited = new TreeMap<>();
    private volatile Optional<Own> own = Optional.empty();
    private volatile Set<String> ownMembers;
    private String ownClusterId = "";
    private volatile Siblings siblings = new Siblings(List.of());
    private List<SharedContent> shared = List.of();
    private Map<String, Bytes> told = Map.of();
    private long nextExpiry = Long.MAX_VALUE;
    private long nextWarning = Long.MIN_VALUE;
    private final AtomicLong lastCreated = new AtomicLong();

    /**
     * Makes an empty registry.
     *
     * @param ownId the id of this instance
     * @param serverInfo what peers may show of the address of this instance
     * @param settings intervals and factors
     * @param time decisions rest on its monotonic clock; the time of creation in messages is of the wall clock
     * @param changed runs when {@link #held} has changed, and when an announcement expires before the time that {@link #expire} returned;
     *     it only queues
     */
    AnnouncementRegistry(String ownId, String serverInfo, ConnectorSettings settings, Time time, Runnable changed) {
        this(
                ownId,
                serverInfo,
                settings,
                time,
                changed,
                Runtime.getRuntime().maxMemory() / PART_OF_HEAP,
                each -> Bytes.of(CODEC.pack(each), 0));
    }

    /**
     * Makes an empty registry.
     *
     * @param maxBytes how much memory all incoming announcements may take together. One that takes more alone is kept without properties
     * @param packer encodes what is shared
     */
    AnnouncementRegistry(
            String ownId,
            String serverInfo,
            ConnectorSettings settings,
            Time time,
            Runnable changed,
            long maxBytes,
            Function<Announcement, Bytes> packer) {
        this.ownId = ownId;
        this.serverInfo = serverInfo;
        this.settings = settings;
        this.time = time;
        this.changed = changed;
        this.maxBytes = maxBytes;
        this.packer = packer;
        this.ownMembers = Set.of(ownId);
    }

    /**
     * Sets the own cluster.
     *
     * @param current says whether the view of it is still current
     */
    synchronized void showOwn(AnnouncedCluster cluster, BooleanSupplier current) {
        own = Optional.of(new Own(cluster, current));
        ownMembers = ids(cluster);
        ownClusterId = cluster.id();
    }

    /** Records that the own cluster has no current view. Takes no lock. */
    void hideOwn() {
        own = Optional.empty();
    }

    /** Sets the clusters of the same store. Waits for nothing. */
    void showSiblings(List<RemoteCluster> clusters) {
        siblings = new Siblings(clusters);
    }

    /** Sets the announcements that all instances share through the store, this one included. */
    synchronized void showShared(List<SharedContent> announcements) {
        shared = announcements.stream()
                .filter(each -> !each.holder().equals(ownId))
                .map(each -> new SharedContent(
                        each.holder(), each.ownCluster(), each.announcement().withBackoff(0)))
                .toList();
        Map<String, List<Announcement>> direct = shared.stream()
                .map(SharedContent::announcement)
                .collect(Collectors.groupingBy(
                        each -> each.cluster().orElseThrow().id()));
        for (Held held : List.copyOf(incoming.values())) {
            direct.getOrDefault(held.cluster().id(), List.of()).stream()
                    .filter(each ->
                            isReplaced(held, each.ownerId(), each.cluster().orElseThrow()))
                    .findFirst()
                    .ifPresent(each -> replace(held, each.ownerId(), ELSEWHERE));
        }
        tell();
    }

    private static Optional<Announcement> announcement(RemoteCluster cluster) {
        try {
            List<AnnouncedInstance> instances = cluster.instances().stream()
                    .map(each -> AnnouncedInstance.of(
                            each.instanceId(), each.instanceId().equals(cluster.leader()), each.properties()))
                    .toList();
            return Optional.of(
                    Announcement.of(cluster.leader(), 0, CODEC.fitting(new AnnouncedCluster(cluster.id(), instances))));
        } catch (IllegalArgumentException e) {
            // Its ids cannot be announced: peers would refuse the whole message.
            return Optional.empty();
        }
    }

    @Override
    public Optional<Announcement> ping(String connector, boolean resetBackoff) {
        return ownCluster().map(cluster -> message(cluster, toldOn(connector))
                .withServerInfo(serverInfo)
                .withResetBackoff(resetBackoff));
    }

    private List<Announcement> toldOn(String connector) {
        List<Announcement> nested = new ArrayList<>(siblings.announcements());
        addHeld(connector, nested);
        return nested;
    }

    private synchronized void addHeld(String connector, List<Announcement> nested) {
        Held brought = inherited.get(connector);
        Optional<AnnouncedCluster> peer =
                Optional.ofNullable(brought).filter(this::lasts).map(Held::cluster);
        // The peer ignores what it said itself, which may be much. A fall-back would see its own cluster in it.
        lasting().filter(each -> each != brought).map(Held::announcement).forEach(nested::add);
        shared.stream()
                .filter(this::isOfCurrentHolder)
                .filter(each -> peer.filter(known -> yields(each, known)).isEmpty())
                .map(SharedContent::announcement)
                .forEach(nested::add);
    }

    /** Says whether another connector between the own cluster and that of a peer ends in favour of one of this instance. */
    private boolean yields(SharedContent other, AnnouncedCluster peer) {
        Announcement announcement = other.announcement();
        if (!announcement.cluster().orElseThrow().id().equals(peer.id())) {
            return false;
        }
        return announcement.inherited() ? other.holder().compareTo(ownId) > 0 : pingsRatherThan(peer);
    }

    private boolean pingsRatherThan(AnnouncedCluster peer) {
        return ownClusterId.compareTo(peer.id()) < 0;
    }

    @Override
    public Verdict replied(String connector, Announcement reply) {
        while (true) {
            Draft draft = draft(known(inherited, connector), reply, true);
            synchronized (this) {
                if (isUpToDate(draft, inherited.get(connector))) {
                    inherited.remove(connector);
                    Verdict verdict = judge(connector, reply, draft);
                    tell();
                    return verdict;
                }
            }
        }
    }

    private synchronized Optional<Held> known(Map<String, Held> announcements, String key) {
        return Optional.ofNullable(announcements.get(key));
    }

    /** Prepares what would be registered of a message. It may be large, so this is done without the lock. */
    private Draft draft(Optional<Held> before, Announcement message, boolean asInherited) {
        Set<String> members = ownMembers;
        if (message.loop()) {
            // It is never registered.
            return new Draft(before, members, message, Bytes.of(""), false);
        }
        Announcement plain = stored(withoutOwn(message), led(message.cluster().orElseThrow()));
        Announcement whole = asInherited ? plain.asInherited() : plain;
        boolean bare = AnnouncementCodec.weight(whole) > maxBytes;
        Announcement announcement = bare ? whole.withoutProperties() : whole;
        return before.filter(known -> known.announcement().equals(announcement))
                .map(known -> new Draft(before, members, known.announcement(), known.packed, bare))
                .orElseGet(() -> new Draft(
                        before,
                        members,
                        announcement,
                        packer.apply(asInherited ? announcement : announcement.withBackoff(longestSilence())),
                        bare));
    }

    /** Says whether nothing that a draft rests on has changed since it was made. */
    private boolean isUpToDate(Draft draft, Held before) {
        // The set is another object after each change, also when its content is the same again.
        return draft.before().orElse(null) == before && draft.members() == ownMembers;
    }

    private Verdict judge(String connector, Announcement reply, Draft draft) {
        String owner = reply.ownerId();
        if (owner.equals(ownId)) {
            return refused(Kind.OWN, reply, "the connector leads back to this instance");
        }
        if (reply.loop()) {
            Verdict loop = refused(Kind.LOOP, reply, "the peer " + owner + " knows this cluster in another way");
            return isKnown(owner) ? loop : new Verdict(Kind.LOOP, loop.sentence(), 0, 0);
        }
        if (ownMembers.contains(owner) || reply.cluster().filter(this::listsOwn).isPresent()) {
            return refused(Kind.LOOP, reply, "the peer " + owner + " is in the own cluster");
        }
        Optional<String> problem = reply.registrationProblem();
        if (problem.isPresent()) {
            return refused(Kind.LOOP, reply, "the reply cannot be used: " + problem.get());
        }
        AnnouncedCluster cluster = led(reply.cluster().orElseThrow());
        if (pingsRatherThan(cluster)) {
            incoming.values().removeIf(each -> each.cluster().id().equals(cluster.id()) && each.lists(owner));
        }
        boolean registered = draft.before()
                .filter(this::lasts)
                .filter(each -> each.ownerId().equals(owner))
                .isPresent();
        Optional<String> otherWay =
                otherWay(owner, cluster, lasting(), registered, !pingsRatherThan(cluster) ? ownClusterId : "", "");
        if (otherWay.isPresent()) {
            return refused(Kind.LOOP, reply, otherWay.get());
        }
        long expiresAt = now() + keptMillis(reply.backoffSeconds());
        Held next = Held.next(draft.before(), draft.announcement(), draft.packed(), now(), expiresAt);
        next.backoffSeconds = reply.backoffSeconds();
        next.bare = draft.bare();
        inherited.put(connector, next);
        return new Verdict(Kind.ACCEPTED, "the peer " + owner + " replied", reply.backoffSeconds(), expiresAt);
    }

    /** Says whether an instance is in the topology. If it is not, the other way of its peer is about to end, or leads here only. */
    private boolean isKnown(String instanceId) {
        Stream<Announcement> announcements = Stream.of(
                        lasting().map(Held::announcement),
                        shared.stream().map(SharedContent::announcement),
                        siblings.announcements().stream())
                .flatMap(each -> each);
        return ownMembers.contains(instanceId) || announcements.anyMatch(each -> each.lists(instanceId));
    }

    private static Verdict refused(Kind kind, Announcement reply, String sentence) {
        return new Verdict(kind, sentence, reply.backoffSeconds(), 0);
    }

    private boolean listsOwn(AnnouncedCluster cluster) {
        return cluster.instances().stream().anyMatch(each -> ownMembers.contains(each.id()));
    }

    /** Without what is told of the own cluster: what its members had told the peer would come back with each of their changes. */
    private Announcement withoutOwn(Announcement announcement) {
        return announcement.withNested(announcement.nested().stream()
                .filter(each -> !isOfOwn(each))
                .map(this::withoutOwn)
                .toList());
    }

    @Override
    public synchronized void forget(String connector) {
        inherited.remove(connector);
        tell();
    }

    /** Forgets everything that this instance holds. */
    synchronized void forgetAll() {
        incoming.clear();
        inherited.clear();
        tell();
    }

    /**
     * Forgets the incoming announcement of an owner that has disconnected.
     *
     * @param address the network address of the sender
     * @return whether the sender may disconnect the owner
     */
    synchronized boolean disconnected(String ownerId, String address) {
        if (isHeldFromElsewhere(ownerId, address)) {
            return false;
        }
        incoming.remove(ownerId);
        tell();
        return true;
    }

    /** Says whether the last ping of an owner came from that address. */
    synchronized boolean isHeldFrom(String ownerId, String address) {
        return Optional.ofNullable(incoming.get(ownerId))
                .filter(each -> each.address.equals(address))
                .isPresent();
    }

    /** Says whether an owner pings from another address. */
    private boolean isHeldFromElsewhere(String ownerId, String address) {
        return Optional.ofNullable(incoming.get(ownerId))
                .filter(this::lasts)
                .filter(held -> !givesWay(held, address))
                .isPresent();
    }

    /**
     * Says whether a sender at that address may replace what is held: it is signed, comes from there, or the owner has missed a ping.
     * Without signatures nothing else tells the owner from another sender. The address of what is inherited is empty.
     */
    private boolean givesWay(Held held, String address) {
        return settings.trust().isPresent() || held.address.equals(address) || now() >= missedAt(held);
    }

    /** Returns when an owner has missed a ping: clients ping at the end of the interval in which their back-off ends. */
    private long missedAt(Held held) {
        long interval = settings.pingInterval().toMillis();
        return Math.min(held.expiresAt, held.pingedAt + Math.max(interval, held.backoffSeconds * 1_000) + interval);
    }

    /**
     * Takes the announcement of a ping.
     *
     * @param ping the announcement, whose owner is the sender
     * @param address the network address of the sender
     * @param bytes the length of the body, for display
     */
    Heard hear(Announcement ping, String address, long bytes) {
        if (ownCluster().isEmpty()) {
            return unsettled();
        }
        Announcement request = ping.withoutInheritedOf(ownId);
        while (true) {
            Draft draft = draft(known(incoming, request.ownerId()), request, false);
            Optional<Outcome> outcome = hear(request, draft, address, bytes);
            if (outcome.isPresent()) {
                return heard(outcome.get());
            }
        }
    }

    private static Heard unsettled() {
        return new Heard(Heard.Kind.UNSETTLED, "the own view is not current", Optional.empty());
    }

    /** Decides about a ping; empty if the draft is out of date. */
    private synchronized Optional<Outcome> hear(Announcement request, Draft draft, String address, long bytes) {
        Optional<AnnouncedCluster> cluster = ownCluster();
        if (cluster.isEmpty()) {
            return Optional.of(Outcome.of(unsettled()));
        }
        if (isHeldFromElsewhere(request.ownerId(), address)) {
            return Optional.of(Outcome.of(new Heard(
                    Heard.Kind.ELSEWHERE, request.ownerId() + " is connected from another address", Optional.empty())));
        }
        if (!isUpToDate(draft, incoming.get(request.ownerId()))) {
            return Optional.empty();
        }
        Outcome outcome = refusal(request, cluster.get(), address)
                .map(sentence -> {
                    if (incoming.remove(request.ownerId()) != null) {
                        warn("The connector of " + request.ownerId() + " ends: " + sentence);
                    }
                    return Outcome.of(new Heard(Heard.Kind.LOOP, sentence, Optional.of(loop())));
                })
                .orElseGet(() -> register(request, draft, cluster.get(), address, bytes));
        tell();
        return Optional.of(outcome);
    }

    /** Makes the reply to a ping that is registered. */
    private Heard heard(Outcome outcome) {
        if (outcome.next().isEmpty()) {
            return outcome.heard();
        }
        Held next = outcome.next().get();
        List<Announcement> nested = new ArrayList<>(siblings.announcements());
        outcome.others().stream().filter(each -> !next.lists(each.ownerId())).forEach(nested::add);
        return new Heard(
                outcome.heard().kind(),
                outcome.heard().sentence(),
                outcome.heard().reply().map(reply -> message(reply.cluster().orElseThrow(), nested)
                        .withBackoff(reply.backoffSeconds())));
    }

    /** Returns why the sender of a ping gets a loop announcement, if it does. */
    private Optional<String> refusal(Announcement request, AnnouncedCluster cluster, String address) {
        String owner = request.ownerId();
        Set<String> members = ids(cluster);
        if (members.contains(owner)) {
            return Optional.of(owner + " is in the own cluster");
        }
        boolean registered =
                Optional.ofNullable(incoming.get(owner)).filter(this::lasts).isPresent();
        if (leadsBack(request, registered)) {
            return Optional.of(owner + " knows the own cluster in another way");
        }
        Optional<String> problem = request.registrationProblem();
        if (problem.isPresent()) {
            return problem;
        }
        AnnouncedCluster client = request.cluster().orElseThrow();
        return otherWay(
                owner,
                client,
                lasting()
                        .filter(each -> each.announcement().inherited()
                                || !each.ownerId().equals(owner)),
                registered,
                pingsRatherThan(client) ? client.id() : "",
                address);
    }

    /** Says whether the sender of a ping knows the own cluster in a way that ends the connector. */
    private boolean leadsBack(Announcement request, boolean registered) {
        AnnouncedCluster client = request.cluster().orElseThrow();
        return listsOwn(client)
                || request.nested().stream()
                        .anyMatch(each -> isOfOwn(each)
                                || each.listsAny(ownMembers)
                                        && (!registered || isWithin(each, this::listsOwn, client.id())));
    }

    /**
     * Says whether an announcement leads to a cluster on a way on which no cluster has a greater id than the given one.
     *
     * <p>In a ring of three clusters or more that connect at the same time, each server and each client would find out about the ring at
     * the same time, all would give up their connectors, and begin again. Therefore a connector that is registered ends only if the
     * cluster of its client has the greatest id in the ring. One that is not registered is never added to a ring.
     */
    private static boolean isWithin(Announcement announcement, Predicate<AnnouncedCluster> end, String greatest) {
        AnnouncedCluster cluster = announcement.cluster().orElseThrow();
        return cluster.id().compareTo(greatest) <= 0
                && (end.test(cluster)
                        || announcement.nested().stream().anyMatch(each -> isWithin(each, end, greatest)));
    }

    private boolean isOfOwn(Announcement announcement) {
        return ownMembers.contains(announcement.ownerId())
                || announcement.cluster().filter(this::listsOwn).isPresent();
    }

    private Outcome register(Announcement request, Draft draft, AnnouncedCluster cluster, String address, long bytes) {
        String owner = request.ownerId();
        Optional<Held> before = draft.before().filter(this::lasts);
        if (before.isEmpty() && incoming.size() >= MOST_INCOMING) {
            return Outcome.of(new Heard(
                    Heard.Kind.FULL, "there are " + incoming.size() + " incoming connectors", Optional.empty()));
        }
        Held next = Held.next(before, draft.announcement(), draft.packed(), now(), 0);
        if (weightOfOthers(owner) + next.weight > maxBytes) {
            return Outcome.of(new Heard(
                    Heard.Kind.FULL,
                    "the announcements of all incoming connectors take more than " + maxBytes + " bytes",
                    Optional.empty()));
        }
        if (request.resetBackoff()) {
            next.stableSince = now();
        }
        next.backoffSeconds = stableBackoff(now() - next.stableSince);
        next.expiresAt = now() + keptMillis(next.backoffSeconds);
        next.address = address;
        next.bare = draft.bare();
        next.requests++;
        next.bytesReceived += bytes;
        incoming.put(owner, next);
        List<Announcement> others = Stream.concat(
                        lasting().map(Held::announcement),
                        shared.stream().filter(this::isOfCurrentHolder).map(SharedContent::announcement))
                .toList();
        return new Outcome(
                new Heard(
                        Heard.Kind.ACCEPTED,
                        "registered",
                        Optional.of(Announcement.of(ownId, 0, cluster).withBackoff(next.backoffSeconds))),
                Optional.of(next),
                others);
    }

    private long weightOfOthers(String owner) {
        return incoming.values().stream()
                .filter(each -> !each.ownerId().equals(owner))
                .mapToLong(each -> each.weight)
                .sum();
    }

    /** Counts a reply to an owner that is registered. */
    synchronized void sent(String ownerId, long bytes) {
        Optional.ofNullable(incoming.get(ownerId)).ifPresent(held -> held.bytesSent += bytes);
    }

    /**
     * Returns in which other way an owner is known, if it is. An announcement of another member of the owner's cluster gives way if the
     * owner does not know that member any more; until its own owner misses a ping, both are held.
     *
     * @param registered whether the owner is registered. Then it is given up only if its cluster is shown on the other way too: another
     *     member tells the same cluster, or it comes around a ring, which ends elsewhere unless the client is the greatest
     * @param client the id of the client's cluster if it is greater than that of the server; otherwise an empty text
     * @param address the network address of the sender; empty for the peer of an own connector
     */
    private Optional<String> otherWay(
            String owner,
            AnnouncedCluster cluster,
            Stream<Held> others,
            boolean registered,
            String client,
            String address) {
        List<Held> known = others.filter(each -> each.lists(owner)).toList();
        List<Held> replaced =
                known.stream().filter(each -> isReplaced(each, owner, cluster)).toList();
        for (Held each : known) {
            boolean ends = !registered
                    || (each.cluster().lists(owner)
                            ? each.cluster().id().equals(cluster.id()) && cluster.lists(each.ownerId())
                            : isWithin(
                                    each.announcement(),
                                    any -> any.lists(owner) && any.id().equals(cluster.id()),
                                    client));
            if (ends && !replaced.contains(each)) {
                return Optional.of(owner + " is known through " + each.ownerId());
            }
        }
        replaced.forEach(each -> replace(each, owner, address));
        return Optional.empty();
    }

    /** Says whether another member of the same cluster does not know the owner of what is held any more. */
    private static boolean isReplaced(Held held, String owner, AnnouncedCluster cluster) {
        return held.cluster().id().equals(cluster.id()) && held.lists(owner) && !cluster.lists(held.ownerId());
    }

    private void replace(Held held, String owner, String address) {
        if (givesWay(held, address)) {
            incoming.values().remove(held);
            inherited.values().remove(held);
            warn(owner + " replaces " + held.ownerId() + ", which is not in cluster "
                    + held.cluster().id() + " any more");
        } else {
            held.expiresAt = missedAt(held);
        }
    }

    /** A peer may cause as many lines as it likes. */
    private void warn(String sentence) {
        if (now() >= nextWarning) {
            nextWarning = now() + WARNING_INTERVAL_MILLIS;
            LOG.warn(sentence);
        } else {
            LOG.debug(sentence);
        }
    }

    /** Forgets what has expired, and returns when the next announcement expires: {@link Long#MAX_VALUE} for never. */
    synchronized long expire() {
        incoming.values().removeIf(each -> !lasts(each));
        inherited.values().removeIf(each -> !lasts(each));
        tell();
        nextExpiry = firstExpiry();
        return nextExpiry;
    }

    private long firstExpiry() {
        return lasting().mapToLong(each -> each.expiresAt).min().orElse(Long.MAX_VALUE);
    }

    /** Returns what this instance has to share: bytes that change with the content only, by the ids of the owners. */
    synchronized Map<String, Bytes> held() {
        return lasting()
                .collect(Collectors.toMap(Held::ownerId, each -> each.packed, (one, other) -> one, TreeMap::new));
    }

    /** Returns what is held without properties, in words. */
    synchronized List<String> problems() {
        return lasting()
                .filter(each -> each.bare)
                .map(each -> "The announcement of " + each.ownerId()
                        + " is kept and shown without the properties of its"
                        + " instances: with them it would take more than " + maxBytes + " bytes of memory. Give this"
                        + " instance a larger heap, or have its cluster offer less.")
                .limit(MAX_NAMED)
                .toList();
    }

    /** Returns what this instance holds, by the bytes that it shares. */
    synchronized Map<Bytes, Announcement> announcements() {
        return lasting().collect(Collectors.toMap(each -> each.packed, Held::announcement, (one, other) -> one));
    }

    /** Returns the incoming connectors for display, by owner. */
    synchronized List<Incoming> incoming() {
        long toWall = time.wall().getAsLong() - now();
        return incoming.values().stream()
                .filter(this::lasts)
                .map(each -> each.shown(toWall))
                .toList();
    }

    /** Returns the back-off of a loop announcement, in seconds. */
    private Announcement loop() {
        long backoff = settings.standbyFactor() <= 1 ? 0 : seconds(settings.pingInterval(), settings.standbyFactor());
        return Announcement.loop(ownId, created(), backoff);
    }

    private long stableBackoff(long stableMillis) {
        long steps = Math.min(
                stableMillis / Math.max(1, settings.pingTimeout().toMillis()), Math.max(0, settings.stableFactor()));
        return seconds(settings.pingInterval(), steps);
    }

    /** Returns the longest time between two pings of a peer, and one more ping interval, in seconds. */
    private long longestSilence() {
        return seconds(settings.pingInterval(), Math.max(0, settings.stableFactor()) + 1L);
    }

    private static long seconds(Duration interval, long factor) {
        return Math.min(interval.toSeconds() * factor, Announcement.LONGEST_BACKOFF_SECONDS);
    }

    private long keptMillis(long backoffSeconds) {
        long timeout = settings.pingTimeout().toMillis();
        return Math.max(
                timeout,
                backoffSeconds * 1_000 + timeout - settings.pingInterval().toMillis());
    }

    private Announcement message(AnnouncedCluster cluster, List<Announcement> nested) {
        Set<Object> known = new HashSet<>();
        List<Announcement> once = nested.stream()
                .filter(each -> known.add(List.of(each.ownerId(), each.inherited())))
                .toList();
        long created = created();
        return Announcement.of(ownId, created, cluster).withNested(once).stamped(created);
    }

    /** Returns a time that no earlier message has: a peer would take two equal messages for a replay. */
    private long created() {
        long wall = time.wall().getAsLong();
        return lastCreated.updateAndGet(last -> Math.max(wall, last + 1));
    }

    private Optional<AnnouncedCluster> ownCluster() {
        return own.filter(each -> each.current().getAsBoolean()).map(Own::cluster);
    }

    private boolean isOfCurrentHolder(SharedContent content) {
        return !content.ownCluster() || ownMembers.contains(content.holder());
    }

    private Stream<Held> lasting() {
        return Stream.concat(incoming.values().stream(), inherited.values().stream())
                .filter(this::lasts);
    }

    private boolean lasts(Held held) {
        return now() < held.expiresAt;
    }

    private void tell() {
        Map<String, Bytes> now = held();
        long first = firstExpiry();
        boolean sooner = first < nextExpiry;
        nextExpiry = Math.min(first, nextExpiry);
        if (sooner || !now.equals(told)) {
            told = now;
            changed.run();
        }
    }

    private long now() {
        return time.monotonic().getAsLong();
    }

    /** Returns what is kept of a message: not what it says about the back-off and about its time. */
    private static Announcement stored(Announcement message, AnnouncedCluster cluster) {
        Announcement kept = message.content();
        return new Announcement(
                kept.ownerId(), 0, false, false, kept.serverInfo(), Optional.of(cluster), 0, false, kept.nested());
    }

    /** Names the first instance as the leader of a cluster that names none, as Sling would not be able to show it otherwise. */
    private static AnnouncedCluster led(AnnouncedCluster cluster) {
        if (cluster.leader().isPresent()) {
            return cluster;
        }
        List<AnnouncedInstance> instances = new ArrayList<>(cluster.instances());
        instances.set(
                0,
                new AnnouncedInstance(
                        instances.get(0).id(), true, instances.get(0).properties()));
        return new AnnouncedCluster(cluster.id(), instances);
    }

    private static Set<String> ids(AnnouncedCluster cluster) {
        return cluster.instances().stream().map(AnnouncedInstance::id).collect(Collectors.toUnmodifiableSet());
    }

    /** Gives up the incoming announcements, for the registry of the connectors that follow. */
    synchronized Incomers giveUpIncoming() {
        Incomers given =
                new Incomers(incoming.values().stream().filter(this::lasts).toList());
        incoming.clear();
        return given;
    }

    /**
     * Takes the incoming announcements of the connectors before. They expire when they would have expired there.
     *
     * @param allowed says whether an owner at that network address may still connect
     */
    synchronized void takeIncoming(Incomers given, Predicate<String> allowed) {
        given.held.stream()
                .filter(each -> allowed.test(each.address))
                .forEach(each -> incoming.put(each.ownerId(), each));
        tell();
    }

    /** Incoming announcements between two registries. */
    static final class Incomers {
        private final List<Held> held;

        private Incomers(List<Held> held) {
            this.held = held;
        }
    }

    private record Own(AnnouncedCluster cluster, BooleanSupplier current) {}

    /**
     * What would be registered of a message.
     *
     * @param before what was held when it was made, expired or not
     * @param members the members of the own cluster, of which nothing is registered
     * @param announcement the announcement, that of before if it is the same
     * @param packed the announcement as it is shared
     * @param bare whether it is without properties, because they take too much memory
     */
    private record Draft(
            Optional<Held> before, Set<String> members, Announcement announcement, Bytes packed, boolean bare) {}

    /**
     * What was decided about a ping.
     *
     * @param heard the decision, with a reply that has nothing nested
     * @param next what is registered, if it is
     * @param others what may be nested in the reply
     */
    private record Outcome(Heard heard, Optional<Held> next, List<Announcement> others) {
        static Outcome of(Heard heard) {
            return new Outcome(heard, Optional.empty(), List.of());
        }
    }

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
                made = clusters.stream()
                        .flatMap(cluster -> announcement(cluster).stream())
                        .toList();
                announcements = made;
            }
            return made;
        }
    }
}
