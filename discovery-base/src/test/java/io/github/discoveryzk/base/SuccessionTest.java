// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.VirtualInstance.Traits;
import io.github.discoveryzk.base.protocol.Protocol;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The servers end the session of the leader at the worst moment: its clock is as slow and its successor's as fast as the lease
 * allows, replies reach it late, and it cannot learn that it is no longer a member. There must never be two current leaders.
 */
class SuccessionTest {

    private static final double SLOW = 0.94;
    private static final double FAST = SLOW * 9 / 8;
    private static final int LAG = 400;
    private static final int STEP = 20;

    @Test
    void noSecondLeaderIsCurrentAtAnyMoment() {
        assertThat(firstOverlap(FAST)).isEmpty();
    }

    @Test
    void theClockRatesMayDifferByNoMoreThanTheBound() {
        assertThat(firstOverlap(FAST * 1.2)).isPresent();
    }

    /** Returns the first of many moments, in milliseconds, at which an end of the session makes two leaders. */
    private static OptionalInt firstOverlap(double rateOfTheSuccessor) {
        return IntStream.iterate(0, moment -> moment < VirtualInstance.SESSION_TIMEOUT, moment -> moment + STEP)
                .filter(moment -> overlaps(moment, rateOfTheSuccessor))
                .findFirst();
    }

    private static boolean overlaps(int moment, double rateOfTheSuccessor) {
        VirtualTime time = new VirtualTime();
        MemoryEnsemble ensemble = new MemoryEnsemble(time, "cluster");
        VirtualInstance a = new VirtualInstance("a", 1, time, ensemble, new Traits(Protocol.SETTLING, SLOW, LAG));
        a.instance().start();
        time.run(5_000);
        VirtualInstance b =
                new VirtualInstance("b", 2, time, ensemble, new Traits(Protocol.SETTLING, rateOfTheSuccessor, 0));
        b.instance().start();
        time.run(10_000 + moment);
        assertThat(a.leads()).isTrue();

        a.store().cut(Long.MAX_VALUE / 4);
        ensemble.end(a.store().session());
        long end = time.now() + 2 * VirtualInstance.SESSION_TIMEOUT;
        while (time.now() < end && !b.leads()) {
            time.step();
        }
        assertThat(b.leads()).as("b leads in the end").isTrue();
        return a.leads();
    }
}
