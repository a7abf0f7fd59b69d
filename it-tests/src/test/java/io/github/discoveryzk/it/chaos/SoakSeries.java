// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.recorder.Entry.Measured;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What was measured of one process in a soak, in the order of time; the unit is a part of the name. */
record SoakSeries(String process, String what, List<Value> values) {

    /** What may be added to a twentieth: what differs by chance between two times, because instances come and go. */
    private static final Map<String, Integer> ALLOWANCES = Map.of(
            "heap (kB)", 512,
            "threads", 3,
            "open files", 4,
            "watches", 12,
            "znodes", 4,
            "ephemeral znodes", 4,
            "connections", 3,
            "sessions", 3);

    /** What was measured that many seconds after the begin. */
    record Value(double second, long value) {}

    /** Returns all series of a recording, until the servers were measured for the last time. */
    static List<SoakSeries> of(Recording recording) {
        List<Measured> all = recording.all(Measured.class);
        long begin = all.stream().mapToLong(Measured::at).min().orElse(0);
        long end = all.stream()
                .filter(each -> each.process().equals(Soak.SERVERS))
                .mapToLong(Measured::at)
                .max()
                .orElse(0);
        Map<String, SoakSeries> series = new LinkedHashMap<>();
        for (Measured each : all) {
            if (each.at() <= end) {
                double second = (each.at() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
                series.computeIfAbsent(
                                each.what() + " of " + each.process(),
                                any -> new SoakSeries(each.process(), each.what(), new ArrayList<>()))
                        .values()
                        .add(new Value(second, each.value()));
            }
        }
        return List.copyOf(series.values());
    }

    /** Returns the second of the last value. */
    double end() {
        return values.get(values.size() - 1).second();
    }

    /**
     * Compares the median of the last third of the time with that of the second sixth, when everything has been used for the first
     * time. Returns a sentence if it is greater by more than a twentieth and the allowance.
     */
    Optional<String> growth() {
        Integer allowance = ALLOWANCES.get(what);
        if (allowance == null) {
            return Optional.empty();
        }
        long early = median(1 / 6d, 1 / 3d);
        long late = median(2 / 3d, 1);
        return late <= early + early / 20 + allowance
                ? Optional.empty()
                : Optional.of("%s of %s: %d in the second sixth of the time, %d in the last third"
                        .formatted(what, process, early, late));
    }

    private long median(double from, double to) {
        List<Long> part = values.stream()
                .filter(each -> from * end() <= each.second() && each.second() <= to * end())
                .map(Value::value)
                .sorted()
                .toList();
        return part.get(part.size() / 2);
    }
}
