// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecentAnswersTest {
    private static final Answer FOLLOWER = Answer.of(Kind.FOLLOWER);

    @Test
    void whatIsReportedAsDownIsAskedAsOftenAsWhatIsShown() {
        long shown = RecentAnswers.period(true, Map.of(1, FOLLOWER));
        assertThat(RecentAnswers.period(false, Map.of(1, FOLLOWER))).isGreaterThan(shown);
        assertThat(RecentAnswers.period(false, Map.of(1, FOLLOWER, 2, Answer.of(Kind.MUTE))))
                .isEqualTo(shown);
    }
}
