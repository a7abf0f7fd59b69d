// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** A chart of lines with two logarithmic axes, as SVG. Each line is named at its end. */
final class LogChart {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 440;
    private static final int LEFT = 64;
    private static final int RIGHT = 130;
    private static final int TOP = 48;
    private static final int BOTTOM = 52;
    private static final int LINE_HEIGHT = 15;
    private static final double MARGIN = 1.15;

    private final String title;
    private final String xTitle;
    private final String yTitle;
    private final List<Line> lines = new ArrayList<>();

    LogChart(String title, String xTitle, String yTitle) {
        this.title = title;
        this.xTitle = xTitle;
        this.yTitle = yTitle;
    }

    /** Adds a line. All coordinates must be positive. */
    void add(String name, String color, List<Point> points) {
        lines.add(new Line(name, color, List.copyOf(points)));
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** Returns the chart; there must be a line. */
    String svg() {
        Axis x = Axis.of(points(), Point::x, LEFT, WIDTH - RIGHT);
        Axis y = Axis.of(points(), Point::y, HEIGHT - BOTTOM, TOP);
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT));
        text(svg, LEFT, TOP - 28, "start", "font-size=\"16\" fill=\"black\"", title);
        text(svg, LEFT, TOP - 10, "start", "fill=\"#444\"", yTitle);
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", "fill=\"#444\"", xTitle);
        for (double mark : xMarks()) {
            grid(svg, x.at(mark), TOP, x.at(mark), HEIGHT - BOTTOM);
            text(svg, x.at(mark), HEIGHT - BOTTOM + 18, "middle", "fill=\"#444\"", number(mark));
        }
        for (double mark : y.marks()) {
            grid(svg, LEFT, y.at(mark), WIDTH - RIGHT, y.at(mark));
            text(svg, LEFT - 8, y.at(mark) + 4, "end", "fill=\"#444\"", number(mark));
        }
        lines.forEach(line -> draw(svg, line, x, y));
        names(svg, y);
        return svg.append("</svg>\n").toString();
    }

    private Stream<Point> points() {
        return lines.stream().flatMap(line -> line.points.stream());
    }

    /** Returns the values of x that have been measured. */
    private List<Double> xMarks() {
        return points().map(Point::x).distinct().sorted().toList();
    }

    private static void draw(StringBuilder svg, Line line, Axis x, Axis y) {
        StringBuilder coordinates = new StringBuilder();
        for (Point point : line.points) {
            coordinates.append(String.format(Locale.ROOT, "%.1f,%.1f ", x.at(point.x), y.at(point.y)));
            svg.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"><title>%s: %s</title></circle>%n",
                    x.at(point.x),
                    y.at(point.y),
                    line.color,
                    line.name,
                    Results.number(point.y)));
        }
        svg.append(String.format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                coordinates.toString().trim(), line.color));
    }

    /** Writes the names beside the ends of the lines, below each other where these are close. */
    private void names(StringBuilder svg, Axis y) {
        double lowest = TOP - LINE_HEIGHT;
        List<Line> byHeight = lines.stream()
                .sorted(Comparator.comparingDouble(line -> -line.end().y))
                .toList();
        for (Line line : byHeight) {
            lowest = Math.max(lowest + LINE_HEIGHT, y.at(line.end().y));
            text(
                    svg,
                    WIDTH - RIGHT + 12,
                    lowest + 4,
                    "start",
                    "fill=\"" + line.color + "\"",
                    line.name + " " + Results.number(line.end().y));
        }
    }

    private static void grid(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(Locale.ROOT, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#ddd\"/>%n", x1, y1, x2, y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String attributes, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>%n",
                x,
                y,
                anchor,
                attributes,
                text.replace("&", "&amp;").replace("<", "&lt;")));
    }

    private static String number(double value) {
        return value >= 1 ? String.format(Locale.ROOT, "%,.0f", value) : String.valueOf(value);
    }

    /**
     * A measured value.
     *
     * @param x where on the horizontal axis
     * @param y where on the vertical axis
     */
    record Point(double x, double y) {}

    private record Line(String name, String color, List<Point> points) {
        Point end() {
            return points.get(points.size() - 1);
        }
    }

    /** Maps values between a lowest and a highest one to coordinates. */
    private record Axis(double low, double high, double from, double to) {
        private static final double[] STEPS = {1, 2, 5};
        private static final double FEW_DECADES = 2.5;

        static Axis of(Stream<Point> points, ToDoubleFunction<Point> coordinate, double from, double to) {
            double[] values = points.mapToDouble(coordinate).sorted().toArray();
            return new Axis(values[0] / MARGIN, values[values.length - 1] * MARGIN, from, to);
        }

        double at(double value) {
            return from + (to - from) * Math.log(value / low) / Math.log(high / low);
        }

        /** Returns round values: powers of ten, and the steps between them if there are few. */
        List<Double> marks() {
            List<Double> marks = new ArrayList<>();
            boolean steps = Math.log10(high / low) < FEW_DECADES;
            for (int decade = (int) Math.floor(Math.log10(low)); decade <= Math.log10(high); decade++) {
                for (double step : STEPS) {
                    double mark = decade < 0 ? step / Math.pow(10, -decade) : step * Math.pow(10, decade);
                    if (mark >= low && mark <= high && (steps || step == 1)) {
                        marks.add(mark);
                    }
                }
            }
            return marks;
        }
    }
}
