// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static io.github.discoveryzk.zk.server.ensemble.Answer.Kind.EMPTY;
import static io.github.discoveryzk.zk.server.ensemble.Answer.Kind.FORMING;
import static io.github.discoveryzk.zk.server.ensemble.Answer.Kind.GROWING;
import static io.github.discoveryzk.zk.server.ensemble.Answer.Kind.MUTE;
import static io.github.discoveryzk.zk.server.ensemble.Answer.Kind.NOT_SERVING;
import static io.github.discoveryzk.zk.server.ensemble.Answer.Kind.SILENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import io.github.discoveryzk.zk.server.ensemble.Joining.Step;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Who may start without data, by fake answers of the others. */
class JoiningTest {

    private static Answer leads(Integer... members) {
        return new Answer(Kind.LEADER, 7, Set.of(members));
    }

    private static Joining decide(int id, Kind stage, Object... others) {
        Map<Integer, Answer> answers = new TreeMap<>();
        for (int i = 0; i < others.length; i += 2) {
            answers.put(
                    (Integer) others[i], others[i + 1] instanceof Kind kind ? Answer.of(kind) : (Answer) others[i + 1]);
        }
        return Joining.decide(id, stage, answers);
    }

    @Test
    void oneServerStarts() {
        assertThat(decide(1, EMPTY).step()).isEqualTo(Step.START);
    }

    @Nested
    class WhenAnEnsembleForms {
        @Test
        void itNeedsAllServers() {
            assertThat(decide(1, EMPTY, 2, EMPTY, 3, SILENT)).satisfies(joining -> {
                assertThat(joining.step()).isEqualTo(Step.STAY_EMPTY);
                assertThat(joining.sentence()).contains("no answer came from server 3");
            });
        }

        @Test
        void allOfThemKnowBeforeOneStarts() {
            assertThat(decide(1, EMPTY, 2, EMPTY, 3, EMPTY).step()).isEqualTo(Step.FORM);
            assertThat(decide(2, EMPTY, 1, FORMING, 3, EMPTY).step()).isEqualTo(Step.FORM);
            assertThat(decide(1, FORMING, 2, FORMING, 3, EMPTY).step()).isEqualTo(Step.FORM);
            assertThat(decide(1, FORMING, 2, FORMING, 3, FORMING).step()).isEqualTo(Step.START);
            assertThat(decide(2, FORMING, 1, NOT_SERVING, 3, FORMING).step()).isEqualTo(Step.START);
            assertThat(decide(2, FORMING, 1, SILENT, 3, FORMING).step()).isEqualTo(Step.START);
            assertThat(decide(2, FORMING, 1, MUTE, 3, FORMING).step()).isEqualTo(Step.FORM);
            assertThat(decide(2, EMPTY, 1, MUTE, 3, EMPTY).step()).isEqualTo(Step.STAY_EMPTY);
        }

        @Test
        void oneThatHasLostItsDataDoesNotVote() {
            assertThat(decide(2, EMPTY, 1, NOT_SERVING, 3, SILENT).step()).isEqualTo(Step.START_WITHOUT_VOTE);
            assertThat(decide(2, EMPTY, 1, leads(1, 2, 3), 3, SILENT).step()).isEqualTo(Step.START_WITHOUT_VOTE);
        }
    }

    @Nested
    class WhenOneGrowsToThree {
        @Test
        void oneServerJoins() {
            assertThat(decide(2, EMPTY, 1, leads(1), 3, SILENT).step()).isEqualTo(Step.JOIN);
            assertThat(decide(3, EMPTY, 1, leads(1), 2, SILENT).step()).isEqualTo(Step.JOIN);
        }

        @Test
        void aSecondJoinerAtTheSameMomentIsRefused() {
            for (Kind first : Set.of(EMPTY, FORMING, NOT_SERVING, MUTE)) {
                assertThat(decide(3, EMPTY, 1, leads(1), 2, first)).satisfies(joining -> {
                    assertThat(joining.step()).isEqualTo(Step.STAY_EMPTY);
                    assertThat(joining.sentence()).contains("Refused for now: server 2 is joining");
                });
            }
            assertThat(decide(2, EMPTY, 1, leads(1), 3, EMPTY).step()).isEqualTo(Step.JOIN);
            assertThat(decide(2, EMPTY, 1, leads(1), 3, NOT_SERVING).step()).isEqualTo(Step.STAY_EMPTY);
        }

        @Test
        void whileTheFirstRestartsNoneVotes() {
            assertThat(decide(3, EMPTY, 1, SILENT, 2, SILENT).step()).isEqualTo(Step.STAY_EMPTY);
            assertThat(decide(3, EMPTY, 1, SILENT, 2, EMPTY).step()).isEqualTo(Step.STAY_EMPTY);
            assertThat(decide(3, EMPTY, 1, SILENT, 2, NOT_SERVING).step()).isEqualTo(Step.START_WITHOUT_VOTE);
        }

        @Test
        void theSecondJoinsWhenTheEnsembleListsIt() {
            assertThat(decide(3, EMPTY, 1, leads(1, 2, 3), 2, new Answer(Kind.FOLLOWER, 7, Set.of(1, 2, 3)))
                            .step())
                    .isEqualTo(Step.START_WITHOUT_VOTE);
        }

        @Test
        void theFirstServerWaitsForOneOtherAndTellsIt() {
            assertThat(decide(1, GROWING, 2, SILENT, 3, SILENT)).satisfies(joining -> {
                assertThat(joining.step()).isEqualTo(Step.GROW);
                assertThat(joining.sentence()).contains("waits for one of the servers 2, 3");
            });
            assertThat(decide(1, GROWING, 2, EMPTY, 3, SILENT).step()).isEqualTo(Step.GROW);
            assertThat(decide(2, EMPTY, 1, GROWING, 3, EMPTY).step()).isEqualTo(Step.JOIN);
            assertThat(decide(3, EMPTY, 1, GROWING, 2, EMPTY).step()).isEqualTo(Step.STAY_EMPTY);
            assertThat(decide(1, GROWING, 2, NOT_SERVING, 3, EMPTY).step()).isEqualTo(Step.START);
        }
    }
}
