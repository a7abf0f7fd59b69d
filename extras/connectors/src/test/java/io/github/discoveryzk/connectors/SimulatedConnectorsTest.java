// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.simulation.SeedPlayer;
import io.github.discoveryzk.testing.Effort;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The laws hold in random histories of a cluster whose instances have the connectors of this module. */
class SimulatedConnectorsTest {

    @Test
    void lawsHoldInEveryHistory() {
        long seeds = Effort.of("discovery.simulation.seeds", 100, 2_000);
        LongStream.range(0, seeds).parallel().forEach(seed -> assertThat(new SeedPlayer().apply(seed))
                .as("seed " + seed)
                .isEmpty());
        assertThat(RealConnectors.ANNOUNCED).hasPositiveValue();
    }
}
