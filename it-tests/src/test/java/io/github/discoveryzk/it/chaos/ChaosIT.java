// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.discoveryzk.it.chaos.recorder.Entry.Write;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short run with fixed faults: five containers, three servers, and all laws. */
@Tag("thorough")
class ChaosIT {

    private static final int SIZE = 5;

    /** Longer than a session. */
    private static final Duration LONG = Duration.ofMillis(NodeSettings.SESSION_MILLIS + 500);

    /** Longer than a server needs to notice that it has been parted from the others. */
    private static final Duration LONGER = Duration.ofMillis(5_000);

    @Test
    void allLawsHold() throws Exception {
        try (ChaosDriver driver = ChaosDriver.start(ChaosIT.class, SIZE)) {
            Fleet fleet = driver.fleet();
            play(driver, NodeFaults.killed(fleet.leader(), Duration.ZERO), cutOff(after(fleet.leader())));
            play(driver, NodeFaults.paused(fleet.leader(), LONG), requestsLost(after(fleet.leader())));
            play(driver, NodeFaults.stoppedInChange(fleet.leader(), after(fleet.leader()), Duration.ZERO));
            play(driver, StoreFaults.serverParted(fleet.ensemble().leader(), LONGER));
            play(driver, NodeFaults.hungListener(after(fleet.leader()), fleet.leader()));
            Recording recording = driver.finish();
            assertThat(LawChecker.check(recording)).isEmpty();
            assertThat(recording.all(Write.class))
                    .as("writes of a leader that was paused, when it goes on")
                    .anyMatch(write -> !write.accepted());
        }
    }

    private static void play(ChaosDriver driver, Fault... faults) throws Exception {
        if (!driver.round(List.of(faults))) {
            Fleet fleet = driver.fleet();
            fail("not all settled after " + List.of(faults) + "\n" + fleet.describe() + "\n"
                    + fleet.tree().describe());
        }
    }

    private static Fault cutOff(int node) {
        return NodeFaults.cutOff(node, LONG);
    }

    private static Fault requestsLost(int node) {
        return NodeFaults.requestsLost(node, LONG);
    }

    private static int after(int node) {
        return (node + 1) % SIZE;
    }
}
