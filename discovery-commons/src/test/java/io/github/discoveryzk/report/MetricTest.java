// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.Metric.Type;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The names of metrics, with labels and without. */
class MetricTest {

    @Test
    void onlyCountersHaveASuffix() {
        Metric counter = new Metric("reconnects", Type.COUNTER, "help", "", Map.of("", 3.0));
        assertThat(counter.family()).isEqualTo("discovery_reconnects");
        assertThat(counter.fullName()).isEqualTo("discovery_reconnects_total");
        assertThat(Metric.gauge("token", "help", 7).fullName()).isEqualTo("discovery_token");
    }

    @Test
    void labelsFollowADotAndTheWholeIsThereToo() {
        Metric counter = new Metric("events", Type.COUNTER, "help", "type", Map.of("a", 1.0, "b", 3.0));
        Metric gauge = new Metric("call_seconds", Type.GAUGE, "help", "listener", Map.of("a", 1.5, "b", 3.5));
        assertThat(Metric.flat(List.of(counter, gauge)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "events_total", 4.0,
                        "events_total.a", 1.0,
                        "events_total.b", 3.0,
                        "call_seconds", 3.5,
                        "call_seconds.a", 1.5,
                        "call_seconds.b", 3.5));
    }

    @Test
    void aLabelWithoutValuesIsZero() {
        Metric counter = new Metric("changes", Type.COUNTER, "help", "reason", Map.of());
        assertThat(Metric.flat(List.of(counter))).containsExactly(Map.entry("changes_total", 0.0));
    }

    @Test
    void aHistogramHasItsBucketsItsCountAndItsSum() {
        Metric histogram =
                new Metric("changing_seconds", Type.HISTOGRAM, "help", "le", Map.of("0.1", 1.0, "+Inf", 2.0, "", 5.5));
        assertThat(Metric.flat(List.of(histogram)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "changing_seconds.bucket.0.1", 1.0,
                        "changing_seconds.bucket.+Inf", 2.0,
                        "changing_seconds.count", 2.0,
                        "changing_seconds.sum", 5.5));
    }
}
