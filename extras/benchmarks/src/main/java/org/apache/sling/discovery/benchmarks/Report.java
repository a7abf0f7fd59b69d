// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.benchmarks.jmh.CodecBenchmark;
import org.apache.sling.discovery.benchmarks.jmh.DecisionBenchmark;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the {@link Programme} and writes its results as they are published: one page in Markdown, and the pictures beside it. */
final class Report {
    private static final String PICTURES = "performance";
    private static final String ALLOCATION = "gc.alloc.rate.norm";
    private static final double BYTES_PER_KIB = 1024.0;

    private final Path folder;
    private final Progress progress;
    private final StringBuilder page = new StringBuilder();

    Report(Path folder, Progress progress) {
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * Runs the parts.
     *
     * @param quick whether only to try them
     * @param parts keys of runs, or {@code functions}; empty for all
     * @return the page
     */
    Path write(boolean quick, Set<String> parts) throws Exception {
        Files.createDirectories(folder.resolve(PICTURES));
        Path file = folder.resolve("results.md");
        for (Programme.Run run : quick ? Programme.quick(folder) : Programme.full(folder)) {
            if (parts.isEmpty() || parts.contains(run.key())) {
                progress.print(run.title());
                write(run, new Benchmark(run.plan(), progress).run());
                Files.writeString(file, page);
            }
        }
        if (parts.isEmpty() || parts.contains("functions")) {
            functions(quick);
        }
        return Files.writeString(file, page);
    }

    private void write(Programme.Run run, Results results) throws IOException {
        Plan plan = run.plan();
        page.append("\n### ").append(run.title()).append("\n");
        for (Scenario scenario : plan.scenarios()) {
            for (Quantity quantity : List.of(
                    Quantity.TIME,
                    Quantity.CHANGING,
                    Quantity.PACKETS,
                    Quantity.BYTES,
                    Quantity.PROCESSOR,
                    Quantity.REAL_PROCESSOR,
                    Quantity.SERVER_PROCESSOR)) {
                boolean asked = quantity == Quantity.TIME || scenario == Scenario.LEAVE || scenario == Scenario.STORM;
                if (asked || quantity == Quantity.CHANGING && scenario == Scenario.JOIN) {
                    write(run, results, scenario.key(), quantity);
                }
            }
        }
        for (Quantity quantity : List.of(
                Quantity.IDLE_PACKETS, Quantity.IDLE_PROCESSOR, Quantity.THREADS, Quantity.HEAP, Quantity.ERRORS)) {
            write(run, results, Results.IDLE, quantity);
        }
        if (plan.cold() > 0) {
            page.append('\n').append(results.coldTable(plan.contestants()));
        }
    }

    /** Writes a table, and the picture of the same numbers if there is one. */
    private void write(Programme.Run run, Results results, String scenario, Quantity quantity) throws IOException {
        page.append(results.table(scenario, quantity, run.plan().contestants()));
        String name = scenario + "-" + quantity.key() + ".svg";
        Path picture = run.plan().folder().resolve(name);
        if (Files.exists(picture)) {
            String published = run.key() + "-" + name;
            Files.move(picture, folder.resolve(PICTURES).resolve(published), StandardCopyOption.REPLACE_EXISTING);
            page.append("\n![")
                    .append(scenario)
                    .append(", ")
                    .append(quantity.title())
                    .append("](")
                    .append(PICTURES)
                    .append('/')
                    .append(published)
                    .append(")\n");
        }
    }

    private void functions(boolean quick) throws RunnerException {
        progress.begin("single functions");
        OptionsBuilder options = new OptionsBuilder();
        options.include(DecisionBenchmark.class.getName());
        options.include(CodecBenchmark.class.getName() + ".(readView|writeView|readRecord)");
        options.addProfiler(GCProfiler.class).verbosity(VerboseMode.SILENT);
        options.warmupIterations(quick ? 1 : 2).measurementIterations(quick ? 1 : 4);
        options.param("members", "10", "100", "1000");
        Collection<RunResult> all = new Runner(options.build()).run();
        page.append("\n### Single functions\n\n| function | members | µs | KiB allocated |\n|---|---|---|---|\n");
        for (RunResult one : all) {
            String name = one.getParams().getBenchmark();
            page.append("| ")
                    .append(name.substring(name.lastIndexOf('.') + 1))
                    .append(" | ")
                    .append(one.getParams().getParam("members"))
                    .append(" | ")
                    .append(Results.number(one.getPrimaryResult().getScore()))
                    .append(" | ")
                    .append(allocated(one))
                    .append(" |\n");
        }
        progress.print("single functions");
    }

    private static String allocated(RunResult run) {
        return run.getSecondaryResults().containsKey(ALLOCATION)
                ? Results.number(run.getSecondaryResults().get(ALLOCATION).getScore() / BYTES_PER_KIB)
                : Results.MISSING;
    }
}
