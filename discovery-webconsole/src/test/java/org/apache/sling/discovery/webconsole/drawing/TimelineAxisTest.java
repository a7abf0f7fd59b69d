// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;

class TimelineAxisTest {
    private static final long MINUTE = 60_000;

    /** A view in each minute, the last one now; the first change took 40 ms, the fifth one 30 s. */
    private final List<Entry> columns =
            TimelineLayout.of(Reports.withHistory(3, 8).history().entries()).columns();

    @Test
    void distancesAreDurations() {
        TimelineAxis axis = TimelineAxis.byTime(columns, Reports.NOW + 3 * MINUTE, ZoneOffset.UTC);
        int minute = axis.right(0) - axis.left(0);
        assertThat(minute).isPositive();
        for (int i = 0; i < 7; i++) {
            assertThat(axis.right(i) - axis.left(i)).isCloseTo(minute, within(1));
        }
        assertThat(axis.right(7) - axis.left(7)).isCloseTo(3 * minute, within(3));
        assertThat(axis.changeTo(4) - axis.changeFrom(4)).isCloseTo(minute / 2, within(1));
        assertThat(axis.changeTo(4)).isEqualTo(axis.left(4));
        assertThat(axis.right(7)).isEqualTo(axis.width() - TimelineAxis.MARGIN);
    }

    @Test
    void labelsStandAtRoundTimesAndApart() {
        for (long end : new long[] {1, 60, 3_000, 100_000, 10_000_000, 1_000_000_000}) {
            TimelineAxis axis = TimelineAxis.byTime(columns, Reports.NOW + end * 1_000, ZoneId.of("Asia/Kolkata"));
            List<TimelineAxis.Tick> ticks = axis.ticks();
            assertThat(ticks).as("up to " + end + " s").isNotEmpty();
            for (int i = 1; i < ticks.size(); i++) {
                assertThat(ticks.get(i).x() - ticks.get(i - 1).x()).isGreaterThanOrEqualTo(TimelineAxis.LABEL - 1);
            }
        }
        assertThat(TimelineAxis.byTime(columns, Reports.NOW + 100 * 24 * 60 * MINUTE, ZoneId.of("Asia/Kolkata"))
                        .ticks())
                .as("midnight in the zone")
                .allMatch(tick -> (tick.millis() + 330 * MINUTE) % (24 * 60 * MINUTE) == 0);
    }

    @Test
    void aClockThatIsBehindMakesNoNegativeWidth() {
        TimelineAxis axis = TimelineAxis.byTime(columns, Reports.NOW - 60 * MINUTE, ZoneOffset.UTC);
        assertThat(axis.right(7)).isGreaterThanOrEqualTo(axis.left(7));
    }

    @Test
    void columnsOfViewsAreOfOneWidth() {
        TimelineAxis axis = TimelineAxis.byView(columns);
        assertThat(axis.right(0) - axis.left(0)).isEqualTo(axis.right(7) - axis.left(7));
        assertThat(axis.changeFrom(3)).isEqualTo(axis.left(3));
    }
}
