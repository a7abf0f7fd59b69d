// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The values of a soak in the format SVG: a diagram for each thing that was measured, with a line for each process. */
final class SoakPicture {

    private static final int LEFT = 70;
    private static final int WIDTH = 800;
    private static final int HEIGHT = 90;
    private static final int STEP = 140;
    private static final List<String> COLOURS =
            List.of("#1b6ac9", "#c9541b", "#2c8a3d", "#8a2c83", "#7a6a00", "#555555");

    private final List<String> lines = new ArrayList<>();

    private SoakPicture() {}

    static String of(List<SoakSeries> all) {
        Map<String, List<SoakSeries>> diagrams =
                all.stream().collect(Collectors.groupingBy(SoakSeries::what, TreeMap::new, Collectors.toList()));
        SoakPicture picture = new SoakPicture();
        picture.add(
                "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>",
                LEFT + WIDTH + LEFT, STEP * diagrams.size() + LEFT / 2);
        picture.add("<rect width='100%%' height='100%%' fill='white'/>");
        int top = LEFT / 2;
        for (Map.Entry<String, List<SoakSeries>> each : diagrams.entrySet()) {
            picture.draw(each.getKey(), each.getValue(), top);
            top += STEP;
        }
        picture.add("</svg>");
        return String.join("\n", picture.lines) + "\n";
    }

    private void draw(String what, List<SoakSeries> series, int top) {
        double seconds =
                Math.max(1, series.stream().mapToDouble(SoakSeries::end).max().orElse(1));
        long highest = Math.max(
                1,
                series.stream()
                        .flatMap(each -> each.values().stream())
                        .mapToLong(SoakSeries.Value::value)
                        .max()
                        .orElse(1));
        add("<text x='%d' y='%d' font-weight='bold'>%s</text>", LEFT, top - 8, what);
        add("<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#bbbbbb'/>", LEFT, top, WIDTH, HEIGHT);
        add("<text x='%d' y='%d' text-anchor='end'>%d</text>", LEFT - 6, top + 10, highest);
        add("<text x='%d' y='%d' text-anchor='end'>0</text>", LEFT - 6, top + HEIGHT);
        add("<text x='%d' y='%d' text-anchor='end'>%.1f min</text>", LEFT + WIDTH, top + HEIGHT + 14, seconds / 60);
        for (int i = 0; i < series.size(); i++) {
            SoakSeries each = series.get(i);
            String colour = COLOURS.get(i % COLOURS.size());
            String points = each.values().stream()
                    .map(value -> "%.1f,%.1f"
                            .formatted(
                                    LEFT + value.second() / seconds * WIDTH,
                                    top + HEIGHT - value.value() * (double) HEIGHT / highest))
                    .collect(Collectors.joining(" "));
            add("<polyline fill='none' stroke='%s' points='%s'/>", colour, points);
            add("<text x='%d' y='%d' fill='%s'>%s</text>", LEFT + 200 + 110 * i, top - 8, colour, each.process());
        }
    }

    private void add(String format, Object... values) {
        lines.add(String.format(Locale.ROOT, format, values));
    }
}
