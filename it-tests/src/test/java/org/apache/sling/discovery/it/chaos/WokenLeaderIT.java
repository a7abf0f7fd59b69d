// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.sling.discovery.it.chaos.recorder.Entry.Accepted;
import org.apache.sling.discovery.it.chaos.recorder.Entry.Write;
import org.apache.sling.discovery.it.chaos.recorder.Entry.Yes;
import org.junit.jupiter.api.Test;

/** A leader that was paused for longer than its session does nothing harmful when it resumes. */
class WokenLeaderIT {

    private static final int SIZE = 3;

    @Test
    void knowsAtOnceThatItLeadsNoMoreAndRejoinsAtTheEnd() throws Exception {
        try (ChaosDriver driver = ChaosDriver.start(WokenLeaderIT.class, SIZE)) {
            Fleet fleet = driver.fleet();
            int leader = fleet.leader();
            Node woken = fleet.node(leader);
            String process = woken.process();
            awaitThat("the leader writes", () -> !writes(fleet).isEmpty());
            long token = writes(fleet).get(0).token();

            long stopped = System.nanoTime();
            Pause pause = pauseBetweenWrites(fleet, woken);
            try {
                fleet.awaitSettledWithout(leader);
                awaitThat("its successor writes", () -> writes(fleet).stream()
                        .anyMatch(write -> !write.process().equals(process)));
            } finally {
                pause.close();
            }
            long awake = System.nanoTime();
            fleet.awaitSettled();
            awaitThat("it has tried to write", () -> triedSince(awake, process, fleet));

            assertThat(woken.settledIn().orElseThrow().ids()).endsWith(woken.name());
            Recording recording = driver.finish();
            assertThat(recording.all(Yes.class).stream()
                            .filter(yes -> yes.process().equals(process) && yes.token() == token)
                            .filter(yes -> yes.before() > stopped && yes.after() > awake))
                    .as("answers of the woken leader")
                    .isEmpty();
            assertThat(recording.all(Write.class).stream()
                            .filter(write -> write.process().equals(process) && write.token() == token)
                            .filter(write -> write.after() > awake))
                    .as("writes of the woken leader")
                    .isNotEmpty()
                    .noneMatch(Write::accepted);
            // The checker does not know the disturbances.
            assertThat(LawChecker.check(recording).stream()
                            .filter(violation -> !violation.law().startsWith("L9")))
                    .isEmpty();
        }
    }

    /** Pauses it while it holds no lock of the store: otherwise its successor could not write until it resumes. */
    private static Pause pauseBetweenWrites(Fleet fleet, Node node) throws Exception {
        Path head = fleet.recordings().resolve("store.head");
        try (FileChannel channel = FileChannel.open(head, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            return node.pause();
        }
    }

    private static List<Accepted> writes(Fleet fleet) {
        return fleet.recording().all(Accepted.class);
    }

    private static boolean triedSince(long time, String process, Fleet fleet) {
        return fleet.recording().all(Write.class).stream()
                .anyMatch(write -> write.process().equals(process) && write.before() > time);
    }
}
