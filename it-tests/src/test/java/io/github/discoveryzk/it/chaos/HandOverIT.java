// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.chaos.recorder.Entry.Begun;
import io.github.discoveryzk.it.chaos.recorder.Entry.Ended;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Containers with work are restarted one after the other: each hands its keys over, and they move as seldom as they can. */
@Tag("thorough")
class HandOverIT {

    private static final int SIZE = 3;
    private static final int KEYS = 10;
    private static final int ROUNDS = Integer.getInteger("discovery.restarts", 3);

    /** Longer than a restart, unless the machine is very busy. */
    private static final long BALANCE_MILLIS = 30_000;

    private static final NodeSettings SETTINGS =
            new NodeSettings(NodeSettings.SESSION_MILLIS, NodeSettings.SETTLE_MILLIS, "LEASE", 1, BALANCE_MILLIS);

    private final Random random = new Random(1);

    /** When a rolling restart began and all was spread again, and how long the slowest restart of a container took. */
    private record Round(long begin, long end, long slowestMillis) {}

    @Test
    void aRollingRestartMovesEachKeyAtMostTwice() throws Exception {
        try (ChaosDriver driver =
                ChaosDriver.start(Fleet.folder(HandOverIT.class), Collections.nCopies(SIZE, SETTINGS))) {
            Fleet fleet = driver.fleet();
            awaitSpread(fleet);
            List<Node> order = new ArrayList<>(fleet.nodes());
            List<Round> rounds = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                long begin = System.nanoTime();
                long slowestMillis = 0;
                for (Node node : order) {
                    slowestMillis = Math.max(slowestMillis, restart(node, fleet));
                }
                awaitSpread(fleet);
                rounds.add(new Round(begin, System.nanoTime(), slowestMillis));
                Collections.shuffle(order, random);
            }
            Recording recording = driver.finish();
            assertThat(WorkChecker.check(recording)).isEmpty();
            // During a restart that takes longer keys move for a balance, and forget where they were.
            List<Round> quick = rounds.stream()
                    .filter(each -> each.slowestMillis() < BALANCE_MILLIS)
                    .toList();
            assertThat(quick).as("of %s", rounds).isNotEmpty();
            quick.forEach(each -> assertMovedAtMostTwice(recording, each));
            Set<String> ended = recording.all(Ended.class).stream()
                    .map(each -> each.key() + each.token())
                    .collect(Collectors.toCollection(HashSet::new));
            assertThat(recording.all(Begun.class))
                    .as("each end was waited for")
                    .allMatch(each -> ended.contains(each.key() + each.token()));
        }
    }

    /** Restarts a container; returns how long that took, in milliseconds. */
    private static long restart(Node node, Fleet fleet) throws Exception {
        long begin = System.nanoTime();
        node.stop();
        node.awaitEnd();
        node.start();
        fleet.awaitSettled();
        node.awaitReady();
        return (System.nanoTime() - begin) / 1_000_000;
    }

    private static void assertMovedAtMostTwice(Recording recording, Round round) {
        List<Begun> begins = recording.all(Begun.class).stream()
                .filter(each -> round.begin() < each.at() && each.at() < round.end())
                .toList();
        Map<String, Long> moves =
                begins.stream().collect(Collectors.groupingBy(Begun::key, TreeMap::new, Collectors.counting()));
        System.out.println("moves: " + moves + ", longest time without an owner: " + longestGap(recording, begins));
        assertThat(moves.values()).allMatch(each -> each <= 2);
    }

    /** Waits until each container works on its part. */
    private static void awaitSpread(Fleet fleet) {
        awaitThat("keys are spread", () -> fleet.nodes().stream()
                .allMatch(each -> each.keys() == KEYS / SIZE || each.keys() == KEYS / SIZE + 1));
    }

    private static String longestGap(Recording recording, List<Begun> begins) {
        long nanos = begins.stream()
                .mapToLong(each -> each.at()
                        - recording.all(Ended.class).stream()
                                .filter(end -> end.key().equals(each.key()) && end.at() <= each.at())
                                .mapToLong(Ended::at)
                                .max()
                                .orElse(each.at()))
                .max()
                .orElse(0);
        return nanos / 1_000_000 + " ms";
    }
}
