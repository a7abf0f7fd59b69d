// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A short run with fixed faults: five containers, three servers, and all laws. */
class ChaosIT {

    private static final int SIZE = 5;

    /** Longer than a session. */
    private static final Duration LONG = Duration.ofMillis(Fleet.SESSION_MILLIS + 500);

    @Test
    void allLawsHold() throws Exception {
        List<List<Fault>> rounds = List.of(
                List.of(new NodeFault.Killed(0, Duration.ZERO), new NodeFault.CutOff(3, LONG)),
                List.of(new NodeFault.Paused(1, LONG), new NodeFault.RequestsLost(4, LONG)),
                List.of(new NodeFault.StoppedInChange(2, 3, Duration.ZERO)),
                List.of(new ServerFault.ServerParted(0, LONG)),
                List.of(new NodeFault.SlowListener(0, Duration.ofMillis(300), 1)));
        try (ChaosDriver driver = ChaosDriver.start(Runs.folder(ChaosIT.class), SIZE)) {
            for (List<Fault> round : rounds) {
                assertThat(driver.round(round)).as("settled after " + round).isTrue();
            }
            assertThat(LawChecker.check(driver.finish())).isEmpty();
        }
    }
}
