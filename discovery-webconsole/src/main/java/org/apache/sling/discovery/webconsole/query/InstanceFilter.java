// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;

/**
 * An LDAP filter of instances with the rules of OSGi services: attribute names ignore case, values are exact. The
 * attributes are the properties of an instance and the fields of its report. A field hides a property of the same name,
 * so that a property cannot make an instance the leader.
 *
 * @param text its original form
 * @param filter its parsed form
 */
public record InstanceFilter(String text, Filter filter) {
    public static final String EXAMPLE = "(&(leader=false)(name=a*))";

    /** The configuration key of the name, under which users know it. */
    private static final String CONFIGURED_NAME = "sling.name";

    /** The framework parses nested parts by recursion, so a longer filter might exhaust the stack. */
    private static final int MAX_LENGTH = 4_000;

    static InstanceFilter parse(String text) throws InvalidParameter {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidParameter("filter", text, "it is longer than " + MAX_LENGTH + " characters", EXAMPLE);
        }
        try {
            return new InstanceFilter(text, FrameworkUtil.createFilter(text));
        } catch (InvalidSyntaxException e) {
            throw new InvalidParameter("filter", text, "it is not an LDAP filter, " + e.getMessage(), EXAMPLE);
        }
    }

    /** Returns the cluster with its matching instances only. */
    Cluster select(Cluster cluster) {
        return cluster.with(cluster.instances().stream()
                .filter(instance -> filter.matches(attributes(cluster, instance)))
                .toList());
    }

    private static Map<String, Object> attributes(Cluster cluster, Instance instance) {
        Map<String, List<String>> properties = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        instance.properties().forEach((name, value) -> properties
                .computeIfAbsent(name, unused -> new ArrayList<>())
                .add(value));
        Map<String, Object> attributes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        attributes.putAll(properties);
        instance.name().ifPresent(name -> attributes.putIfAbsent(CONFIGURED_NAME, name));
        Map<String, Object> fields = new Fields(InstanceNames.NONE).of(instance);
        fields.remove("properties");
        fields.remove("status");
        fields.put("state", instance.status().state().name());
        fields.put("cluster", cluster.id());
        fields.put("clusterLocal", cluster.local());
        attributes.putAll(fields);
        // The framework would read every word but true as false, so a misspelled one would select the opposite.
        attributes.replaceAll((name, value) -> value instanceof Boolean ? value.toString() : value);
        // A field that is not known matches no comparison; a property of its name stays hidden.
        attributes.values().removeIf(Objects::isNull);
        return attributes;
    }
}
