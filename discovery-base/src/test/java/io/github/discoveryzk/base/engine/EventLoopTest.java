// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.time.VirtualProcess;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which inputs share a turn, on virtual time. */
class EventLoopTest {

    private final VirtualTime time = new VirtualTime();
    private final VirtualProcess process = new VirtualProcess(time);
    private final List<String> log = new ArrayList<>();
    private final EventLoop loop =
            new EventLoop("a", process.executor(() -> 0), process::clock, () -> log.add("turn"), () -> log.add("wake"));

    private void fact(String name) {
        loop.submitFact(() -> log.add(name));
    }

    private void input(String name) {
        loop.submit(() -> log.add(name));
    }

    @Test
    void factsThatWaitTogetherShareOneTurn() {
        fact("one");
        fact("two");
        time.run(10);

        assertThat(log).containsExactly("one", "two", "turn");
    }

    @Test
    void aLossSharesNoTurnWithWhatComesBeforeOrAfterIt() {
        fact("seen");
        input("lost");
        fact("failed");
        input("connected");
        fact("seen again");
        time.run(10);

        assertThat(log)
                .containsExactly(
                        "seen", "turn", "lost", "turn", "failed", "turn", "connected", "turn", "seen again", "turn");
    }

    @Test
    void manyFactsDoNotDelayTheTurnWithoutEnd() {
        IntStream.range(0, EventLoop.MAX_FACTS_OF_A_TURN + 1).forEach(i -> fact("fact"));
        time.run(10);

        assertThat(log.subList(0, EventLoop.MAX_FACTS_OF_A_TURN)).containsOnly("fact");
        assertThat(log.subList(EventLoop.MAX_FACTS_OF_A_TURN, log.size())).containsExactly("turn", "fact", "turn");
    }

    @Test
    void anInputThatFailsEndsNeitherTheLoopNorTheOrder() {
        loop.submit(() -> {
            throw new AssertionError("a test");
        });
        input("next");
        time.run(10);
        assertThat(log).containsExactly("next", "turn");

        time.run(1_000);
        assertThat(log).containsExactly("next", "turn", "wake", "turn");
    }

    @Test
    void theLongestPauseIsThatOfAProcessThatWasStopped() {
        loop.wakeAt(process.clock() + 100);
        time.run(200);
        loop.wakeAt(process.clock() - 9_999);
        time.run(200);
        assertThat(loop.longestPauseMillis()).isLessThan(10);

        loop.wakeAt(process.clock() + 100);
        process.pause();
        time.run(5_000);
        process.resume();
        time.run(1_000);
        assertThat(loop.longestPauseMillis()).isBetween(4_890L, 4_910L);

        loop.wakeAt(process.clock() + 100);
        time.run(200);
        assertThat(loop.longestPauseMillis()).isBetween(4_890L, 4_910L);
    }

    @Test
    void theEarlierOfTwoTimesWakesTheLoopOnce() {
        long now = process.clock();
        loop.wakeAt(now + 100);
        loop.wakeAt(now + 50);
        loop.wakeAt(now + 70);
        time.run(49);
        assertThat(log).isEmpty();
        time.run(100);

        assertThat(log).containsExactly("wake", "turn");
    }
}
