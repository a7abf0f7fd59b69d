// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Metric.Type;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;

/** Counts what happens to an instance. Written by the engine's thread, read by any. */
public final class Counters {

    /** The buckets for the time that a change takes, in seconds. */
    private static final double[] LIMITS = {0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, Double.POSITIVE_INFINITY};

    private final Map<Counter, Map<String, Double>> counts = new EnumMap<>(Counter.class);

    Counters() {
        Stream.of(Counter.values()).forEach(each -> counts.put(each, new LinkedHashMap<>(each.zeros)));
    }

    /** Counts one request, by its kind. */
    public void count(Counter what, Request request) {
        count(what, Problems.kind(request.getClass()));
    }

    /** Counts one, by the value of a label, which is empty if there is none. */
    public void count(Counter what, String label) {
        add(what, label, 1);
    }

    private synchronized void add(Counter what, String label, double amount) {
        counts.get(what).merge(label, amount, Double::sum);
    }

    /** Counts a change that was settled, in each bucket that it fits in. */
    synchronized void countSettled(long tookMillis) {
        double seconds = tookMillis / 1_000.0;
        DoubleStream.of(LIMITS)
                .filter(limit -> seconds <= limit)
                .forEach(limit -> count(Counter.CHANGING_SECONDS, text(limit)));
        add(Counter.CHANGING_SECONDS, "", seconds);
    }

    /** Returns what is counted, with the present values. */
    public synchronized List<Metric> metrics() {
        return counts.entrySet().stream()
                .map(each -> each.getKey().metric(each.getValue()))
                .toList();
    }

    private static String text(double limit) {
        return limit == Double.POSITIVE_INFINITY ? Metric.INFINITE : String.valueOf(limit);
    }

    private static Stream<String> kinds() {
        return Stream.of(Request.class.getPermittedSubclasses()).map(Problems::kind);
    }

    /** The metrics that are counted. What can be named beforehand begins with 0, so that monitoring sees the first one as an increase. */
    public enum Counter {
        CHANGING_SECONDS(
                "time from CHANGING to CHANGED",
                "le",
                Stream.concat(DoubleStream.of(LIMITS).mapToObj(Counters::text), Stream.of(""))),
        EVENTS(
                "events sent to listeners",
                "type",
                Stream.of(TopologyEvent.Type.values()).map(Enum::name)),
        CHANGES("views on which this instance ceased to act", "reason", Stream.empty()),
        LEADER_CHANGES("views with another leadership than the one before", "", Stream.of("")),
        REQUESTS("requests to the store", "kind", kinds()),
        REQUEST_FAILURES("requests that the store rejected or left without a reply", "kind", kinds()),
        SHARED_WRITES(
                "writes of shared data",
                "outcome",
                Stream.of(Outcome.Status.values()).map(Enum::name)),
        RECONNECTS("usable connections to the store after the first", "", Stream.of(""));

        private final String help;
        private final String label;
        private final Map<String, Double> zeros = new LinkedHashMap<>();

        Counter(String help, String label, Stream<String> known) {
            this.help = help;
            this.label = label;
            known.forEach(each -> zeros.put(each, 0.0));
        }

        Metric metric(Map<String, Double> values) {
            Type type = this == CHANGING_SECONDS ? Type.HISTOGRAM : Type.COUNTER;
            return new Metric(name().toLowerCase(Locale.ROOT), type, help, label, values);
        }
    }
}
