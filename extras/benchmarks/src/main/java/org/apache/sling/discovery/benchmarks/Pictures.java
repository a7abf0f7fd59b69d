// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Draws one picture for each question: medians against the number of members, both on logarithmic axes. */
final class Pictures {
    private final Results results;
    private final List<Contestant> contestants;
    private final Path folder;

    Pictures(Results results, List<Contestant> contestants, Path folder) {
        this.results = results;
        this.contestants = contestants;
        this.folder = folder;
    }

    void draw() throws IOException {
        for (Scenario scenario : Scenario.values()) {
            draw(scenario.key(), scenario.title(), Quantity.TIME);
        }
        for (Quantity quantity : List.of(Quantity.PACKETS, Quantity.BYTES, Quantity.PROCESSOR, Quantity.CHANGING)) {
            draw(Scenario.LEAVE.key(), Scenario.LEAVE.title(), quantity);
        }
        for (Quantity quantity :
                List.of(Quantity.IDLE_PACKETS, Quantity.IDLE_PROCESSOR, Quantity.THREADS, Quantity.HEAP)) {
            draw(Results.IDLE, "no change", quantity);
        }
    }

    private void draw(String scenario, String title, Quantity quantity) throws IOException {
        LogChart chart = new LogChart(title, "members", quantity.title());
        for (Contestant contestant : contestants) {
            List<LogChart.Point> points = new ArrayList<>();
            for (int size : results.members()) {
                results.typical(scenario, quantity, size, contestant)
                        .filter(value -> value > 0)
                        .ifPresent(value -> points.add(new LogChart.Point(size, value)));
            }
            if (!points.isEmpty()) {
                chart.add(contestant.title(), contestant.color(), points);
            }
        }
        if (!chart.isEmpty()) {
            Files.writeString(folder.resolve(scenario + "-" + quantity.key() + ".svg"), chart.svg());
        }
    }
}
