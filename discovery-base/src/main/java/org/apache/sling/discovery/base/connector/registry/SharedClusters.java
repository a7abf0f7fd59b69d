// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.ArrayList;
import java.util.Comparator;
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
import org.apache.sling.discovery.base.connector.wire.Weight;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.RemoteCluster.RemoteInstance;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;

/**
 * Makes clusters of the announcements that instances share through the store. A cluster that is announced in several ways is taken from
 * the shortest way; of several as short ones the one that was taken before stays, so that no peer replaces another one.
 *
 * <p>The announcements of a member end with its session. If it left the local cluster, they count for a grace period, with lower
 * precedence than those that are shared: as long as their owners may be silent, because only they can take over, and at least
 * {@value #GRACE_MILLIS} ms. It ends when another announcement of the same owner is shared. Whether a member left or its connector ended
 * is known only when its member node is seen to be gone or not: that takes {@value #UNDECIDED_MILLIS} ms at most. A member that left and
 * comes back has still left.
 *
 * <p>It is used by one thread at a time, {@link #problems} by any.
 */
public final class SharedClusters {

    static final long GRACE_MILLIS = 10_000;

    static final long UNDECIDED_MILLIS = 500;

    /** The other half of a sixteenth of the heap is for the announcements as they are in the store. */
    private static final int PART_OF_HEAP = 32;

    private final Consumer<String> broken;
    private final SharedReader reader;

    private Map<Key, Entry> present = Map.of();
    private final Map<Key, Entry> gone = new TreeMap<>();
    private boolean roomier;
    private Set<SharedAnnouncement> forged = Set.of();
    private Set<List<String>> shown = Set.of();

    /**
     * Begins without announcements.
     *
     * @param broken receives a sentence once for each text that cannot be used
     */
    public SharedClusters(Consumer<String> broken) {
        this(broken, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /**
     * Begins without announcements.
     *
     * @param maxBytes how much memory all announcements may take
     */
    SharedClusters(Consumer<String> broken, long maxBytes) {
        this.broken = broken;
        this.reader = new SharedReader(broken, maxBytes);
    }

    /**
     * Takes the announcements as they are now.
     *
     * @param own what this instance holds itself, by the bytes that it shares
     */
    public void update(List<SharedAnnouncement> announcements, Map<Bytes, Announcement> own, long now) {
        keepGone(announcements.stream().map(Key::of).collect(Collectors.toSet()), now);
        long goneWeight = gone.values().stream()
                .mapToLong(each -> Weight.of(each.content().announcement()))
                .sum();
        Map<Bytes, Announcement> read = reader.readAll(announcements, own, goneWeight);
        roomier = false;
        Map<Key, Entry> next = new TreeMap<>();
        Set<SharedAnnouncement> nowForged = new HashSet<>();
        for (SharedAnnouncement each : announcements) {
            Optional<Announcement> announcement = Optional.ofNullable(read.get(each.content()));
            if (announcement.isPresent() && announcement.get().ownerId().equals(each.ownerId())) {
                SharedContent content = new SharedContent(each.holder(), each.ownCluster(), announcement.get());
                next.put(Key.of(each), new Entry(content, now, false));
            } else if (announcement.isPresent() && nowForged.add(each) && !forged.contains(each)) {
                broken.accept("An announcement that " + each.holder() + " shares as one of " + each.ownerId()
                        + " is of " + announcement.get().ownerId() + " and is ignored");
            }
        }
        forged = nowForged;
        keepGone(next.keySet(), now);
        Set<String> owners = next.keySet().stream().map(Key::owner).collect(Collectors.toSet());
        gone.keySet().removeIf(each -> owners.contains(each.owner()));
        present = next;
    }

    private void keepGone(Set<Key> shared, long now) {
        present.forEach((key, entry) -> {
            if (entry.content().ownCluster() && !shared.contains(key)) {
                gone.put(key, new Entry(entry.content(), now, false));
            }
        });
    }

    /** Returns which clusters are not shown completely, in words. */
    public List<String> problems() {
        return reader.problems();
    }

    /** Returns the announcements that are shared now and can be used. */
    public List<SharedContent> contents() {
        return present.values().stream().map(Entry::content).toList();
    }

    /**
     * Returns the clusters in the order of precedence, each once.
     *
     * @param live the members of the local cluster whose nodes are in the store; empty if that is not known
     */
    public List<RemoteCluster> clusters(Optional<Set<String>> live, long now) {
        live.ifPresent(
                members -> gone.replaceAll((key, each) -> members.contains(key.holder()) ? each : each.asLeft()));
        List<Candidate> all = new ArrayList<>();
        present.values().forEach(each -> add(each.content(), false, all));
        roomier |= gone.values().removeIf(each -> isOver(each, live, now))
                && !problems().isEmpty();
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
                .flatMapToLong(each ->
                        LongStream.of(UNDECIDED_MILLIS, each.graceMillis()).map(after -> each.since() + after))
                .filter(each -> each > now)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static boolean isOver(Entry entry, Optional<Set<String>> live, long now) {
        boolean ended = live.isPresent() && !entry.left();
        return now - entry.since() >= (ended ? UNDECIDED_MILLIS : entry.graceMillis());
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
     * @param left whether its holder was seen to have left the local cluster
     */
    private record Entry(SharedContent content, long since, boolean left) {

        Entry asLeft() {
            return left ? this : new Entry(content, since, true);
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
