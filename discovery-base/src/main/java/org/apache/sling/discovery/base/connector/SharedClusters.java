// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

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
import org.apache.sling.discovery.base.connector.wire.WireLimits;
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
 * <p>It is used by one thread at a time.
 */
final class SharedClusters {

    static final long GRACE_MILLIS = 10_000;

    static final long UNDECIDED_MILLIS = 500;

    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);

    private final Consumer<String> broken;

    private Map<Key, Entry> present = Map.of();
    private final Map<Key, Entry> gone = new TreeMap<>();
    private Map<String, Optional<Announcement>> parsed = Map.of();
    private Set<SharedAnnouncement> forged = Set.of();
    private Set<List<String>> shown = Set.of();

    /**
     * Makes one without announcements.
     *
     * @param broken receives a sentence once for each text that cannot be used
     */
    SharedClusters(Consumer<String> broken) {
        this.broken = broken;
    }

    /** Takes the announcements as they are now. */
    void update(List<SharedAnnouncement> announcements, long now) {
        Map<String, Optional<Announcement>> texts = new HashMap<>();
        Map<Key, Entry> next = new TreeMap<>();
        for (SharedAnnouncement each : announcements) {
            Optional<Announcement> announcement =
                    texts.computeIfAbsent(each.content(), text -> Optional.ofNullable(parsed.get(text))
                            .orElseGet(() -> parse(each)));
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
                .filter(each -> texts.get(each.content())
                        .filter(known -> !known.ownerId().equals(each.ownerId()))
                        .isPresent())
                .collect(Collectors.toSet());
        present.forEach((key, entry) -> {
            if (entry.content().ownCluster() && !next.containsKey(key)) {
                gone.put(key, new Entry(entry.content(), now, false));
            }
        });
        Set<String> owners = next.keySet().stream().map(Key::owner).collect(Collectors.toSet());
        gone.keySet().removeIf(each -> owners.contains(each.owner()));
        present = next;
        parsed = texts;
    }

    private Optional<Announcement> parse(SharedAnnouncement shared) {
        try {
            return Optional.of(CODEC.read(shared.content()));
        } catch (InvalidMessage e) {
            broken.accept("An announcement of " + shared.ownerId() + " that " + shared.holder()
                    + " shares cannot be used and is ignored: " + e.getMessage());
        }
        return Optional.empty();
    }

    /** Returns the announcements that are shared now and can be used. */
    List<SharedContent> contents() {
        return present.values().stream().map(Entry::content).toList();
    }

    /**
     * Returns the clusters in the order of precedence, each once.
     *
     * @param live the members of the own cluster whose nodes are in the store; empty if that is not known
     */
    List<RemoteCluster> clusters(Optional<Set<String>> live, long now) {
        live.ifPresent(
                members -> gone.replaceAll((key, each) -> members.contains(key.holder()) ? each : each.asLeft()));
        List<Candidate> all = new ArrayList<>();
        present.values().forEach(each -> add(each.content(), false, all));
        Set<String> shared = all.stream().map(each -> each.cluster().id()).collect(Collectors.toSet());
        gone.values().removeIf(each -> isOver(each, live, shared, now));
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
    long changesAt(long now) {
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

    private record Key(String holder, String owner) implements Comparable<Key> {
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
