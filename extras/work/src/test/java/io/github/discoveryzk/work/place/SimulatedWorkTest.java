// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.Effort;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The laws of work hold in random histories. */
class SimulatedWorkTest {

    /** An agent that closes and the next one of the same instance meet after its return. */
    private static final long TWO_AGENTS = 14_360;

    /** An instance runs again while the node of its excluded predecessor is still there. */
    private static final long PREDECESSOR = 1_011_003;

    /** A bundle starts again while its instance steps down. */
    private static final long STEP_DOWN = 1_019_903;

    @Test
    void lawsHoldInEveryHistory() {
        long first = Long.getLong("discovery.simulation.first", 0);
        long seeds = Effort.of("discovery.simulation.seeds", 50, 2_000);
        Map<Long, String> broken = new ConcurrentSkipListMap<>();
        LongStream.concat(LongStream.of(TWO_AGENTS, PREDECESSOR, STEP_DOWN), LongStream.range(first, first + seeds))
                .parallel()
                .forEach(seed -> {
                    String law = new SeedPlayer().apply(seed);
                    if (!law.isEmpty()) {
                        broken.put(seed, law);
                    }
                });
        assertThat(broken).as("by seed").isEmpty();
    }
}
