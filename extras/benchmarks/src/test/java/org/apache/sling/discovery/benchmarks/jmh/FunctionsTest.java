// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.sling.discovery.base.protocol.Effect;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.base.protocol.Step;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.junit.jupiter.api.Test;

/** The measured functions do what they are measured for. */
class FunctionsTest {

    @Test
    void theCoordinatorWaitsForTheOtherAcknowledgements() {
        DecisionBenchmark benchmark = new DecisionBenchmark();
        benchmark.members = 10;
        benchmark.prepare();

        Step step = benchmark.acknowledgement();

        assertThat(step.state()).isInstanceOf(Settling.Changing.class);
        assertThat(step.waiting().code()).isIn(ReasonCode.ACKNOWLEDGEMENTS, ReasonCode.MANY_ACKNOWLEDGEMENTS);
        assertThat(step.effects()).isEqualTo(List.<Effect>of());
    }

    @Test
    void theCodecsReadWhatTheyWrite() throws Exception {
        CodecBenchmark benchmark = new CodecBenchmark();
        benchmark.members = 100;
        benchmark.prepare();

        assertThat(benchmark.readView().members()).hasSize(100);
        assertThat(benchmark.readRecord().properties()).containsKey("endpoint");
    }
}
