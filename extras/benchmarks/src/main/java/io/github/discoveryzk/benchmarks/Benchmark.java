// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks;

import io.github.discoveryzk.benchmarks.member.Contestant;
import io.github.discoveryzk.benchmarks.process.Usage;
import io.github.discoveryzk.benchmarks.result.Quantity;
import io.github.discoveryzk.benchmarks.result.Results;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A run. For each number of members every contestant gets servers and a cluster. In each round each scenario is played by all
 * contestants one after the other, in an order that rotates, so that all of them meet the same conditions. Large clusters are
 * measured one after the other.
 */
final class Benchmark {
    /** Clusters of this size and above have the machine alone: the sessions of idle ones would end while others start. */
    private static final int ALONE = 300;

    /** What a server says when the benchmark, which reads its counters, closes the connection first. */
    private static final String OWN_COMMAND = "Error closing a command socket";

    private final Plan plan;
    private final Progress progress;
    private final Path data;
    private final Results results = new Results();
    private final Map<Contestant, MeasuredCluster> clusters = new EnumMap<>(Contestant.class);

    Benchmark(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
        this.data = plan.folder.toAbsolutePath().resolve("data");
    }

    /** Measures everything, and writes the results after each number of members. */
    Results run() throws Exception {
        plan.check();
        for (int size : plan.members) {
            // An earlier run may have been interrupted.
            deleteData();
            try {
                for (Contestant contestant : plan.contestants) {
                    if (size > contestant.largest()) {
                        progress.print("N=" + size + ": without " + contestant + ", which is compared with up to "
                                + contestant.largest() + " members");
                        continue;
                    }
                    start(contestant, size);
                    if (size >= ALONE) {
                        measure(size);
                    }
                }
                measure(size);
            } finally {
                close();
                deleteData();
            }
            List<String> lines = new ArrayList<>(List.of(Results.COLUMNS));
            lines.addAll(results.csv());
            Files.write(plan.folder.resolve("results.csv"), lines);
            Files.writeString(plan.folder.resolve("tables.md"), results.tables(plan.contestants));
        }
        return results;
    }

    private void deleteData() throws IOException {
        Files.createDirectories(data);
        try (Stream<Path> files = Files.walk(data)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    /** Plays all rounds with the clusters, and ends these. */
    private void measure(int size) throws Exception {
        if (!clusters.isEmpty()) {
            play(size);
            watchIdle(size);
            close();
        }
    }

    private void close() {
        clusters.forEach(this::close);
        clusters.clear();
    }

    private void start(Contestant contestant, int size) throws Exception {
        progress.print("N=" + size + ": " + contestant + " starts");
        MeasuredCluster cluster = MeasuredCluster.start(contestant, plan, size, data.resolve(contestant.toString()));
        clusters.put(contestant, cluster);
        try {
            cluster.fill();
        } catch (IOException | ExecutionException | TimeoutException e) {
            drop(contestant, e);
        }
    }

    private void play(int size) throws Exception {
        for (int round = -plan.warmup; round < plan.rounds; round++) {
            for (Scenario scenario : plan.scenarios) {
                for (Contestant contestant : rotated(round + plan.warmup)) {
                    if (clusters.containsKey(contestant) && scenario.isPlayedBy(contestant)) {
                        play(scenario, size, contestant, round >= 0);
                    }
                }
            }
            progress.print("N=" + size + ": round " + (round + 1) + " of " + plan.rounds);
        }
    }

    private void play(Scenario scenario, int size, Contestant contestant, boolean counts) throws Exception {
        try {
            MeasuredCluster cluster = clusters.get(contestant);
            cluster.startWriting();
            Map<Quantity, Double> measured = scenario.play(cluster);
            // The others must not have the load.
            cluster.stopWriting();
            if (counts) {
                results.add(scenario.toString(), size, contestant, measured);
            }
        } catch (IOException | ExecutionException | TimeoutException e) {
            drop(contestant, e);
        }
    }

    /** Goes on without a contestant that does not settle. */
    private void drop(Contestant contestant, Exception reason) {
        progress.print(contestant + ": " + reason + "; the run goes on without it");
        close(contestant, clusters.remove(contestant));
    }

    private void close(Contestant contestant, MeasuredCluster cluster) {
        try {
            cluster.close();
        } catch (IOException e) {
            progress.print(contestant + ": " + e);
        }
    }

    private List<Contestant> rotated(int by) {
        List<Contestant> order = new ArrayList<>(plan.contestants);
        Collections.rotate(order, by);
        return order;
    }

    private void watchIdle(int size) throws Exception {
        Map<Contestant, Usage> before = new EnumMap<>(Contestant.class);
        Map<Contestant, Long> packets = new EnumMap<>(Contestant.class);
        for (Contestant contestant : clusters.keySet()) {
            clusters.get(contestant).startWriting();
            before.put(contestant, clusters.get(contestant).usage());
            packets.put(contestant, clusters.get(contestant).packets());
        }
        Progress.pause(plan.idle);
        double perMember = Math.max(1, plan.idle) * (double) size;
        for (Contestant contestant : clusters.keySet()) {
            MeasuredCluster cluster = clusters.get(contestant);
            List<String> errors = errors(contestant);
            if (!errors.isEmpty()) {
                progress.print(contestant + " has logged " + errors.size() + " errors, the first is: " + errors.get(0));
            }
            Usage used = cluster.usage().since(before.get(contestant));
            Map<Quantity, Double> idle = new EnumMap<>(Quantity.class);
            idle.put(Quantity.ERRORS, (double) errors.size());
            idle.put(Quantity.IDLE_PROCESSOR, used.processNanos() / 1e7 / perMember);
            idle.put(Quantity.CONNECTIONS, used.connections() / (double) size);
            idle.put(Quantity.THREADS, used.threads() / (double) size);
            if (contestant.usesServers()) {
                idle.put(Quantity.IDLE_PACKETS, (cluster.packets() - packets.get(contestant)) / perMember);
            }
            results.add(Results.IDLE, size, contestant, idle);
        }
        progress.print("N=" + size + ": idle for " + plan.idle + " s");
    }

    /** Returns the lines of the level ERROR that servers and processes with members have logged, but for those that measuring causes. */
    private List<String> errors(Contestant contestant) throws IOException {
        List<String> errors = new ArrayList<>();
        try (Stream<Path> files = Files.walk(data.resolve(contestant.toString()))) {
            for (Path log :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                Files.readAllLines(log, StandardCharsets.ISO_8859_1).stream()
                        .filter(line -> line.contains(" ERROR ") && !line.contains(OWN_COMMAND))
                        .forEach(errors::add);
            }
        }
        return errors;
    }
}
