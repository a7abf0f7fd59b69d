// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.AnnouncedInstance;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage;
import org.apache.sling.discovery.base.connector.wire.Weight;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.RemoteCluster.RemoteInstance;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;

/**
 * Makes clusters of the announcements that instances share through the store. A cluster that is announced in several ways is taken from
 * the shortest way; of several as short ones the one that was taken before stays, so that no peer replaces another one.
 *
 * <p>The announcements of a member end with its session. If it left the own cluster they count longer, and after those that are still
 * shared. What the member inherited counts for {@value #GRACE_MILLIS} ms, so that a connector of another member can take over. What
 * peers announced to it counts for the back-off that is shared with it, because only the peer can take over, and it notices with its next
 * ping. This ends at once when another announcement of the same owner is shared, and after {@value #GRACE_MILLIS} ms if its cluster is
 * known in another way. Whether a member left or its connector ended is known only when its member node is seen to be gone or not: that
 * takes {@value #UNDECIDED_MILLIS} ms at most. A member that left and comes back has still left.
 *
 * <p>All announcements together take a bounded part of the heap: each is read only as far as there is room, the shortest first. Those
 * for which there is not enough are read without the properties of their instances, or not at all. What this instance holds itself is
 * there as an object already.
 *
 * <p>It is used by one thread at a time.
 */
public final class SharedClusters {

    static final long GRACE_MILLIS = 10_000;

    static final long UNDECIDED_MILLIS = 500;

    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);

    /** The other half of a sixteenth of the heap is for the announcements as they are in the store. */
    private static final int PART_OF_HEAP = 32;

    private static final int MAX_NAMED = 3;

    private final Consumer<String> broken;
    private final long maxBytes;

    private Map<Key, Entry> present = Map.of();
    private final Map<Key, Entry> gone = new TreeMap<>();
    private Map<Bytes, Reading> read = Map.of();
    private volatile List<String> problems = List.of();
    private boolean roomier;
    private Set<SharedAnnouncement> forged = Set.of();
    private Set<List<String>> shown = Set.of();

    /**
     * Makes one without announcements.
     *
     * @param broken receives a sentence once for each text that cannot be used
     */
    public SharedClusters(Consumer<String> broken) {
        this(broken, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /**
     * Makes one without announcements.
     *
     * @param maxBytes how much memory all announcements may take
     */
    SharedClusters(Consumer<String> broken, long maxBytes) {
        this.broken = broken;
        this.maxBytes = maxBytes;
    }

    /**
     * Takes the announcements as they are now.
     *
     * @param own what this instance holds itself, by the bytes that it shares
     */
    public void update(List<SharedAnnouncement> announcements, Map<Bytes, Announcement> own, long now) {
        keepGone(announcements.stream().map(Key::of).collect(Collectors.toSet()), now);
        Map<Bytes, Reading> readings = readAll(announcements, own);
        Map<Key, Entry> next = new TreeMap<>();
        for (SharedAnnouncement each : announcements) {
            Optional<Announcement> announcement = readings.get(each.content()).announcement();
            if (announcement.isPresent() && announcement.get().ownerId().equals(each.ownerId())) {
                next.put(
                        new Key(each.holder(), each.ownerId()),
                        new Entry(new SharedContent(each.holder(), each.ownCluster(), announcement.get()), now, false));
            } else if (announcement.isPresent() && !forged.contains(each)) {
                broken.accept("An announcement that " + each.holder() + " shares as one of " + each.ownerId()
                        + " is of " + announcement.get().ownerId() + " and is ignored");
            }
        }
        forged = announcements.stream()
                .filter(each -> readings.get(each.content())
                        .announcement()
                        .filter(known -> !known.ownerId().equals(each.ownerId()))
                        .isPresent())
                .collect(Collectors.toSet());
        keepGone(next.keySet(), now);
        Set<String> owners = next.keySet().stream().map(Key::owner).collect(Collectors.toSet());
        gone.keySet().removeIf(each -> owners.contains(each.owner()));
        present = next;
        read = readings;
    }

    private void keepGone(Set<Key> shared, long now) {
        present.forEach((key, entry) -> {
            if (entry.content().ownCluster() && !shared.contains(key)) {
                gone.put(key, new Entry(entry.content(), now, false));
            }
        });
    }

    private Map<Bytes, Reading> readAll(List<SharedAnnouncement> announcements, Map<Bytes, Announcement> own) {
        Map<Bytes, Reading> readings = new HashMap<>();
        List<SharedAnnouncement> bare = new ArrayList<>();
        List<SharedAnnouncement> omitted = new ArrayList<>();
        long used = gone.values().stream()
                .mapToLong(each -> Weight.of(each.content().announcement()))
                .sum();
        for (SharedAnnouncement each : announcements) {
            Announcement held = own.get(each.content());
            if (held != null && !readings.containsKey(each.content())) {
                Reading known = read.get(each.content());
                Reading reading = known != null && known.announcement().orElse(null) == held
                        ? known
                        : new Reading(Extent.WHOLE, Optional.of(held), Weight.of(held), maxBytes);
                readings.put(each.content(), reading);
                used += reading.weight();
            }
        }
        List<SharedAnnouncement> shortestFirst = new ArrayList<>(announcements);
        shortestFirst.sort(Comparator.comparing(each -> each.content().length()));
        for (SharedAnnouncement each : shortestFirst) {
            if (!readings.containsKey(each.content())) {
                long room = Math.max(0, maxBytes - used);
                Reading reading = Optional.ofNullable(read.get(each.content()))
                        .filter(known -> known.isFor(room))
                        .orElseGet(() -> read(each, room));
                readings.put(each.content(), reading);
                used += reading.weight();
                if (reading.extent() == Extent.BARE) {
                    bare.add(each);
                } else if (reading.extent() == Extent.NOTHING) {
                    omitted.add(each);
                }
            }
        }
        report(bare, omitted);
        roomier = false;
        return readings;
    }

    /** Reads as much of an announcement as there is room for. */
    private Reading read(SharedAnnouncement shared, long room) {
        for (Extent extent : List.of(Extent.WHOLE, Extent.BARE)) {
            try {
                Announcement found = CODEC.unpack(shared.content().stream(), extent == Extent.WHOLE, room);
                return new Reading(extent, Optional.of(found), Weight.of(found), room);
            } catch (InvalidMessage e) {
                if (e.reason() != InvalidMessage.Reason.FULL) {
                    broken.accept("An announcement of " + shared.ownerId() + " that " + shared.holder()
                            + " shares cannot be used and is ignored: " + e.getMessage());
                    return new Reading(Extent.WHOLE, Optional.empty(), 0, room);
                }
            }
        }
        return new Reading(Extent.NOTHING, Optional.empty(), 0, room);
    }

    private void report(List<SharedAnnouncement> bare, List<SharedAnnouncement> omitted) {
        List<String> sentences = new ArrayList<>();
        addProblem(bare, "without their properties", sentences);
        addProblem(omitted, "not at all", sentences);
        sentences.stream().filter(each -> !problems.contains(each)).forEach(broken);
        problems = List.copyOf(sentences);
    }

    private void addProblem(List<SharedAnnouncement> which, String how, List<String> sentences) {
        if (!which.isEmpty()) {
            sentences.add("The clusters that "
                    + which.stream()
                            .limit(MAX_NAMED)
                            .map(SharedAnnouncement::ownerId)
                            .sorted()
                            .collect(Collectors.joining(", "))
                    + (which.size() > MAX_NAMED ? " and " + (which.size() - MAX_NAMED) + " more" : "")
                    + " announced to connectors are shown " + how + ": all announcements would take more than "
                    + maxBytes
                    + " bytes of memory. Give this instance a larger heap, or have those clusters offer less.");
        }
    }

    /** Returns which clusters are not shown completely, in words. May be called on any thread. */
    public List<String> problems() {
        return problems;
    }

    /** Returns the announcements that are shared now and can be used. */
    public List<SharedContent> contents() {
        return present.values().stream().map(Entry::content).toList();
    }

    /**
     * Returns the clusters in the order of precedence, each once.
     *
     * @param live the members of the own cluster whose nodes are in the store; empty if that is not known
     */
    public List<RemoteCluster> clusters(Optional<Set<String>> live, long now) {
        live.ifPresent(
                members -> gone.replaceAll((key, each) -> members.contains(key.holder()) ? each : each.asLeft()));
        List<Candidate> all = new ArrayList<>();
        present.values().forEach(each -> add(each.content(), false, all));
        Set<String> shared = all.stream().map(each -> each.cluster().id()).collect(Collectors.toSet());
        roomier |= gone.values().removeIf(each -> isOver(each, live, shared, now)) && !problems.isEmpty();
        gone.values().forEach(each -> add(each.content(), true, all));
        all.sort(Comparator.comparing(Candidate::isGone)
                .thenComparing(each -> each.way().size())
                .thenComparing(each -> !each.own())
                .thenComparing(each -> !shown.contains(each.way()))
                .thenComparing(each -> String.join(" ", each.way())));
        Set<String> known = new HashSet<>();
        List<RemoteCluster> clusters = all.stream()
                .filter(each -> known.add(each.cluster().id()))
                .map(Candidate::toRemote)
                .toList();
        shown = clusters.stream().map(RemoteCluster::way).collect(Collectors.toSet());
        return clusters;
    }

    /** Returns when {@link #clusters} may return others although nothing is shared differently: {@link Long#MAX_VALUE} for never. */
    public long changesAt(long now) {
        if (roomier) {
            return now + 1;
        }
        return gone.values().stream()
                .flatMapToLong(each -> LongStream.of(UNDECIDED_MILLIS, GRACE_MILLIS, each.graceMillis())
                        .map(after -> each.since() + after))
                .filter(each -> each > now)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static boolean isOver(Entry entry, Optional<Set<String>> live, Set<String> shared, long now) {
        long age = now - entry.since();
        boolean ended = live.isPresent() && !entry.left();
        boolean otherWay = shared.contains(entry.clusterId());
        return age >= (ended ? UNDECIDED_MILLIS : otherWay ? GRACE_MILLIS : entry.graceMillis());
    }

    private static void add(SharedContent content, boolean isGone, List<Candidate> all) {
        add(content.announcement(), List.of(content.holder()), content.ownCluster(), isGone, all);
    }

    private static void add(
            Announcement announcement, List<String> before, boolean own, boolean isGone, List<Candidate> all) {
        List<String> way = new ArrayList<>(before);
        way.add(announcement.ownerId());
        announcement.cluster().ifPresent(cluster -> all.add(new Candidate(cluster, way, own, isGone)));
        announcement.nested().forEach(each -> add(each, way, own, isGone, all));
    }

    private enum Extent {
        WHOLE,
        BARE,
        NOTHING
    }

    /**
     * What was read of an announcement.
     *
     * @param announcement empty if it cannot be used, or there is no room for it
     * @param room how much room there was for it
     */
    private record Reading(Extent extent, Optional<Announcement> announcement, long weight, long room) {

        /** Says whether reading it again would yield the same. */
        boolean isFor(long now) {
            return weight <= now && (extent == Extent.WHOLE || now <= room);
        }
    }

    private record Key(String holder, String owner) implements Comparable<Key> {
        static Key of(SharedAnnouncement shared) {
            return new Key(shared.holder(), shared.ownerId());
        }

        @Override
        public int compareTo(Key other) {
            return Comparator.comparing(Key::holder).thenComparing(Key::owner).compare(this, other);
        }
    }

    /**
     * An announcement.
     *
     * @param since when it was shared first, or when it was not shared any more
     * @param left whether its holder was seen to have left the own cluster
     */
    private record Entry(SharedContent content, long since, boolean left) {

        Entry asLeft() {
            return left ? this : new Entry(content, since, true);
        }

        String clusterId() {
            return content.announcement().cluster().map(AnnouncedCluster::id).orElse("");
        }

        long graceMillis() {
            return Math.max(GRACE_MILLIS, content.announcement().backoffSeconds() * 1_000);
        }
    }

    /** A cluster on one way. */
    private record Candidate(AnnouncedCluster cluster, List<String> way, boolean own, boolean isGone) {
        RemoteCluster toRemote() {
            List<RemoteInstance> instances = cluster.instances().stream()
                    .map(each -> new RemoteInstance(each.id(), each.properties()))
                    .toList();
            String leader = cluster.leader()
                    .map(AnnouncedInstance::id)
                    .orElse(instances.get(0).instanceId());
            return new RemoteCluster(cluster.id(), instances, leader, way);
        }
    }
}
