// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws one picture for each question: medians against the number of members, both on logarithmic axes. */
final class Pictures {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 440;

    private final Results results;
    private final List<Contestant> contestants;
    private final Path folder;

    Pictures(Results results, List<Contestant> contestants, Path folder) {
        this.results = results;
        this.contestants = contestants;
        this.folder = folder;
    }

    void draw() throws IOException {
        System.setProperty("java.awt.headless", "true");
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
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .theme(ChartTheme.Matlab)
                .title(title)
                .xAxisTitle("members")
                .yAxisTitle(quantity.title())
                .build();
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE).setPlotContentSize(0.9);
        for (Contestant contestant : contestants) {
            List<Integer> sizes = new ArrayList<>();
            List<Double> medians = new ArrayList<>();
            for (int size : results.members()) {
                Optional<Double> median = results.typical(scenario, quantity, size, contestant);
                median.filter(value -> value > 0).ifPresent(value -> {
                    sizes.add(size);
                    medians.add(value);
                });
            }
            if (!sizes.isEmpty()) {
                chart.addSeries(contestant.title(), sizes, medians);
            }
        }
        if (!chart.getSeriesMap().isEmpty()) {
            String file = scenario + "-" + quantity.key();
            VectorGraphicsEncoder.saveVectorGraphic(chart, folder.resolve(file).toString(), VectorGraphicsFormat.SVG);
        }
    }
}
