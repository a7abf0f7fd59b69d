// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.recorder.Entry.Accepted;
import io.github.discoveryzk.it.chaos.recorder.Entry.Answered;
import io.github.discoveryzk.it.chaos.recorder.Entry.Begun;
import io.github.discoveryzk.it.chaos.recorder.Entry.Progressed;
import io.github.discoveryzk.it.chaos.recorder.Entry.Window;
import io.github.discoveryzk.it.chaos.recorder.Entry.Write;
import io.github.discoveryzk.it.chaos.recorder.Entry.Yes;
import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The results of a run, as a text in Markdown. */
final class ChaosReport {

    private static final int MAX_EVIDENCE = 20;

    private ChaosReport() {}

    static String of(Recording recording, List<LawBroken> violations, long seed) {
        List<String> lines = new ArrayList<>(List.of("# Chaos report", "", "| what | value |", "|---|---|"));
        figures(recording, seed).forEach((name, value) -> lines.add("| " + name + " | " + value + " |"));
        lines.addAll(List.of("", "| fault | rounds | longest until settled, of all members (ms) |", "|---|---|---|"));
        Map<String, Long> rounds = new TreeMap<>();
        recording
                .all(Window.class)
                .forEach(round -> round.disturbance().kinds().forEach(kind -> rounds.merge(kind, 1L, Long::sum)));
        rounds.forEach(
                (kind, count) -> lines.add("| " + kind + " | " + count + " | " + recovery(recording, kind) + " |"));
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

    private static Map<String, Object> figures(Recording recording, long seed) {
        List<Window> windows = recording.all(Window.class);
        long nanos = windows.get(windows.size() - 1).end() - windows.get(0).begin();
        Map<String, Object> figures = new TreeMap<>();
        figures.put("seed", seed);
        figures.put("duration", TimeUnit.NANOSECONDS.toMinutes(nanos) + " min");
        figures.put("rounds", windows.size() - 2);
        figures.put("views established", recording.views().size());
        figures.put(
                "leaderships",
                recording.views().stream().map(View::token).distinct().count());
        figures.put("events received", recording.calls().size());
        figures.put(
                "answers \"I am the current leader\"", recording.all(Yes.class).size());
        figures.put("guarded writes accepted", recording.all(Accepted.class).size());
        figures.put(
                "guarded writes refused",
                recording.all(Write.class).stream()
                        .filter(write -> !write.accepted())
                        .count());
        recording.all(Answered.class).stream()
                .collect(
                        Collectors.groupingBy(each -> "writes of shared data: " + each.result(), Collectors.counting()))
                .forEach(figures::put);
        figures.put("keys begun", recording.all(Begun.class).size());
        recording.all(Progressed.class).stream()
                .collect(Collectors.groupingBy(
                        each -> "writes with an ownership: " + each.result(), Collectors.counting()))
                .forEach(figures::put);
        figures.put("allowed until all are settled", SettlingBound.of(recording));
        return figures;
    }

    private static long recovery(Recording recording, String kind) {
        return SettlingBound.settlings(recording).stream()
                .filter(settling -> settling.window().disturbance().kinds().contains(kind))
                .mapToLong(settling -> TimeUnit.NANOSECONDS.toMillis(settling.nanos()))
                .max()
                .orElse(0);
    }
}
