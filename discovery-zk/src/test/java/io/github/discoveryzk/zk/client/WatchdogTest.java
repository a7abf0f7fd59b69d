// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.zk.client.Watchdog.Advice;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WatchdogTest {
    private final Watchdog watchdog = new Watchdog();

    private List<Advice> beats(int number) {
        return Stream.generate(watchdog::check)
                .limit(number)
                .filter(advice -> advice != Advice.NOTHING)
                .toList();
    }

    @Test
    void asksAfterEachTimeoutAndRebuildsAfterThreeOncePerPeriod() {
        watchdog.reply();
        assertThat(beats(3)).isEmpty();
        assertThat(beats(1)).containsExactly(Advice.PROBE);
        assertThat(beats(5)).containsExactly(Advice.PROBE);
        assertThat(beats(1)).containsExactly(Advice.REPLACE);
        assertThat(beats(9)).containsExactly(Advice.PROBE, Advice.PROBE, Advice.REPLACE);
        assertThat(watchdog.replacements()).isEqualTo(2);
    }

    @Test
    void anyReplyStartsThePeriodAnew() {
        assertThat(beats(9)).doesNotContain(Advice.REPLACE);
        watchdog.reply();
        assertThat(beats(9)).doesNotContain(Advice.REPLACE);
        assertThat(beats(1)).containsExactly(Advice.REPLACE);
    }

    @Test
    void nineBeatsAreNeverLessThanThreeTimeouts() {
        for (int timeout : List.of(100, 1_000, 1_001, 10_000, 600_000)) {
            assertThat(Watchdog.intervalMillis(timeout) * 9).isGreaterThanOrEqualTo(3L * Math.max(1_000, timeout));
            assertThat(Watchdog.timeoutMillis(timeout)).isEqualTo(Watchdog.intervalMillis(timeout) * 9);
        }
    }
}
