// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.State;
import org.junit.jupiter.api.Test;

class JournalTest {

    @Test
    void theLossOfTheConnectionIsAWarning() {
        assertThat(Stream.of(State.values()).filter(Journal::isWarning))
                .containsExactly(State.SUSPENDED, State.CUT_OFF);
    }
}
