// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.format;

import java.util.Optional;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;

/** The names that people give to instances. */
public final class InstanceNames {
    /** The property in which an instance publishes its name. */
    private static final String PROPERTY = "org.apache.sling.instance.name";

    private InstanceNames() {}

    /** Returns the name of an instance, if it has one. */
    public static Optional<String> name(Instance instance) {
        return Optional.ofNullable(instance.properties().get(PROPERTY)).filter(name -> !name.isBlank());
    }

    /** Returns the name of an instance with the id beside it, or the id alone if the instance has no name. */
    public static String nameAndId(Instance instance) {
        return name(instance).map(name -> name + " (" + instance.id() + ")").orElse(instance.id());
    }

    /** Returns the same for an id; an instance that the report does not have is shown with its id. */
    public static String nameAndId(TopologyReport report, String id) {
        return report.clusters().stream()
                .flatMap(cluster -> cluster.instances().stream())
                .filter(instance -> instance.id().equals(id))
                .findFirst()
                .map(InstanceNames::nameAndId)
                .orElse(id);
    }
}
