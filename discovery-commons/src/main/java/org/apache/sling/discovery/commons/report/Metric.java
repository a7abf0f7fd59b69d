// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A metric of this instance with its present values. All ways to read metrics render this record.
 *
 * @param name its name with the unit, without prefix and suffix, in lower case with underscores
 * @param type its type
 * @param help what it means, a clause for display
 * @param samples its values
 */
public record Metric(String name, Type type, String help, List<Sample> samples) {

    private static final String PREFIX = "discovery_";

    public Metric {
        samples = List.copyOf(samples);
    }

    /** Returns a gauge with one value. */
    public static Metric gauge(String name, String help, double value) {
        return new Metric(name, Type.GAUGE, help, List.of(new Sample("", Map.of(), value)));
    }

    /** Returns a counter with one value. */
    public static Metric counter(String name, String help, double value) {
        return new Metric(name, Type.COUNTER, help, List.of(new Sample("", Map.of(), value)));
    }

    /** Returns a counter or gauge with one value for each value of a label. */
    public static Metric labelled(
            String name, Type type, String help, String label, Map<String, ? extends Number> all) {
        List<Sample> samples = new ArrayList<>();
        new TreeMap<>(all)
                .forEach((key, value) -> samples.add(new Sample("", Map.of(label, key), value.doubleValue())));
        return new Metric(name, type, help, samples);
    }

    /** Returns the name without the suffix of counters. */
    public String family() {
        return PREFIX + name;
    }

    /** Returns the name by which rules and dashboards find the metric. */
    public String fullName() {
        return family() + (type == Type.COUNTER ? "_total" : "");
    }

    /**
     * Returns the values of metrics by names that need no labels: the name without the prefix, then a dot and the value of a label. A
     * metric with labels also has a value without: the sum of a counter, the maximum of a gauge.
     */
    public static Map<String, Double> flat(List<Metric> metrics) {
        Map<String, Double> flat = new TreeMap<>();
        for (Metric metric : metrics) {
            String key = metric.fullName().substring(PREFIX.length());
            if (metric.type != Type.HISTOGRAM) {
                flat.put(key, 0.0);
            }
            for (Sample sample : metric.samples) {
                String name = key + sample.suffix().replace('_', '.');
                if (metric.type != Type.HISTOGRAM || sample.labels().isEmpty()) {
                    flat.merge(name, sample.value(), metric.type == Type.COUNTER ? Double::sum : Math::max);
                }
                sample.labels().values().forEach(label -> flat.put(name + "." + label, sample.value()));
            }
        }
        return flat;
    }

    /** The type of a metric, as monitoring systems name it. */
    public enum Type {
        /** A value that goes up and down. */
        GAUGE,
        /** A number since the start of the service. */
        COUNTER,
        /** How many values are at most as great as each of some limits, their sum and their count. */
        HISTOGRAM
    }

    /**
     * One value.
     *
     * @param suffix of a histogram {@code _bucket}, {@code _sum} or {@code _count}, otherwise empty
     * @param labels the labels, at most one
     * @param value the value
     */
    public record Sample(String suffix, Map<String, String> labels, double value) {
        public Sample {
            labels = Map.copyOf(labels);
        }
    }
}
