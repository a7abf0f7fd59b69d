// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.it.chaos.Recording.Listener;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Window;
import org.apache.sling.discovery.testing.laws.LawBroken;
import org.apache.sling.discovery.testing.laws.View;

/** The results of a run, as a text in Markdown. */
final class ChaosReport {

    private static final int MAX_EVIDENCE = 20;

    private final Recording recording;
    private final List<Window> rounds;

    private ChaosReport(Recording recording) {
        this.recording = recording;
        this.rounds = recording.windows.stream()
                .filter(window ->
                        !List.of("start", "end").contains(window.disturbance().kind()))
                .toList();
    }

    static String of(Recording recording, List<LawBroken> violations, long seed) {
        return new ChaosReport(recording).text(violations, seed);
    }

    private String text(List<LawBroken> violations, long seed) {
        Map<Window, Long> changing = longestChanging();
        List<String> lines = new ArrayList<>(List.of("# Chaos report", "", "| what | value |", "|---|---|"));
        figures(seed).forEach((name, value) -> lines.add("| " + name + " | " + value + " |"));
        lines.addAll(List.of(
                "",
                "| fault | rounds | longest CHANGING (ms) | longest until settled, of all members (ms) |",
                "|---|---|---|---|"));
        faults().forEach((kind, of) -> lines.add("| " + kind + " | " + of.size() + " | "
                + of.stream()
                        .mapToLong(round -> changing.getOrDefault(round, 0L))
                        .max()
                        .orElse(0) + " | "
                + recovery(kind) + " |"));
        lines.addAll(List.of(
                "",
                "A round may combine several faults; it counts for each of them. Until settled: since the end of the faults, the start"
                        + " of the last process and the end of the last quarantine.",
                "",
                "## Violations",
                "",
                violations.isEmpty() ? "None." : violations.size() + ", of which the first are:",
                ""));
        violations.stream().limit(MAX_EVIDENCE).forEach(violation -> lines.add("- " + violation));
        return String.join("\n", lines) + "\n";
    }

    private Map<String, Object> figures(long seed) {
        List<Window> all = recording.windows;
        long nanos = all.get(all.size() - 1).end() - all.get(0).begin();
        Map<String, Object> figures = new TreeMap<>();
        figures.put("seed", seed);
        figures.put("duration", TimeUnit.NANOSECONDS.toMinutes(nanos) + " min");
        figures.put("rounds", rounds.size());
        figures.put("views established", recording.views.size());
        figures.put(
                "leaderships",
                recording.views.stream().map(View::token).distinct().count());
        figures.put("events received", recording.received.size());
        figures.put("answers \"I am the current leader\"", recording.yes.size());
        figures.put("guarded writes accepted", recording.store.size());
        figures.put(
                "guarded writes refused",
                recording.writes.stream().filter(write -> !write.accepted()).count());
        figures.put("allowed until all are settled", SettlingBound.of(recording));
        figures.put("longest time without a settled instance", withoutView() + " ms");
        return figures;
    }

    private Map<String, List<Window>> faults() {
        Map<String, List<Window>> faults = new TreeMap<>();
        rounds.forEach(round -> round.disturbance().kinds().forEach(kind -> faults.computeIfAbsent(
                        kind, name -> new ArrayList<>())
                .add(round)));
        return faults;
    }

    private long recovery(String kind) {
        return Settling.of(recording).stream()
                .filter(settling -> settling.window().disturbance().kinds().contains(kind))
                .mapToLong(settling -> millis(settling.nanos()))
                .max()
                .orElse(0);
    }

    /** Returns for each round the longest time from CHANGING to CHANGED of a listener. */
    private Map<Window, Long> longestChanging() {
        Map<Window, Long> longest = new HashMap<>();
        for (Listener listener : recording.listeners()) {
            Received changing = null;
            for (Received call : recording.receivedBy(listener)) {
                if (changing != null && !call.isChanging()) {
                    long begin = changing.entered();
                    long millis = millis(call.entered() - begin);
                    rounds.stream()
                            .filter(round -> round.covers(begin))
                            .forEach(round -> longest.merge(round, millis, Math::max));
                }
                changing = call.isChanging() ? call : null;
            }
        }
        return longest;
    }

    /** Returns the longest time in which no container was settled. */
    private long withoutView() {
        Map<String, Boolean> settled = new HashMap<>();
        long longest = 0;
        long since = Recording.NEVER;
        for (Received call : recording.received) {
            if (call.by().isMain()) {
                // The next process of an instance replaces the one before: that is not settled, whatever its last event
                // was.
                settled.put(call.call().shown().local(), !call.isChanging());
                if (settled.containsValue(true)) {
                    longest = since == Recording.NEVER ? longest : Math.max(longest, call.entered() - since);
                    since = Recording.NEVER;
                } else if (since == Recording.NEVER) {
                    since = call.entered();
                }
            }
        }
        return millis(longest);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
