// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.environment.InstanceIdentity;

/**
 * A cluster as an announcement describes it.
 *
 * @param id the id of the cluster; characters as in instance ids
 * @param instances its instances in the order of the cluster. There is at least one, no two have the same id, and at most one
 *     leads: Sling accepts a cluster whose leader is not named
 */
public record AnnouncedCluster(String id, List<AnnouncedInstance> instances) {

    /**
     * Checks and copies the instances.
     *
     * @throws IllegalArgumentException when they are not as described
     */
    public AnnouncedCluster {
        requireLegal("cluster id", id);
        instances = List.copyOf(instances);
        if (instances.isEmpty()) {
            throw new IllegalArgumentException("cluster " + id + " has no instance");
        }
        Set<String> ids = new HashSet<>();
        for (AnnouncedInstance instance : instances) {
            if (!ids.add(instance.id())) {
                throw new IllegalArgumentException("cluster " + id + " has instance " + instance.id() + " twice");
            }
        }
        long leaders = instances.stream().filter(AnnouncedInstance::leader).count();
        if (leaders > 1) {
            throw new IllegalArgumentException("cluster " + id + " has " + leaders + " leaders");
        }
    }

    /** Returns the instance that leads, if one is named. */
    public Optional<AnnouncedInstance> leader() {
        return instances.stream().filter(AnnouncedInstance::leader).findFirst();
    }

    /** Returns this cluster led by its first instance if no leader is named, as Sling would not be able to show it otherwise. */
    public AnnouncedCluster led() {
        AnnouncedInstance first = instances.get(0);
        return leader().isPresent()
                ? this
                : new AnnouncedCluster(
                        id,
                        Stream.concat(
                                        Stream.of(new AnnouncedInstance(first.id(), true, first.properties())),
                                        instances.stream().skip(1))
                                .toList());
    }

    /** Says whether an instance with that id is in this cluster. */
    public boolean lists(String instanceId) {
        return listsAny(Set.of(instanceId));
    }

    /** Says whether an instance with one of those ids is in this cluster. */
    public boolean listsAny(Set<String> instanceIds) {
        return instances.stream().anyMatch(each -> instanceIds.contains(each.id()));
    }

    AnnouncedCluster withoutProperties() {
        return new AnnouncedCluster(
                id,
                instances.stream()
                        .map(each -> new AnnouncedInstance(each.id(), each.leader(), Map.of()))
                        .toList());
    }

    static void requireLegal(String what, String id) {
        // An id may become the name of a node or of a file, where dots alone have a meaning.
        if (!InstanceIdentity.isLegal(id) || id.chars().allMatch(c -> c == '.')) {
            throw new IllegalArgumentException(what + " " + Excerpt.quoted(id)
                    + " is not usable: 1 to 200 letters, digits, dots, underscores or hyphens are, but not only dots");
        }
    }
}
