// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.stream.LongStream;
import org.apache.sling.discovery.commons.settle.Protocol;
import org.junit.jupiter.api.Test;

/**
 * Plays random histories and checks the laws in each. {@code -Ddiscovery.simulation.seeds=100000} plays more,
 * {@code -Ddiscovery.simulation.first=4711 -Ddiscovery.simulation.seeds=1} replays one.
 */
class SimulationTest {

    private static final long FIRST = Long.getLong("discovery.simulation.first", 0);
    private static final long SEEDS = Long.getLong("discovery.simulation.seeds", 20_000);

    @Test
    void lawsHoldInEveryHistory() {
        LongStream.range(FIRST, FIRST + SEEDS).parallel().forEach(seed -> Simulation.play(seed, Protocol.SETTLING));
    }
}
