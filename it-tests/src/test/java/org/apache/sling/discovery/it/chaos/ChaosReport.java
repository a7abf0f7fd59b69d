// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.it.chaos.LawChecker.Violation;
import org.apache.sling.discovery.it.chaos.Recording.Listener;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Window;

/** The results of a run, as a text. */
final class ChaosReport {

    private static final int MOST_EVIDENCE = 20;

    private final Recording recording;
    private final long seed;

    ChaosReport(Recording recording, long seed) {
        this.recording = recording;
        this.seed = seed;
    }

    /** Returns the report in Markdown. */
    String text() {
        List<Violation> violations = LawChecker.check(recording);
        List<Window> windows = recording.windows();
        long nanos = windows.get(windows.size() - 1).end() - windows.get(0).begin();
        List<String> lines = new ArrayList<>(List.of(
                "# Chaos report",
                "",
                "| what | value |",
                "|---|---|",
                row("seed", seed),
                row("duration", TimeUnit.NANOSECONDS.toMinutes(nanos) + " min"),
                row("rounds", rounds().size()),
                row(
                        "bundles of the last container",
                        Distributions.otherVersion().map(Path::toString).orElse("those of the others")),
                row("views established", recording.views().size()),
                row(
                        "leaderships",
                        recording.views().stream()
                                .map(Recording.View::token)
                                .distinct()
                                .count()),
                row("events received", recording.received().size()),
                row("answers \"I am the current leader\"", recording.yes().size()),
                row("guarded writes accepted", recording.store().size()),
                row(
                        "guarded writes refused",
                        recording.writes().stream()
                                .filter(write -> !write.accepted())
                                .count()),
                row("allowed until all are settled", SettlingBound.of(recording)),
                row(
                        "longest CHANGING",
                        longestChanging().values().stream()
                                        .max(Comparator.naturalOrder())
                                        .orElse(0L) + " ms"),
                row("longest time without a settled instance", withoutView() + " ms"),
                row("longest standstill of a process without a fault", longestGap() + " ms"),
                row("violations", violations.size()),
                "",
                "## Faults",
                "",
                "| fault | rounds | longest CHANGING (ms) | longest until settled, of all members (ms) | in quarantine (ms) |",
                "|---|---|---|---|---|"));
        faults().forEach((kind, of) -> lines.add("| " + kind + " | " + of.size() + " | "
                + of.stream()
                        .mapToLong(window -> longestChanging().getOrDefault(window, 0L))
                        .max()
                        .orElse(0) + " | " + recovery(kind)
                + " | " + of.stream().mapToLong(this::rested).max().orElse(0) + " |"));
        lines.addAll(List.of(
                "",
                "A round may combine several faults; it counts for each of them. Until settled: since the end of the faults, the start"
                        + " of the last process and the end of the last quarantine.",
                ""));
        lines.addAll(processes());
        lines.addAll(List.of("", "## Violations", ""));
        if (violations.isEmpty()) {
            lines.add("None.");
        }
        violations.stream().limit(MOST_EVIDENCE).forEach(violation -> lines.add("- " + violation));
        if (violations.size() > MOST_EVIDENCE) {
            lines.add("- and " + (violations.size() - MOST_EVIDENCE) + " more");
        }
        return String.join("\n", lines) + "\n";
    }

    private static String row(String name, Object value) {
        return "| " + name + " | " + value + " |";
    }

    private List<Window> rounds() {
        return recording.windows().stream()
                .filter(window -> !List.of("start", "end").contains(window.kind()))
                .toList();
    }

    private Map<String, List<Window>> faults() {
        Map<String, List<Window>> faults = new TreeMap<>();
        for (Window window : rounds()) {
            for (String kind : window.kinds()) {
                faults.computeIfAbsent(kind, name -> new ArrayList<>()).add(window);
            }
        }
        return faults;
    }

    /** Returns the settings of the containers. */
    private List<String> processes() {
        List<String> lines = new ArrayList<>(List.of(
                "## Containers",
                "",
                "| container | session timeout (ms) | settle timeout (ms) | policy | clock rate |",
                "|---|---|---|---|---|"));
        recording.starts().stream()
                .map(start -> "| " + instance(start.process()) + " | " + start.sessionTimeoutMillis() + " | "
                        + start.settleMillis() + " | " + start.suspendedPolicy() + " | " + start.clockRate() + " |")
                .distinct()
                .sorted()
                .forEach(lines::add);
        return lines;
    }

    private String recovery(String kind) {
        return Settlings.of(recording).stream()
                .filter(settling -> settling.window().kinds().contains(kind))
                .map(settling -> millis(settling.nanos()))
                .max(Comparator.naturalOrder())
                .map(String::valueOf)
                .orElse("never");
    }

    private long rested(Window window) {
        return recording.rests().stream()
                .filter(rest -> window.ended() <= rest.to() && rest.to() <= window.settled())
                .mapToLong(rest -> millis(rest.to() - Math.max(window.ended(), rest.from())))
                .max()
                .orElse(0);
    }

    /** Returns for each round the longest time from CHANGING to CHANGED of a listener. */
    private Map<Window, Long> longestChanging() {
        Map<Window, Long> longest = new HashMap<>();
        for (Listener listener : recording.listeners()) {
            Received changing = null;
            for (Received call : recording.receivedBy(listener)) {
                if (call.type().equals(Received.CHANGING)) {
                    changing = call;
                } else if (changing != null) {
                    long millis = millis(call.entered() - changing.entered());
                    windowOf(changing.entered()).ifPresent(window -> longest.merge(window, millis, Math::max));
                    changing = null;
                }
            }
        }
        return longest;
    }

    private Optional<Window> windowOf(long time) {
        return rounds().stream().filter(window -> window.covers(time)).findFirst();
    }

    /** Returns the longest time in which no container was settled. */
    private long withoutView() {
        Map<Listener, Boolean> settled = new HashMap<>();
        long longest = 0;
        long since = Recording.NEVER;
        for (Received call : recording.received()) {
            if (!call.by().isMain()) {
                continue;
            }
            settled.put(call.by(), !call.type().equals(Received.CHANGING));
            // A killed process is not settled, whatever its last event was.
            settled.keySet()
                    .removeIf(other ->
                            instance(other.process()).equals(instance(call.by().process()))
                                    && !other.process().equals(call.by().process()));
            if (settled.containsValue(true)) {
                longest = since == Recording.NEVER ? longest : Math.max(longest, call.entered() - since);
                since = Recording.NEVER;
            } else if (since == Recording.NEVER) {
                since = call.entered();
            }
        }
        return millis(longest);
    }

    private static String instance(String process) {
        return process.replaceAll("-\\d+$", "");
    }

    private long longestGap() {
        return recording.gaps().stream()
                .filter(gap -> rounds().stream()
                        .noneMatch(window -> window.kind().contains("paused") && window.covers(gap.after())))
                .mapToLong(gap -> millis(gap.after() - gap.before()))
                .max()
                .orElse(0);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
