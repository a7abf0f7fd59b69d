// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A run. For each number of members every contestant gets servers and a cluster. In each round each scenario is played by all
 * contestants one after the other, in an order that rotates, so that all of them meet the same conditions.
 */
final class Benchmark {
    private final Plan plan;
    private final PrintStream progress;
    private final Results results = new Results();

    Benchmark(Plan plan, PrintStream progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * What to measure.
     *
     * @param members the numbers of members
     * @param servers the number of servers of each contestant
     * @param processes the number of processes that the members of a contestant share; 1 for this process
     * @param rounds the number of rounds that count
     * @param warmup the number of rounds before them
     * @param idle how long clusters are watched without a change
     * @param contestants the systems to compare
     * @param scenarios the changes to measure
     * @param folder where the results are written
     */
    record Plan(
            List<Integer> members,
            int servers,
            int processes,
            int rounds,
            int warmup,
            Duration idle,
            List<Contestant> contestants,
            List<Scenario> scenarios,
            Path folder) {}

    /** Measures everything, and writes the results after each number of members. */
    Results run() throws Exception {
        Files.createDirectories(plan.folder);
        for (int size : plan.members) {
            Map<Contestant, MeasuredCluster> clusters = new EnumMap<>(Contestant.class);
            Path data = Files.createTempDirectory(plan.folder, "data");
            try {
                for (Contestant contestant : plan.contestants) {
                    start(contestant, size, clusters, data.resolve(contestant.key()));
                }
                play(size, clusters);
                watchIdle(size, clusters);
            } finally {
                for (MeasuredCluster cluster : clusters.values()) {
                    cluster.close();
                }
                Folders.delete(data);
            }
            results.writeCsv(plan.folder);
            Files.writeString(plan.folder.resolve("tables.md"), results.tables(plan.contestants));
        }
        new Pictures(results, plan.contestants, plan.folder).draw();
        return results;
    }

    private void start(Contestant contestant, int size, Map<Contestant, MeasuredCluster> clusters, Path data)
            throws Exception {
        MeasuredCluster cluster = MeasuredCluster.start(contestant, plan.servers, plan.processes, data);
        clusters.put(contestant, cluster);
        long heap = cluster.heap();
        try {
            MeasuredCluster.Measurement measured = cluster.join(cluster.connect(size));
            progress.printf(
                    "N=%d: %s has its members after %.0f ms%n", size, contestant.title(), measured.nanos() / 1e6);
            results.add(
                    Results.IDLE,
                    size,
                    contestant,
                    Quantity.THREADS,
                    (double) cluster.usage().threads() / size);
            results.add(Results.IDLE, size, contestant, Quantity.HEAP, (cluster.heap() - heap) / 1024.0 / size);
        } catch (IOException e) {
            drop(clusters, contestant, e);
        }
    }

    private void play(int size, Map<Contestant, MeasuredCluster> clusters) throws Exception {
        for (int round = -plan.warmup; round < plan.rounds; round++) {
            for (Scenario scenario : plan.scenarios) {
                for (Contestant contestant : rotated(round + plan.warmup)) {
                    MeasuredCluster cluster = clusters.get(contestant);
                    if (cluster != null) {
                        play(scenario, size, cluster, round >= 0, clusters);
                    }
                }
            }
            if (round == -1 || round % 5 == 4) {
                progress.printf("N=%d: round %d of %d%n", size, round + 1, plan.rounds);
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
        } catch (IOException e) {
            drop(clusters, cluster.contestant(), e);
        }
    }

    /** Goes on without a contestant that does not settle. */
    private void drop(Map<Contestant, MeasuredCluster> clusters, Contestant contestant, IOException reason)
            throws Exception {
        progress.println(reason.getMessage() + "; the run goes on without it");
        clusters.remove(contestant).close();
    }

    private List<Contestant> rotated(int by) {
        List<Contestant> order = new ArrayList<>(plan.contestants);
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
        Pauses.of(plan.idle);
        double seconds = plan.idle.toMillis() / 1e3;
        for (MeasuredCluster cluster : clusters.values()) {
            Contestant contestant = cluster.contestant();
            double perMember = seconds * size;
            long nanos = cluster.usage().since(before.get(contestant)).threadNanos();
            results.add(Results.IDLE, size, contestant, Quantity.IDLE_PROCESSOR, nanos / 1e7 / perMember);
            results.add(
                    Results.IDLE,
                    size,
                    contestant,
                    Quantity.IDLE_PACKETS,
                    (cluster.packets() - packets.get(contestant)) / perMember);
        }
        progress.printf("N=%d: idle for %.0f s%n", size, seconds);
    }
}
