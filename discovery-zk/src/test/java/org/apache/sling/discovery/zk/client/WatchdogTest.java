// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.sling.discovery.zk.client.Watchdog.Advice;
import org.junit.jupiter.api.Test;

class WatchdogTest {
    private final Watchdog watchdog = new Watchdog();

    private List<Advice> beats(int number, long roundTrips) {
        return IntStream.range(0, number)
                .mapToObj(i -> watchdog.check(roundTrips))
                .filter(advice -> advice != Advice.NOTHING)
                .toList();
    }

    @Test
    void asksAfterEachTimeoutAndRebuildsAfterThreeOncePerPeriod() {
        watchdog.check(7);
        assertThat(beats(2, 7)).isEmpty();
        assertThat(beats(1, 7)).containsExactly(Advice.PROBE);
        assertThat(beats(5, 7)).containsExactly(Advice.PROBE);
        assertThat(beats(1, 7)).containsExactly(Advice.REPLACE);
        assertThat(beats(9, 7)).containsExactly(Advice.PROBE, Advice.PROBE, Advice.REPLACE);
    }

    @Test
    void anyRoundTripStartsThePeriodAnew() {
        watchdog.check(0);
        assertThat(beats(8, 0)).doesNotContain(Advice.REPLACE);
        assertThat(beats(1, 1)).isEmpty();
        assertThat(beats(8, 1)).doesNotContain(Advice.REPLACE);
        assertThat(beats(1, 1)).containsExactly(Advice.REPLACE);
    }

    @Test
    void nineBeatsAreNeverLessThanThreeTimeouts() {
        for (int timeout : List.of(100, 1_000, 1_001, 10_000, 600_000)) {
            assertThat(Watchdog.intervalMillis(timeout) * 9).isGreaterThanOrEqualTo(3L * Math.max(1_000, timeout));
            assertThat(Watchdog.timeoutMillis(timeout)).isEqualTo(Watchdog.intervalMillis(timeout) * 9);
        }
    }
}
