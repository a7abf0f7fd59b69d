// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Members of the local cluster with other settings than the instance that makes the report. A setting that a member does not publish does not count. */
public final class DifferentSettings {

    private static final int NAMED = 5;

    /** The property with the id that Oak gives a repository. */
    private static final String REPOSITORY = "oak.clusterid";

    private DifferentSettings() {}

    /** Returns a sentence for each setting that differs: what, where, and what to do. */
    public static Stream<String> of(TopologyReport report) {
        List<Said> all = report.clusters().stream()
                .filter(Cluster::local)
                .flatMap(cluster -> cluster.instances().stream())
                .map(Said::by)
                .toList();
        return all.stream().filter(said -> said.member().local()).flatMap(own -> own.settings().keySet().stream()
                .flatMap(key -> difference(key, own, all, report.names())));
    }

    private static Stream<String> difference(String key, Said own, List<Said> all, InstanceNames names) {
        Map<String, List<String>> others = all.stream()
                .filter(each -> !each.agrees(own, key))
                .collect(Collectors.groupingBy(
                        each -> each.settings().get(key),
                        TreeMap::new,
                        Collectors.mapping(each -> names.label(each.member().id()), Collectors.toList())));
        String found = others.entrySet().stream()
                .map(each -> each.getKey() + " on " + named(each.getValue()))
                .collect(Collectors.joining(", "));
        String advice = key.equals(REPOSITORY)
                ? "Sling jobs need one repository: give the members of each a clusterName of their own"
                : "give all members the same";
        String sentence = "settings of members differ: " + key + " is "
                + own.settings().get(key) + " here, " + found + "; " + advice;
        return others.isEmpty() ? Stream.empty() : Stream.of(sentence);
    }

    private static String named(List<String> labels) {
        String first = labels.stream().limit(NAMED).collect(Collectors.joining(" and "));
        return labels.size() > NAMED ? first + " and " + (labels.size() - NAMED) + " more" : first;
    }

    private record Said(Instance member, Map<String, String> settings) {

        static Said by(Instance member) {
            Map<String, String> settings = new LinkedHashMap<>();
            int session = member.member().record().sessionTimeoutMillis();
            if (session > 0) {
                settings.put("the session timeout in milliseconds", String.valueOf(session));
            }
            Stream.ofNullable(member.properties().get(REPOSITORY)).forEach(id -> settings.put(REPOSITORY, id));
            Stream.of(member.process().settings().split(" "))
                    .map(word -> word.split("=", 2))
                    .filter(word -> word.length == 2)
                    .forEach(word -> settings.put(word[0], word[1]));
            return new Said(member, settings);
        }

        boolean agrees(Said own, String key) {
            return settings.getOrDefault(key, own.settings.get(key)).equals(own.settings.get(key));
        }
    }
}
