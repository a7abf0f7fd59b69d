// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import static org.apache.sling.discovery.commons.report.HistoryEntries.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.HistorySums.Hour;
import org.junit.jupiter.api.Test;

class HistorySumsTest {

    private static final long HOUR = 3_600_000;
    private static final long START = 1_000 * HOUR;

    private static HistorySums sums(long now, Entry... newestFirst) {
        return HistorySums.of(new History(List.of(newestFirst), List.of()), now);
    }

    @Test
    void countsChangesAndLeaderMovesInEachHour() {
        HistorySums sums = sums(
                START + 3 * HOUR + 5,
                entry(5, 5, START + 2 * HOUR + 1, 70, "", "", ""),
                entry(4, 2, START + 2 * HOUR, 10, "", "", ""),
                entry(3, 2, START + HOUR - 1, 30, "", "", ""),
                entry(2, 2, START, 20, "", "", ""),
                entry(1, 1, START - 1, 10, "", "", ""));

        assertThat(sums.hours())
                .containsExactly(
                        new Hour(START - HOUR, 1, 0),
                        new Hour(START, 2, 1),
                        new Hour(START + HOUR, 0, 0),
                        new Hour(START + 2 * HOUR, 2, 1),
                        new Hour(START + 3 * HOUR, 0, 0));
        assertThat(sums.changes()).isEqualTo(5);
        assertThat(sums.leaderMoves()).isEqualTo(2);
        assertThat(sums.medianMillis()).hasValue(20);
        assertThat(sums.longestMillis()).hasValue(70);
        assertThat(sums.longestView()).hasValue(5);
    }

    @Test
    void theMedianOfAnEvenNumberIsBetweenTheMiddleOnes() {
        assertThat(sums(START, entry(2, 1, START, 40, "", "", ""), entry(1, 1, START, 20, "", "", ""))
                        .medianMillis())
                .hasValue(30);
    }

    @Test
    void theBucketsAreBounded() {
        HistorySums sums = sums(
                START + 1_000 * HOUR,
                entry(2, 1, START + 1_000 * HOUR, 0, "", "", ""),
                entry(1, 1, START, 0, "", "", ""));

        assertThat(sums.hours()).hasSize(HistorySums.MOST_HOURS);
        assertThat(sums.changes()).isEqualTo(2);
    }

    @Test
    void aPublisherWhoseClockIsAheadCountsNow() {
        assertThat(sums(START, entry(1, 1, START + 1_000_000 * HOUR, 0, "", "", ""))
                        .hours())
                .containsExactly(new Hour(START, 1, 0));
    }

    @Test
    void anEmptyHistoryHasNoSums() {
        HistorySums sums = sums(START);
        assertThat(sums.hours()).isEmpty();
        assertThat(sums.medianMillis()).isEmpty();
        assertThat(sums.longestView()).isEmpty();
    }
}
