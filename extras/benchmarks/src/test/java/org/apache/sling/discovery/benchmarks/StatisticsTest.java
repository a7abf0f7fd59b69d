// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {

    @Test
    void theMedianIsInTheMiddle() {
        assertThat(Statistics.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(Statistics.median(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3);
    }

    @Test
    void aPercentileIsASample() {
        List<Double> hundred =
                DoubleStream.iterate(100, next -> next - 1).limit(100).boxed().toList();
        assertThat(Statistics.percentile(hundred, 0.99)).isEqualTo(99);
        assertThat(Statistics.percentile(List.of(1.0, 3.0, 2.0), 0.99)).isEqualTo(3);
    }
}
