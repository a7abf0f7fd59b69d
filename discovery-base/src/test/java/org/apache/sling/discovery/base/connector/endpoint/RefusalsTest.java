// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.report.ConnectorReport.Refusal;
import org.junit.jupiter.api.Test;

class RefusalsTest {

    private long now = 1_000_000;
    private final Refusals refusals = new Refusals(new Time(() -> now, () -> now + 5));

    @Test
    void eachSenderIsLoggedOnceForEachStatusWithinTheWindow() {
        assertThat(refusals.count("a", 404, "one")).isTrue();
        assertThat(refusals.count("a", 404, "two")).isFalse();
        assertThat(refusals.count("a", 413, "three")).isTrue();
        assertThat(refusals.count("b", 404, "one")).isTrue();
        now += Refusals.WINDOW_MILLIS - 1;
        assertThat(refusals.count("a", 404, "one")).isFalse();
        now++;
        assertThat(refusals.count("a", 404, "last")).isTrue();
        assertThat(refusals.count("a", 404, "last")).isFalse();
        assertThat(refusals.shown())
                .startsWith(new Refusal("a", 404, "last", 5, 1_000_005, now + 5))
                .hasSize(3);
        assertThat(refusals.total()).isEqualTo(7);
    }

    @Test
    void sendersAndLogLinesAreLimited() {
        int logged = 0;
        for (int i = 0; i < 1_000; i++) {
            logged += refusals.count("sender-" + i, 404, "one") ? 1 : 0;
        }
        assertThat(logged).isEqualTo(Refusals.MAX_LINES);
        assertThat(refusals.shown()).hasSize(Refusals.MAX_SHOWN);
        assertThat(refusals.shown().get(0).sender()).isEqualTo("sender-999");
        now += Refusals.WINDOW_MILLIS;
        assertThat(refusals.count("another", 404, "one")).isTrue();
    }
}
