// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.Metric;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountersTest {

    @Test
    void aBucketContainsItsLimit() {
        Counters counters = new Counters();
        counters.countSettled(100);
        Map<String, Double> all = Metric.flat(counters.metrics());

        assertThat(all)
                .containsEntry("changing_seconds.bucket.0.05", 0.0)
                .containsEntry("changing_seconds.bucket.0.1", 1.0)
                .containsEntry("changing_seconds.bucket.0.5", 1.0);
    }
}
