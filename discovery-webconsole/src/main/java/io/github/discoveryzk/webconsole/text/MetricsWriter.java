// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.text;

import io.github.discoveryzk.report.Metric;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes metrics as text.
 *
 * @param isOpenMetrics whether as OpenMetrics 1.0, otherwise in the format 0.0.4 that all versions of Prometheus read
 */
public record MetricsWriter(boolean isOpenMetrics) {

    private static final String OPEN_METRICS = "application/openmetrics-text";

    /** Returns the writer of the format that a client prefers, by its header {@code Accept}. */
    public static MetricsWriter accepted(String header) {
        return new MetricsWriter(header.contains(OPEN_METRICS));
    }

    public String contentType() {
        return (isOpenMetrics ? OPEN_METRICS + ";version=1.0.0" : "text/plain;version=0.0.4") + ";charset=utf-8";
    }

    public String write(List<Metric> metrics) {
        return metrics.stream().map(this::write).collect(Collectors.joining()) + (isOpenMetrics ? "# EOF\n" : "");
    }

    private String write(Metric metric) {
        boolean histogram = metric.type() == Metric.Type.HISTOGRAM;
        String family = isOpenMetrics ? metric.family() : metric.fullName();
        StringBuilder text = new StringBuilder();
        text.append("# TYPE " + family + " " + metric.type().name().toLowerCase(Locale.ROOT) + "\n");
        text.append("# HELP " + family + " " + escape(metric.help()) + "\n");
        metric.values().forEach((label, value) -> {
            String labels = label.isEmpty() ? "" : "{" + metric.label() + "=\"" + escape(label) + "\"}";
            String suffix = label.isEmpty() ? "_sum" : "_bucket";
            text.append(metric.fullName() + (histogram ? suffix : "") + labels + " " + value + "\n");
        });
        if (histogram) {
            text.append(family + "_count " + metric.values().get(Metric.INFINITE) + "\n");
        }
        return text.toString();
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
