// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * A metric of this instance with its present values. All ways to read metrics render this record.
 *
 * @param name its name with the unit, without prefix and suffix, in lower case with underscores
 * @param type its type
 * @param help what it means, a clause for display
 * @param label the name of its label, empty if it has none
 * @param values the values, in order, each by the value of the label; the only one of a metric without a label by the empty text
 */
public record Metric(String name, Type type, String help, String label, Map<String, Double> values) {

    private static final String PREFIX = "discovery_";

    /** The label of the greatest bucket of a histogram, whose value is the count. */
    public static final String INFINITE = "+Inf";

    public Metric {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Returns a gauge with one value. */
    public static Metric gauge(String name, String help, double value) {
        return new Metric(name, Type.GAUGE, help, "", Map.of("", value));
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
     * Returns a new map of the values of metrics by names that need no labels: the name without the prefix, then a dot and the value of a
     * label. A metric with labels also has a value without: the sum of a counter, the maximum of a gauge.
     */
    public static Map<String, Double> flat(List<Metric> metrics) {
        Map<String, Double> flat = new TreeMap<>();
        for (Metric metric : metrics) {
            boolean histogram = metric.type == Type.HISTOGRAM;
            String key = metric.fullName().substring(PREFIX.length());
            String labelled = key + (histogram ? ".bucket." : ".");
            String whole = key + (histogram ? ".sum" : "");
            BinaryOperator<Double> total = metric.type == Type.COUNTER ? Double::sum : Math::max;
            metric.values.forEach((label, value) -> flat.put(label.isEmpty() ? whole : labelled + label, value));
            if (histogram) {
                flat.put(key + ".count", metric.values.get(INFINITE));
            } else if (!metric.label.isEmpty()) {
                flat.put(key, metric.values.values().stream().reduce(0.0, total));
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
        /** How many values are at most as great as each of some limits, by label, and their sum, by the empty text. */
        HISTOGRAM
    }
}
