// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.webconsole.testing.Reports;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class TimesTest {
    private static final long NOW = Reports.NOW;
    private final Times times = new Times(NOW, ZoneOffset.UTC);

    @ParameterizedTest
    @CsvFileSource(resources = "/relative-times.csv")
    void tellsHowLongAgo(long age, String words) {
        assertThat(times.relative(NOW - age)).isEqualTo(words);
    }

    @Test
    void tellsWhenWithTheOffset() {
        assertThat(times.absolute(NOW)).isEqualTo("2026-11-21 10:00:00 +00:00");
        assertThat(new Times(NOW, ZoneId.of("Asia/Kolkata")).absolute(NOW)).isEqualTo("2026-11-21 15:30:00 +05:30");
    }

    @Test
    void doesNotInventATime() {
        assertThat(times.absoluteAndRelative(0)).isEqualTo("unknown");
        assertThat(times.relative(0)).isEqualTo("unknown");
    }

    @ParameterizedTest
    @CsvSource({"5, 5 ms", "3200, 3.2 s", "10000, 10 s", "90000, 1 min 30 s"})
    void durationsArePreciseWhereTheyAreShort(long millis, String words) {
        assertThat(Times.duration(millis)).isEqualTo(words);
    }
}
