// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class QuantityTest {

    @Test
    void theMedianIsInTheMiddle() {
        assertThat(Quantity.TIME.typical(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(Quantity.TIME.typical(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3);
    }

    @Test
    void coarseCountsAreAveraged() {
        assertThat(Quantity.PROCESSOR.typical(List.of(0.0, 0.0, 30.0))).isEqualTo(10);
    }

    @Test
    void aPercentileIsASample() {
        List<Double> hundred =
                DoubleStream.iterate(100, next -> next - 1).limit(100).boxed().toList();

        assertThat(Quantity.percentile99(hundred)).isEqualTo(99);
        assertThat(Quantity.percentile99(List.of(1.0, 3.0, 2.0))).isEqualTo(3);
    }
}
