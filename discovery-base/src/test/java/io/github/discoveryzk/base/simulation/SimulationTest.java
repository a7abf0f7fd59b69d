// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.testing.Effort;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Plays random histories and checks the laws in each. {@code -Ddiscovery.simulation.seeds=100000} plays more,
 * {@code -Ddiscovery.simulation.first=4711 -Ddiscovery.simulation.seeds=1} replays one,
 * {@code -Ddiscovery.simulation.first=fresh} plays seeds that were probably never played before.
 */
class SimulationTest {

    private static final String FRESH = "fresh";
    private static final long SEEDS = Effort.of("discovery.simulation.seeds", 600, 20_000);

    @Test
    void lawsHoldInEveryHistory() {
        long first = first();
        System.out.println("seeds " + first + " to " + (first + SEEDS - 1));
        LongStream.range(first, first + SEEDS).parallel().forEach(Simulation::play);
        System.out.println("the longest time from calm to settled: " + LivenessLaw.longestMillis() + " ms");
    }

    private static long first() {
        String first = System.getProperty("discovery.simulation.first", "0");
        return first.equals(FRESH) ? ThreadLocalRandom.current().nextLong(1L << 40) : Long.parseLong(first);
    }
}
