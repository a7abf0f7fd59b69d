// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.clusterinfo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.sling.discovery.InstanceDescription;

/**
 * The service properties of a node, with the names of table 148.1 of the specification. What a member says of itself beyond its id,
 * its cluster and its endpoints is in properties of discovery with the same names; lists are separated by commas there.
 */
final class NodeProperties {

    static final String TAGS = "osgi.clusterinfo.tags";

    /** Properties with one text. */
    static final List<String> TEXTS = List.of(
            "osgi.clusterinfo.cluster",
            "osgi.clusterinfo.parent",
            "osgi.clusterinfo.vendor",
            "osgi.clusterinfo.version",
            "osgi.clusterinfo.country",
            "osgi.clusterinfo.location",
            "osgi.clusterinfo.region",
            "osgi.clusterinfo.zone");

    /** Properties with several texts. */
    static final List<String> LISTS = List.of(TAGS, "osgi.clusterinfo.endpoint.private");

    /** The fields of {@code NodeStatusDTO} whose names are not in the table; such a property has both names. */
    private static final Map<String, String> FIELDS = Map.of(
            "osgi.clusterinfo.parent", "osgi.clusterinfo.parentid",
            "osgi.clusterinfo.endpoint", "osgi.clusterinfo.endpoints",
            "osgi.clusterinfo.endpoint.private", "osgi.clusterinfo.privateEndpoints");

    private NodeProperties() {}

    /** Returns the service properties of a member of the local cluster, without those that it does not say. */
    static Map<String, Object> of(InstanceDescription member) {
        Map<String, Object> all = new HashMap<>();
        all.put("osgi.clusterinfo.cluster", member.getClusterView().getId());
        TEXTS.forEach(name -> putText(all, name, member.getProperty(name)));
        LISTS.forEach(name -> putList(all, name, member.getProperty(name)));
        putList(all, "osgi.clusterinfo.endpoint", member.getProperty(InstanceDescription.PROPERTY_ENDPOINTS));
        all.put("osgi.clusterinfo.id", member.getSlingId());
        FIELDS.forEach((name, field) -> all.computeIfAbsent(field, same -> all.get(name)));
        return all;
    }

    private static void putText(Map<String, Object> all, String name, String text) {
        if (text != null && !text.isBlank()) {
            all.put(name, text.strip());
        }
    }

    private static void putList(Map<String, Object> all, String name, String text) {
        String[] texts = split(text).toArray(String[]::new);
        if (texts.length > 0) {
            all.put(name, texts);
        }
    }

    /** Splits a list, which may be null. */
    static Stream<String> split(String list) {
        return Stream.ofNullable(list)
                .flatMap(texts -> Stream.of(texts.split(",")))
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }
}
