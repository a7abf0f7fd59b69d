// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.format;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;

/** The names of the instances of a report by their ids. An instance without a name of its own is named by its id. */
public final class InstanceNames {
    /** No instance has a name. */
    public static final InstanceNames NONE = new InstanceNames(Map.of());

    private static final List<String> PROPERTIES = List.of("org.apache.sling.instance.name", "sling.name");
    private static final Pattern UUID = Pattern.compile("([0-9a-fA-F]{8})(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private final Map<String, String> byId;

    private InstanceNames(Map<String, String> byId) {
        this.byId = byId;
    }

    public static InstanceNames of(TopologyReport report) {
        Map<String, String> byId = new HashMap<>();
        report.clusters().stream()
                .flatMap(cluster -> cluster.instances().stream())
                .forEach(instance -> name(instance).ifPresent(name -> byId.put(instance.id(), name)));
        return new InstanceNames(byId);
    }

    private static Optional<String> name(Instance instance) {
        return PROPERTIES.stream()
                .map(instance.properties()::get)
                .filter(name -> name != null && !name.isBlank() && !name.equals(instance.id()))
                .findFirst();
    }

    /** Returns the name of an instance; empty when it has none but its id. */
    public Optional<String> name(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Returns the first eight characters of a UUID, which tell instances apart, and other ids as they are. */
    public static String shortId(String id) {
        return UUID.matcher(id).replaceFirst("$1");
    }
}
