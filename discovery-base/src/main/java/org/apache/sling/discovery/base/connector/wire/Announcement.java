// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What one side of a connector tells the other: its own cluster and, nested, the announcements of further clusters. A loop
 * announcement is the reply of a server that declines to connect, and names nothing but its owner and the back-off.
 *
 * <p>All of it except the owner id and the ids in it is what the peer says. The time of creation is the peer's: no decision may
 * depend on it.
 *
 * @param ownerId the id of the instance that made it; characters as in all instance ids
 * @param created when it was written, in milliseconds since 1970 by the clock of the instance that wrote it
 * @param inherited whether its present holder got it as a client, from a reply
 * @param loop whether it is a loop announcement
 * @param serverInfo host name and port of the owner, for display only
 * @param cluster the cluster of the owner; absent exactly in a loop announcement
 * @param backoffSeconds how long the client shall wait before the next ping, at most {@link #LONGEST_BACKOFF_SECONDS}; 0 when
 *     nothing is said
 * @param resetBackoff whether the server shall begin its back-off again
 * @param nested the announcements of further clusters
 */
public record Announcement(
        String ownerId,
        long created,
        boolean inherited,
        boolean loop,
        Optional<String> serverInfo,
        Optional<AnnouncedCluster> cluster,
        long backoffSeconds,
        boolean resetBackoff,
        List<Announcement> nested) {

    /** The version of the protocol that this class describes. */
    public static final int PROTOCOL_VERSION = 1;

    /** A back-off of a peer that is longer is cut to this. */
    public static final long LONGEST_BACKOFF_SECONDS = 86_400;

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException when the owner id has other characters, the back-off is out of its range, the cluster of an
     *     ordinary announcement is missing, or a loop announcement has more than it may have or is nested
     */
    public Announcement {
        AnnouncedCluster.requireLegal("owner id", ownerId);
        Objects.requireNonNull(serverInfo, "serverInfo");
        nested = List.copyOf(nested);
        if (backoffSeconds < 0 || backoffSeconds > LONGEST_BACKOFF_SECONDS) {
            throw new IllegalArgumentException("a back-off of " + backoffSeconds + " seconds");
        }
        if (cluster.isEmpty() != loop) {
            throw new IllegalArgumentException("a cluster is in every announcement except in one with loop");
        }
        if (loop && (inherited || serverInfo.isPresent() || !nested.isEmpty())) {
            throw new IllegalArgumentException("an announcement with loop has only an owner and a back-off");
        }
        if (nested.stream().anyMatch(Announcement::loop)) {
            throw new IllegalArgumentException("a nested announcement has loop");
        }
    }

    /** Makes the announcement of a cluster, with nothing nested. */
    public static Announcement of(String ownerId, long created, AnnouncedCluster cluster) {
        return new Announcement(
                ownerId, created, false, false, Optional.empty(), Optional.of(cluster), 0, false, List.of());
    }

    /** Makes a loop announcement. */
    public static Announcement loop(String ownerId, long created, long backoffSeconds) {
        return new Announcement(
                ownerId, created, false, true, Optional.empty(), Optional.empty(), backoffSeconds, false, List.of());
    }

    /** Returns host and port as Sling writes them: the word {@code null} stands for a port that is not known. */
    public static String serverInfo(String host, Optional<String> port) {
        return host + ":" + port.orElse("null");
    }

    /** Returns this announcement with another time of creation, and so the nested ones, as Sling does on each sending. */
    public Announcement stamped(long time) {
        return new Announcement(
                ownerId,
                time,
                inherited,
                loop,
                serverInfo,
                cluster,
                backoffSeconds,
                resetBackoff,
                nested.stream().map(each -> each.stamped(time)).toList());
    }

    /** Returns this announcement as one that a client got from a reply. */
    public Announcement asInherited() {
        return new Announcement(
                ownerId, created, true, loop, serverInfo, cluster, backoffSeconds, resetBackoff, nested);
    }

    /** Returns this announcement with that server info. */
    public Announcement withServerInfo(String info) {
        return new Announcement(
                ownerId, created, inherited, loop, Optional.of(info), cluster, backoffSeconds, resetBackoff, nested);
    }

    /** Returns this announcement with that back-off; 0 for none. */
    public Announcement withBackoff(long seconds) {
        return new Announcement(ownerId, created, inherited, loop, serverInfo, cluster, seconds, resetBackoff, nested);
    }

    /** Returns this announcement with or without the demand that the server begin its back-off again. */
    public Announcement withResetBackoff(boolean reset) {
        return new Announcement(ownerId, created, inherited, loop, serverInfo, cluster, backoffSeconds, reset, nested);
    }

    /** Returns this announcement with those nested ones in place of its own. */
    public Announcement withNested(List<Announcement> announcements) {
        return new Announcement(
                ownerId, created, inherited, loop, serverInfo, cluster, backoffSeconds, resetBackoff, announcements);
    }

    /** Returns this announcement without the properties of the instances. */
    public Announcement withoutProperties() {
        return new Announcement(
                ownerId,
                created,
                inherited,
                loop,
                serverInfo,
                cluster.map(AnnouncedCluster::withoutProperties),
                backoffSeconds,
                resetBackoff,
                nested.stream().map(Announcement::withoutProperties).toList());
    }

    /** Returns this announcement without those that are nested directly in it and have that owner. */
    public Announcement withoutNestedOf(String owner) {
        return keeping(each -> !each.ownerId.equals(owner));
    }

    /**
     * Returns this announcement without the inherited ones that are nested directly in it and have that owner. For the owner that is
     * what it had told the peer itself. Those that are nested deeper stay, as they do in Sling.
     */
    public Announcement withoutInheritedOf(String owner) {
        return keeping(each -> !each.inherited || !each.ownerId.equals(owner));
    }

    private Announcement keeping(Predicate<Announcement> kept) {
        return nested.stream().allMatch(kept)
                ? this
                : withNested(nested.stream().filter(kept).toList());
    }

    /** Returns all announced clusters: the own one, then those of the nested announcements, recursively, in their order. */
    public List<AnnouncedCluster> clusters() {
        return all().flatMap(each -> each.cluster.stream()).toList();
    }

    /** Says whether an instance with that id is in one of the announced clusters. */
    public boolean lists(String instanceId) {
        return all().anyMatch(each ->
                each.cluster.filter(own -> own.lists(instanceId)).isPresent());
    }

    /** Says whether an instance with one of those ids is in one of the announced clusters. */
    public boolean listsAny(Set<String> instanceIds) {
        return all().flatMap(each -> each.cluster.stream())
                .flatMap(each -> each.instances().stream())
                .anyMatch(instance -> instanceIds.contains(instance.id()));
    }

    /** Returns the levels of this announcement: 1 with nothing nested. */
    public int depth() {
        return 1 + nested.stream().mapToInt(Announcement::depth).max().orElse(0);
    }

    /** Returns this announcement and all nested ones. */
    Stream<Announcement> all() {
        return Stream.concat(Stream.of(this), nested.stream().flatMap(Announcement::all));
    }

    /**
     * Says whether both tell the same about the topology, whenever they were written and whatever they say about the back-off. A
     * forced ping after an ordinary one is therefore the same; for Sling it is not.
     */
    public boolean sameContent(Announcement other) {
        return content().equals(other.content());
    }

    /** Returns this announcement without times and without what it says about the back-off. */
    public Announcement content() {
        return new Announcement(
                ownerId,
                0,
                inherited,
                loop,
                serverInfo,
                cluster,
                0,
                false,
                nested.stream().map(Announcement::content).toList());
    }

    /**
     * Returns why this announcement must not be registered, or nothing if it may be. Sling treats one that must not as a loop.
     */
    public Optional<String> registrationProblem() {
        if (cluster.isEmpty()) {
            return Optional.of("it is a loop announcement");
        }
        return cluster.get().lists(ownerId)
                ? Optional.empty()
                : Optional.of("its owner " + ownerId + " is not in its cluster "
                        + cluster.get().id());
    }
}
