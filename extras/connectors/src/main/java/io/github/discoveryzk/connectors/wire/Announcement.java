// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import io.github.discoveryzk.model.ForeignText;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What an instance tells of the topology: its own cluster and, nested, the announcements of further clusters. All of it except the ids
 * is what the peer says.
 *
 * @param ownerId the id of the instance that made it; characters as in all instance ids
 * @param cluster the cluster of the owner
 * @param serverInfo host name and port of the owner, for display only
 * @param inherited whether its present holder got it as a client, from a reply
 * @param nested the announcements of further clusters
 */
public record Announcement(
        String ownerId,
        RemoteCluster cluster,
        Optional<String> serverInfo,
        boolean inherited,
        List<Announcement> nested) {

    private static final Pattern LEGAL_NAME =
            Pattern.compile("[a-zA-Z0-9._-]{1," + WireLimits.MAX_NAME_CHARACTERS + "}");

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException when an id has other characters than instance ids have
     */
    public Announcement {
        requireLegal("owner id", ownerId);
        requireLegal("cluster id", cluster.id());
        cluster.instances().forEach(each -> requireLegal("instance id", each.instanceId()));
        nested = List.copyOf(nested);
    }

    /** Makes the announcement of an owner for its cluster and further ones. */
    public static Announcement of(String ownerId, RemoteCluster cluster, Announcement... nested) {
        return new Announcement(ownerId, cluster, Optional.empty(), false, List.of(nested));
    }

    static void requireLegal(String what, String id) {
        if (!ForeignText.isId(id)) {
            throw new IllegalArgumentException(what + " " + Excerpt.quoted(id)
                    + " is not usable: 1 to 200 letters, digits, dots, underscores or hyphens are, but not only dots");
        }
    }

    /** Returns an instance without the properties whose names are too long or have other characters than peers accept. */
    public static RemoteInstance announceable(String instanceId, Map<String, String> properties) {
        Map<String, String> legal = new HashMap<>(properties);
        legal.keySet().removeIf(name -> !isLegalName(name));
        return new RemoteInstance(instanceId, legal);
    }

    static boolean isLegalName(String name) {
        return LEGAL_NAME.matcher(name).matches();
    }

    /** Returns this announcement as one that a client got from a reply, or as one that a server got from a ping. */
    public Announcement asInherited(boolean fromReply) {
        return new Announcement(ownerId, cluster, serverInfo, fromReply, nested);
    }

    /** Returns this announcement with that server info. */
    public Announcement withServerInfo(String info) {
        return new Announcement(ownerId, cluster, Optional.of(info), inherited, nested);
    }

    /** Returns this announcement with those nested ones in place of its own. */
    public Announcement withNested(List<Announcement> announcements) {
        return new Announcement(ownerId, cluster, serverInfo, inherited, announcements);
    }

    /** Returns this announcement without the properties of the instances. */
    public Announcement withoutProperties() {
        return new Announcement(
                ownerId,
                withoutProperties(cluster),
                serverInfo,
                inherited,
                nested.stream().map(Announcement::withoutProperties).toList());
    }

    static RemoteCluster withoutProperties(RemoteCluster cluster) {
        List<RemoteInstance> bare = cluster.instances().stream()
                .map(each -> new RemoteInstance(each.instanceId(), Map.of()))
                .toList();
        return new RemoteCluster(cluster.id(), bare, cluster.leader());
    }

    /**
     * Returns this announcement without the inherited ones that are nested directly in it and have that owner. For the owner that is
     * what it had announced to the peer itself. Those that are nested deeper stay, as they do in Sling.
     */
    public Announcement withoutInheritedOf(String owner) {
        return withNested(nested.stream()
                .filter(each -> !each.inherited || !each.ownerId.equals(owner))
                .toList());
    }

    /** Says whether its owner is an instance of its cluster. Sling treats one for which that is not so as a loop. */
    public boolean isConsistent() {
        return cluster.instanceIds().contains(ownerId);
    }

    /** Says whether an instance with that id is in one of the announced clusters. */
    public boolean lists(String instanceId) {
        return listsAny(Set.of(instanceId));
    }

    /** Says whether an instance with one of those ids is in one of the announced clusters. */
    public boolean listsAny(Set<String> instanceIds) {
        return all().anyMatch(each -> !Collections.disjoint(instanceIds, each.cluster.instanceIds()));
    }

    /** Returns the levels of this announcement: 1 with nothing nested. */
    int depth() {
        return 1 + nested.stream().mapToInt(Announcement::depth).max().orElse(0);
    }

    /** Returns this announcement and all nested ones. */
    Stream<Announcement> all() {
        return Stream.concat(Stream.of(this), nested.stream().flatMap(Announcement::all));
    }

    /** Estimates the bytes of memory that an announcement takes as an object, with the clusters that are made of it. */
    public static final class Weight {
        static final long ANNOUNCEMENT = 400;
        static final long INSTANCE = 300;
        private static final long PROPERTY = 100;
        private static final long TEXT = 56;
        private static final int LAST_OF_ONE_BYTE = 0xFF;

        private Weight() {}

        /** Returns the estimate for an announcement with all that is nested in it. */
        public static long of(Announcement announcement) {
            return announcement.all().mapToLong(each -> of(each.cluster())).sum();
        }

        static long of(RemoteCluster cluster) {
            long weight = ANNOUNCEMENT;
            for (RemoteCluster.RemoteInstance instance : cluster.instances()) {
                weight += INSTANCE + of(instance.instanceId());
                for (Map.Entry<String, String> property : instance.properties().entrySet()) {
                    weight += of(property.getKey(), property.getValue());
                }
            }
            return weight;
        }

        static long of(String name, String value) {
            return PROPERTY + of(name) + of(value);
        }

        static long of(String text) {
            boolean wide = text.chars().anyMatch(each -> each > LAST_OF_ONE_BYTE);
            return TEXT + (wide ? 2L : 1L) * text.length();
        }
    }
}
