// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RecentAnswersTest {
    private static final Answer FOLLOWER = Answer.of(Kind.FOLLOWER);

    private final Members members =
            new Members(new Servers(List.of(Entry.parse(1, "127.0.0.1:1:2:3"))), any -> FOLLOWER);

    @Test
    void whatIsShownIsAskedMostOftenAndWhatIsDownMoreOftenThanTheRest() {
        Map<Integer, Answer> down = Map.of(1, FOLLOWER, 2, Answer.of(Kind.MUTE));
        assertThat(RecentAnswers.period(true, Map.of(1, FOLLOWER)))
                .isEqualTo(RecentAnswers.period(true, down))
                .isLessThan(RecentAnswers.period(false, down));
        assertThat(RecentAnswers.period(false, down)).isLessThan(RecentAnswers.period(false, Map.of(1, FOLLOWER)));
    }

    @Test
    void whoNeedsTheLatestWaitsUntilTheServersWereAsked() {
        RecentAnswers answers = new RecentAnswers(members, 60_000);
        CompletableFuture<Map<Integer, Answer>> read = new CompletableFuture<>();
        Thread reader = new Thread(() -> read.complete(answers.latest()));
        reader.start();
        await().until(() -> reader.getState() == Thread.State.TIMED_WAITING);
        answers.ask();
        assertThat(read.join()).containsOnlyKeys(1);
        assertThat(answers.latest()).as("without a wait").containsOnlyKeys(1);
    }

    @Test
    void theReaderGoesOnIfNothingAsks() {
        assertThat(new RecentAnswers(members, 1).latest()).isEmpty();
    }
}
