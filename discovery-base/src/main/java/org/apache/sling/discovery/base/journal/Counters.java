// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.commons.report.Metric;
import org.apache.sling.discovery.commons.report.Metric.Sample;
import org.apache.sling.discovery.commons.spi.Request;

/** Counts what happens to an instance. Written by the engine's thread, read by any. */
public final class Counters {

    /** The buckets for the time that a change takes, in milliseconds. */
    private static final long[] LIMITS = {
        10, 50, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000, 300_000, Long.MAX_VALUE
    };

    // What can be named beforehand begins with 0, so that monitoring sees the first one as an increase.
    private final Map<String, LongAdder> events =
            zeros(Stream.of(TopologyEvent.Type.values()).map(Enum::name));
    private final Map<String, LongAdder> changes = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> requests =
            zeros(Stream.of(Request.class.getPermittedSubclasses()).map(Counters::word));
    private final Map<String, LongAdder> failures = zeros(requests.keySet().stream());
    private final LongAdder connections = new LongAdder();
    private final LongAdder leaderships = new LongAdder();
    private final LongAdder[] settled =
            Stream.generate(LongAdder::new).limit(LIMITS.length).toArray(LongAdder[]::new);
    private final LongAdder changingMillis = new LongAdder();

    private static Map<String, LongAdder> zeros(Stream<String> keys) {
        Map<String, LongAdder> counts = new ConcurrentHashMap<>();
        keys.forEach(key -> counts.put(key, new LongAdder()));
        return counts;
    }

    private static String word(Class<?> kind) {
        return kind.getSimpleName().toLowerCase(Locale.ROOT);
    }

    void countEvent(TopologyEvent.Type type) {
        events.get(type.name()).increment();
    }

    void countChange(String reason) {
        changes.computeIfAbsent(reason, any -> new LongAdder()).increment();
    }

    void countLeadership() {
        leaderships.increment();
    }

    /** Counts a change that was settled, in each bucket that it fits in. */
    void countSettled(long tookMillis) {
        for (int i = LIMITS.length - 1; i >= 0 && tookMillis <= LIMITS[i]; i--) {
            settled[i].increment();
        }
        changingMillis.add(tookMillis);
    }

    public void countRequest(Request request) {
        requests.get(word(request.kind())).increment();
    }

    /** Counts a request that the store has rejected or has not replied to. */
    void countFailure(Request request) {
        failures.get(word(request.kind())).increment();
    }

    public void countConnection() {
        connections.increment();
    }

    /** Returns what is counted, with the present values. */
    public List<Metric> metrics() {
        long reconnects = Math.max(0, connections.sum() - 1);
        return List.of(
                changing(),
                labelled("events", "events sent to listeners", "type", events),
                labelled("changes", "views on which this instance ceased to act", "reason", changes),
                Metric.counter(
                        "leader_changes", "views with another leadership than the one before", leaderships.sum()),
                labelled("requests", "requests to the store", "kind", requests),
                labelled(
                        "request_failures",
                        "requests that the store rejected or left without a reply",
                        "kind",
                        failures),
                Metric.counter("reconnects", "usable connections to the store after the first", reconnects));
    }

    private static Metric labelled(String name, String help, String label, Map<String, LongAdder> counts) {
        return Metric.labelled(name, Metric.Type.COUNTER, help, label, counts);
    }

    private Metric changing() {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < LIMITS.length; i++) {
            String limit = LIMITS[i] == Long.MAX_VALUE ? "+Inf" : String.valueOf(LIMITS[i] / 1_000.0);
            samples.add(new Sample("_bucket", Map.of("le", limit), settled[i].sum()));
        }
        samples.add(new Sample("_count", Map.of(), settled[LIMITS.length - 1].sum()));
        samples.add(new Sample("_sum", Map.of(), changingMillis.sum() / 1_000.0));
        String help = "time from CHANGING to CHANGED";
        return new Metric("changing_seconds", Metric.Type.HISTOGRAM, help, samples);
    }
}
