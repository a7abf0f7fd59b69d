// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.Announcement.Weight;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
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

    private final SharedReader reader;

    /** By holder and owner. */
    private Map<String, SharedContent> present = Map.of();

    private final Map<String, Gone> gone = new TreeMap<>();
    private Set<List<String>> shown = Set.of();

    /**
     * Begins without announcements.
     *
     * @param broken receives a sentence once for each text that cannot be used
     * @param maxBytes how much memory all announcements may take
     */
    public SharedClusters(Consumer<String> broken, long maxBytes) {
        this.reader = new SharedReader(broken, maxBytes);
    }

    private static String key(String holder, String owner) {
        return holder + " " + owner;
    }

    /** Takes the announcements as they are now. */
    public void update(List<SharedAnnouncement> announcements, long now) {
        keepGone(
                announcements.stream()
                        .map(each -> key(each.holder(), each.ownerId()))
                        .collect(Collectors.toSet()),
                now);
        long goneWeight = gone.values().stream()
                .mapToLong(each -> Weight.of(each.content().announcement()))
                .sum();
        Map<String, SharedContent> next = new TreeMap<>();
        Set<String> owners = new HashSet<>();
        for (SharedContent each : reader.readAll(announcements, goneWeight)) {
            next.put(key(each.holder(), each.announcement().ownerId()), each);
            owners.add(each.announcement().ownerId());
        }
        keepGone(next.keySet(), now);
        gone.values()
                .removeIf(each -> owners.contains(each.content().announcement().ownerId()));
        present = next;
    }

    private void keepGone(Set<String> shared, long now) {
        present.forEach((key, content) -> {
            if (content.ownCluster() && !shared.contains(key)) {
                gone.put(key, new Gone(content, now, false));
            }
        });
    }

    /** Returns which clusters are not shown completely, in words. */
    public List<String> problems() {
        return reader.problems();
    }

    /** Returns the announcements that are shared now and can be used. */
    public List<SharedContent> contents() {
        return List.copyOf(present.values());
    }

    /** Says whether {@link #clusters} will return others although nothing is shared differently. */
    public boolean isPending() {
        return !gone.isEmpty();
    }

    /**
     * Returns the clusters in the order of precedence, each once.
     *
     * @param live the members of the local cluster whose nodes are in the store; empty if that is not known
     */
    public List<RemoteCluster> clusters(Optional<Set<String>> live, long now) {
        live.ifPresent(members -> gone.replaceAll((key, each) ->
                members.contains(each.content().holder()) ? each : new Gone(each.content(), each.since(), true)));
        gone.values().removeIf(each -> isOver(each, live, now));
        List<Candidate> all = new ArrayList<>();
        present.values()
                .forEach(each -> add(each.announcement(), List.of(each.holder()), each.ownCluster(), false, all));
        gone.values()
                .forEach(each -> add(
                        each.content().announcement(), List.of(each.content().holder()), true, true, all));
        all.sort(Comparator.comparing(Candidate::isGone)
                .thenComparing(each -> each.way().size())
                .thenComparing(each -> !each.own())
                .thenComparing(each -> !shown.contains(each.way()))
                .thenComparing(each -> String.join(" ", each.way())));
        Set<String> known = new HashSet<>();
        List<RemoteCluster> clusters = all.stream()
                .map(Candidate::cluster)
                .filter(each -> known.add(each.id()))
                .toList();
        shown = clusters.stream().map(RemoteCluster::way).collect(Collectors.toSet());
        return clusters;
    }

    private static boolean isOver(Gone entry, Optional<Set<String>> live, long now) {
        boolean ended = live.isPresent() && !entry.left();
        return now - entry.since() >= (ended ? UNDECIDED_MILLIS : entry.graceMillis());
    }

    private static void add(
            Announcement announcement, List<String> before, boolean own, boolean isGone, List<Candidate> all) {
        List<String> way = new ArrayList<>(before);
        way.add(announcement.ownerId());
        RemoteCluster cluster = announcement.cluster();
        all.add(new Candidate(
                new RemoteCluster(cluster.id(), cluster.instances(), cluster.leader(), way), own, isGone));
        announcement.nested().forEach(each -> add(each, way, own, isGone, all));
    }

    /**
     * An announcement that is no longer shared.
     *
     * @param since when it was no longer shared
     * @param left whether its holder was seen to have left the local cluster
     */
    private record Gone(SharedContent content, long since, boolean left) {

        long graceMillis() {
            return Math.max(GRACE_MILLIS, content.silenceSeconds() * 1_000);
        }
    }

    /** A cluster on one way. */
    private record Candidate(RemoteCluster cluster, boolean own, boolean isGone) {

        List<String> way() {
            return cluster.way();
        }
    }

    /**
     * An announcement that an instance shares through the store, as an object.
     *
     * @param holder the instance that holds it
     * @param ownCluster whether the holder is in the local cluster; otherwise it is in another cluster of the same store
     * @param announcement the announcement
     * @param silenceSeconds how long its owner may be silent before it pings again; 0 if the holder pings
     */
    public record SharedContent(String holder, boolean ownCluster, Announcement announcement, long silenceSeconds) {}
}
