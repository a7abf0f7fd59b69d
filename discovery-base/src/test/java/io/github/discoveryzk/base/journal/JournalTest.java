// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.State;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JournalTest {

    @Test
    void theLossOfTheConnectionIsAWarning() {
        assertThat(Stream.of(State.values()).filter(Journal::isWarning))
                .containsExactly(State.SUSPENDED, State.CUT_OFF);
    }
}
