// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.report.ConnectorReport.Refusal;
import org.junit.jupiter.api.Test;

class RefusalsTest {

    private long now = 1_000_000;
    private final Refusals refusals = new Refusals(new Time(() -> now, () -> now + 5));

    @Test
    void eachSenderIsLoggedOnceForEachStatusWithinTheWindow() {
        assertThat(refusals.add("a", 404, "one")).isTrue();
        assertThat(refusals.add("a", 404, "two")).isFalse();
        assertThat(refusals.add("a", 413, "three")).isTrue();
        assertThat(refusals.add("b", 404, "one")).isTrue();
        now += Refusals.WINDOW_MILLIS - 1;
        assertThat(refusals.add("a", 404, "one")).isFalse();
        now++;
        assertThat(refusals.add("a", 404, "last")).isTrue();
        assertThat(refusals.add("a", 404, "last")).isFalse();
        assertThat(refusals.shown())
                .startsWith(new Refusal("a", 404, "last", 5, 1_000_005, now + 5))
                .hasSize(3);
    }

    @Test
    void sendersAndLogLinesAreLimited() {
        int logged = 0;
        for (int i = 0; i < 1_000; i++) {
            logged += refusals.add("sender-" + i, 404, "one") ? 1 : 0;
        }
        assertThat(logged).isEqualTo(Refusals.MAX_LINES);
        assertThat(refusals.shown()).hasSize(Refusals.MAX_SHOWN);
        assertThat(refusals.shown().get(0).sender()).isEqualTo("sender-999");
        now += Refusals.WINDOW_MILLIS;
        assertThat(refusals.add("another", 404, "one")).isTrue();
    }
}
