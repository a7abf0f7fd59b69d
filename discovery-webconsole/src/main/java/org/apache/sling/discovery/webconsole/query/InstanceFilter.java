// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 */
public record InstanceFilter(Filter filter) {
    public static final String EXAMPLE = "(&(leader=false)(name=a*))";

    /** The configuration key of the name, under which users know it. */
    private static final String CONFIGURED_NAME = "sling.name";

    /** The framework parses nested parts by recursion, so a longer filter might exhaust the stack. */
    private static final int MAX_LENGTH = 4_000;

    /** A parenthesis after a backslash is a part of a value. */
    private static final Pattern BOOLEAN = Pattern.compile(
            "(?<!\\\\)\\(\\s*(leader|wasLeader|local|clusterLocal)\\s*[~<>]?=([^()]*)\\)", Pattern.CASE_INSENSITIVE);

    static InstanceFilter parse(String text) throws InvalidParameter {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidParameter("filter", text, "it is longer than " + MAX_LENGTH + " characters", EXAMPLE);
        }
        try {
            Filter filter = FrameworkUtil.createFilter(text);
            rejectOtherThanBoolean(text);
            return new InstanceFilter(filter);
        } catch (InvalidSyntaxException e) {
            throw new InvalidParameter("filter", text, "it is not an LDAP filter, " + e.getMessage(), EXAMPLE);
        }
    }

    /** The framework reads any other word as false, so a misspelled one would select the opposite. */
    private static void rejectOtherThanBoolean(String text) throws InvalidParameter {
        Matcher comparison = BOOLEAN.matcher(text);
        while (comparison.find()) {
            String value = comparison.group(2).strip().toLowerCase(Locale.ROOT);
            if (!List.of("true", "false", "*").contains(value)) {
                throw new InvalidParameter(
                        "filter", text, comparison.group(1) + " is either true or false, not " + value, EXAMPLE);
            }
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
        // A field that is not known matches no comparison; a property of its name stays hidden.
        attributes.values().removeIf(Objects::isNull);
        return attributes;
    }
}
