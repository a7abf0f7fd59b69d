// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A run. For each number of members every contestant gets servers and a cluster. In each round each scenario is played by all
 * contestants one after the other, in an order that rotates, so that all of them meet the same conditions. Large clusters are
 * measured one after the other.
 */
final class Benchmark {
    /** Clusters of this size and above have the machine alone: the sessions of idle ones would end while others start. */
    private static final int ALONE = 300;

    private final Plan plan;
    private final Progress progress;
    private final Results results = new Results();

    Benchmark(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /** Measures everything, and writes the results after each number of members. */
    Results run() throws Exception {
        Files.createDirectories(plan.folder());
        for (int size : plan.members()) {
            Map<Contestant, MeasuredCluster> clusters = new EnumMap<>(Contestant.class);
            Path data = Folders.temporary(plan.folder());
            try {
                for (Contestant contestant : plan.contestants()) {
                    if (size > contestant.largest()) {
                        progress.print("N=" + size + ": without " + contestant.title()
                                + ", which is compared with up to " + contestant.largest() + " members");
                        continue;
                    }
                    start(contestant, size, clusters, data.resolve(contestant.key()));
                    if (size >= ALONE) {
                        measure(size, clusters);
                    }
                }
                measure(size, clusters);
            } finally {
                close(size, clusters);
                Folders.delete(data);
            }
            results.writeCsv(plan.folder());
            Files.writeString(plan.folder().resolve("tables.md"), results.tables(plan.contestants()));
        }
        if (plan.cold() > 0) {
            new ColdStart(plan, progress, results).run();
            results.writeCsv(plan.folder());
            Files.writeString(plan.folder().resolve("tables.md"), results.tables(plan.contestants()));
        }
        new Pictures(results, plan.contestants(), plan.folder()).draw();
        return results;
    }

    /** Plays all rounds with the clusters, and ends these. */
    private void measure(int size, Map<Contestant, MeasuredCluster> clusters) throws Exception {
        if (!clusters.isEmpty()) {
            play(size, clusters);
            watchIdle(size, clusters);
            close(size, clusters);
        }
    }

    private void close(int size, Map<Contestant, MeasuredCluster> clusters) {
        for (MeasuredCluster cluster : clusters.values()) {
            progress.begin("N=" + size + ": " + cluster.contestant().title() + " ends");
            close(cluster);
        }
        clusters.clear();
    }

    private void start(Contestant contestant, int size, Map<Contestant, MeasuredCluster> clusters, Path data)
            throws Exception {
        progress.begin("N=" + size + ": " + contestant.title() + " starts");
        MeasuredCluster cluster = MeasuredCluster.start(contestant, plan, size, data);
        clusters.put(contestant, cluster);
        long heap = cluster.heap();
        try {
            cluster.fill();
            progress.print("N=" + size + ": " + contestant.title() + " has its members");
            if (!cluster.hasLight()) {
                double threads = (double) cluster.usage().threads() / size;
                if (contestant.threadsAreKnown()) {
                    results.add(Results.IDLE, size, contestant, Quantity.THREADS, threads);
                }
                results.add(Results.IDLE, size, contestant, Quantity.HEAP, (cluster.heap() - heap) / 1024.0 / size);
            }
        } catch (IOException | ExecutionException | TimeoutException e) {
            drop(clusters, contestant, e);
        }
    }

    private void play(int size, Map<Contestant, MeasuredCluster> clusters) throws Exception {
        for (int round = -plan.warmup(); round < plan.rounds(); round++) {
            for (Scenario scenario : plan.scenarios()) {
                for (Contestant contestant : rotated(round + plan.warmup())) {
                    MeasuredCluster cluster = clusters.get(contestant);
                    if (cluster != null && contestant.plays(scenario)) {
                        progress.begin("N=" + size + ": round " + (round + 1) + " of " + plan.rounds() + ", "
                                + contestant.title() + ", " + scenario.title());
                        play(scenario, size, cluster, round >= 0, clusters);
                    }
                }
            }
            if (round == -1 || round % 5 == 4) {
                progress.print("N=" + size + ": round " + (round + 1) + " of " + plan.rounds());
            }
        }
    }

    private void play(
            Scenario scenario,
            int size,
            MeasuredCluster cluster,
            boolean counts,
            Map<Contestant, MeasuredCluster> clusters)
            throws Exception {
        try {
            MeasuredCluster.Measurement measured = scenario.play(cluster);
            if (counts) {
                results.add(scenario, size, cluster.contestant(), measured);
            }
        } catch (IOException | ExecutionException | TimeoutException e) {
            drop(clusters, cluster.contestant(), e);
        }
    }

    /** Goes on without a contestant that does not settle. */
    private void drop(Map<Contestant, MeasuredCluster> clusters, Contestant contestant, Exception reason) {
        progress.print(contestant.title() + ": " + reason + "; the run goes on without it");
        close(clusters.remove(contestant));
    }

    private void close(MeasuredCluster cluster) {
        try {
            cluster.close();
        } catch (IOException e) {
            progress.print(cluster.contestant().title() + ": " + e);
        }
    }

    private List<Contestant> rotated(int by) {
        List<Contestant> order = new ArrayList<>(plan.contestants());
        Collections.rotate(order, by);
        return order;
    }

    private void watchIdle(int size, Map<Contestant, MeasuredCluster> clusters) throws Exception {
        Map<Contestant, Usage> before = new EnumMap<>(Contestant.class);
        Map<Contestant, Long> packets = new EnumMap<>(Contestant.class);
        for (MeasuredCluster cluster : clusters.values()) {
            before.put(cluster.contestant(), cluster.usage());
            packets.put(cluster.contestant(), cluster.packets());
        }
        progress.begin("N=" + size + ": idle");
        Pauses.of(plan.idle());
        double seconds = plan.idle().toMillis() / 1e3;
        for (MeasuredCluster cluster : clusters.values()) {
            Contestant contestant = cluster.contestant();
            List<String> errors = cluster.errors();
            results.add(Results.IDLE, size, contestant, Quantity.ERRORS, errors.size());
            if (!errors.isEmpty()) {
                progress.print(contestant.title() + " has logged " + errors.size() + " errors, the first is: "
                        + errors.get(0));
            }
            double perMember = seconds * size;
            long nanos = cluster.usage().since(before.get(contestant)).threadNanos();
            if (contestant.threadsAreKnown()) {
                results.add(Results.IDLE, size, contestant, Quantity.IDLE_PROCESSOR, nanos / 1e7 / perMember);
            }
            if (contestant.usesServers()) {
                double sent = cluster.packets() - packets.get(contestant);
                results.add(Results.IDLE, size, contestant, Quantity.IDLE_PACKETS, sent / perMember);
            }
        }
        progress.print(String.format(Locale.ROOT, "N=%d: idle for %.0f s", size, seconds));
    }
}
