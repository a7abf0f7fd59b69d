// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.sling.discovery.base.environment.InstanceIdentity;

/**
 * An instance of an announced cluster.
 *
 * @param id its instance id; characters as {@link InstanceIdentity#isLegal} says
 * @param leader whether it leads its cluster
 * @param properties its properties, by name; names have letters, digits, dots, underscores and hyphens only
 */
public record AnnouncedInstance(String id, boolean leader, Map<String, String> properties) {

    private static final Pattern LEGAL_NAME = Pattern.compile("[a-zA-Z0-9._-]+");

    /**
     * Checks id and names, and copies the properties.
     *
     * @throws IllegalArgumentException when one of them has other characters
     */
    public AnnouncedInstance {
        AnnouncedCluster.requireLegal("instance id", id);
        TreeMap<String, String> sorted = new TreeMap<>(properties);
        sorted.forEach((name, value) -> {
            Objects.requireNonNull(value, name);
            if (!isLegalName(name)) {
                throw new IllegalArgumentException("property name " + Excerpt.quoted(name) + " is not usable");
            }
        });
        properties = Collections.unmodifiableMap(sorted);
    }

    /** Makes an announced instance without the properties whose names have other characters. */
    public static AnnouncedInstance of(String id, boolean leader, Map<String, String> properties) {
        Map<String, String> usable = new TreeMap<>(properties);
        usable.keySet().removeIf(name -> !isLegalName(name));
        return new AnnouncedInstance(id, leader, usable);
    }

    static boolean isLegalName(String name) {
        return LEGAL_NAME.matcher(name).matches();
    }
}
