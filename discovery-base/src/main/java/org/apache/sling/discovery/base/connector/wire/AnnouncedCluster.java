// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
        int leaders = 0;
        for (AnnouncedInstance instance : instances) {
            if (!ids.add(instance.id())) {
                throw new IllegalArgumentException("cluster " + id + " has instance " + instance.id() + " twice");
            }
            leaders += instance.leader() ? 1 : 0;
        }
        if (leaders > 1) {
            throw new IllegalArgumentException("cluster " + id + " has " + leaders + " leaders");
        }
    }

    /** Returns the instance that leads, if one is named. */
    public Optional<AnnouncedInstance> leader() {
        return instances.stream().filter(AnnouncedInstance::leader).findFirst();
    }

    /** Says whether an instance with that id is in this cluster. */
    public boolean lists(String instanceId) {
        return instances.stream().anyMatch(instance -> instance.id().equals(instanceId));
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
