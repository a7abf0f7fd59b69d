// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What one side of a connector tells the other: its own cluster and, nested, the announcements of further clusters. A loop
 * announcement is the reply of a server that declines to connect, and names nothing but its owner and the back-off.
 *
 * <p>All of it except the owner id and the ids in it is what the peer says.
 *
 * @param ownerId the id of the instance that made it; characters as in all instance ids
 * @param cluster the cluster of the owner; absent exactly in a loop announcement
 * @param serverInfo host name and port of the owner, for display only
 * @param inherited whether its present holder got it as a client, from a reply
 * @param nested the announcements of further clusters
 * @param sending what it says about the message that carries it
 */
public record Announcement(
        String ownerId,
        Optional<AnnouncedCluster> cluster,
        Optional<String> serverInfo,
        boolean inherited,
        List<Announcement> nested,
        Sending sending) {

    /** The version of the protocol that this class describes. */
    public static final int PROTOCOL_VERSION = 1;

    /** A back-off of a peer that is longer is cut to this. */
    public static final long MAX_BACKOFF_SECONDS = 86_400;

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException when the owner id has other characters, or a loop announcement has more than it may have or is nested
     */
    public Announcement {
        AnnouncedCluster.requireLegal("owner id", ownerId);
        Objects.requireNonNull(serverInfo, "serverInfo");
        nested = List.copyOf(nested);
        if (cluster.isEmpty() && (inherited || serverInfo.isPresent() || !nested.isEmpty())) {
            throw new IllegalArgumentException("an announcement with loop has only an owner and a back-off");
        }
        if (nested.stream().anyMatch(Announcement::loop)) {
            throw new IllegalArgumentException("a nested announcement has loop");
        }
    }

    /**
     * What an announcement says about the message that carries it. It is not about the topology, so it makes no difference between two
     * announcements that an instance holds.
     *
     * @param created when it was written, in milliseconds since 1970 by the clock of its writer. No decision may depend on it
     * @param backoffSeconds how long the client shall wait before the next ping; 0 when nothing is said
     * @param resetBackoff whether the server shall begin its back-off again
     */
    public record Sending(long created, long backoffSeconds, boolean resetBackoff) {
        private static final Sending NONE = new Sending(0, 0, false);

        /**
         * Checks the back-off.
         *
         * @throws IllegalArgumentException when it is out of its range
         */
        public Sending {
            if (backoffSeconds < 0 || backoffSeconds > MAX_BACKOFF_SECONDS) {
                throw new IllegalArgumentException("a back-off of " + backoffSeconds + " seconds");
            }
        }
    }

    /** Returns the announcement of a cluster, with nothing nested. */
    public static Announcement of(String ownerId, long created, AnnouncedCluster cluster) {
        return new Announcement(
                ownerId, Optional.of(cluster), Optional.empty(), false, List.of(), new Sending(created, 0, false));
    }

    /** Returns a loop announcement. */
    public static Announcement loop(String ownerId, long created, long backoffSeconds) {
        Sending sending = new Sending(created, backoffSeconds, false);
        return new Announcement(ownerId, Optional.empty(), Optional.empty(), false, List.of(), sending);
    }

    /** Says whether this is a loop announcement. */
    public boolean loop() {
        return cluster.isEmpty();
    }

    /** Returns {@link Sending#created}. */
    public long created() {
        return sending.created;
    }

    /** Returns {@link Sending#backoffSeconds}. */
    public long backoffSeconds() {
        return sending.backoffSeconds;
    }

    /** Returns {@link Sending#resetBackoff}. */
    public boolean resetBackoff() {
        return sending.resetBackoff;
    }

    /** Returns this announcement with another time of creation, and so the nested ones, as Sling does on each sending. */
    public Announcement stamped(long time) {
        return with(new Sending(time, backoffSeconds(), resetBackoff()))
                .withNested(nested.stream().map(each -> each.stamped(time)).toList());
    }

    /** Returns this announcement with that back-off; 0 for none. */
    public Announcement withBackoff(long seconds) {
        return with(new Sending(created(), seconds, resetBackoff()));
    }

    /** Returns this announcement with or without the demand that the server begin its back-off again. */
    public Announcement withResetBackoff(boolean reset) {
        return with(new Sending(created(), backoffSeconds(), reset));
    }

    private Announcement with(Sending other) {
        return new Announcement(ownerId, cluster, serverInfo, inherited, nested, other);
    }

    /** Returns this announcement as one that a client got from a reply, or as one that a server got from a ping. */
    public Announcement asInherited(boolean fromReply) {
        return new Announcement(ownerId, cluster, serverInfo, fromReply, nested, sending);
    }

    /** Returns this announcement with that server info. */
    public Announcement withServerInfo(String info) {
        return new Announcement(ownerId, cluster, Optional.of(info), inherited, nested, sending);
    }

    /** Returns this announcement with those nested ones in place of its own. */
    public Announcement withNested(List<Announcement> announcements) {
        return new Announcement(ownerId, cluster, serverInfo, inherited, announcements, sending);
    }

    /** Returns this announcement with its own cluster changed. */
    public Announcement withCluster(UnaryOperator<AnnouncedCluster> change) {
        return new Announcement(ownerId, cluster.map(change), serverInfo, inherited, nested, sending);
    }

    /** Returns this announcement without the properties of the instances. */
    public Announcement withoutProperties() {
        return withCluster(AnnouncedCluster::withoutProperties)
                .withNested(nested.stream().map(Announcement::withoutProperties).toList());
    }

    /**
     * Returns this announcement without the inherited ones that are nested directly in it and have that owner. For the owner that is
     * what it had told the peer itself. Those that are nested deeper stay, as they do in Sling.
     */
    public Announcement withoutInheritedOf(String owner) {
        return withNested(nested.stream()
                .filter(each -> !each.inherited || !each.ownerId.equals(owner))
                .toList());
    }

    /**
     * Returns what this announcement tells about the topology, without what it and the nested ones say about messages. A forced ping
     * after an ordinary one therefore has the same content; for Sling it has not.
     */
    public Announcement content() {
        return with(Sending.NONE)
                .withNested(nested.stream().map(Announcement::content).toList());
    }

    /** Says whether an instance with that id is in one of the announced clusters. */
    public boolean lists(String instanceId) {
        return listsAny(Set.of(instanceId));
    }

    /** Says whether an instance with one of those ids is in one of the announced clusters. */
    public boolean listsAny(Set<String> instanceIds) {
        return all().flatMap(each -> each.cluster.stream()).anyMatch(each -> each.listsAny(instanceIds));
    }

    /** Returns the levels of this announcement: 1 with nothing nested. */
    public int depth() {
        return 1 + nested.stream().mapToInt(Announcement::depth).max().orElse(0);
    }

    /** Returns this announcement and all nested ones. */
    Stream<Announcement> all() {
        return Stream.concat(Stream.of(this), nested.stream().flatMap(Announcement::all));
    }

    /** Returns why this announcement must not be registered, or nothing if it may be. Sling treats one that must not as a loop. */
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
