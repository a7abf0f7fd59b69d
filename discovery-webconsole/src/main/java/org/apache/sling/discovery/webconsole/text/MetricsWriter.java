// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.Metric;
import org.apache.sling.discovery.commons.report.Metric.Sample;

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
        String family = isOpenMetrics ? metric.family() : metric.fullName();
        return "# TYPE " + family + " " + metric.type().name().toLowerCase(Locale.ROOT) + "\n"
                + "# HELP " + family + " " + escape(metric.help()) + "\n"
                + metric.samples().stream()
                        .map(sample -> metric.fullName() + line(sample))
                        .collect(Collectors.joining());
    }

    private static String line(Sample sample) {
        String labels = sample.labels().isEmpty()
                ? ""
                : sample.labels().entrySet().stream()
                        .map(MetricsWriter::label)
                        .collect(Collectors.joining(",", "{", "}"));
        return sample.suffix() + labels + " " + sample.value() + "\n";
    }

    private static String label(Map.Entry<String, String> label) {
        return label.getKey() + "=\"" + escape(label.getValue()) + "\"";
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
