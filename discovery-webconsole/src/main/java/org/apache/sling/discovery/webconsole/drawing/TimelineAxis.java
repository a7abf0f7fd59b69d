// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.commons.report.History.Entry;

/** Where the views of a timeline stand from left to right. */
interface TimelineAxis {
    int MARGIN = 44;

    /** The least distance of two labels. */
    int LABEL = 96;

    /** Returns where a view begins. */
    int left(int column);

    /** Returns where a view ends, which is where the next one begins. */
    int right(int column);

    /** Returns where the change that led to a view began. */
    int changeFrom(int column);

    /** Returns where the change that led to a view ended. */
    int changeTo(int column);

    /** Returns the width of the drawing. */
    int width();

    /** Returns the labels, from left to right. */
    List<Tick> ticks();

    /**
     * A label.
     *
     * @param x where it stands
     * @param millis the time
     */
    record Tick(int x, long millis) {}

    /** Returns an axis with a column of the same width for each view. */
    static TimelineAxis byView(List<Entry> columns) {
        return new ByView(columns, ByView.step(columns.size()));
    }

    /**
     * Returns an axis on which distances are durations.
     *
     * @param endMillis when the last view ended, or the present time
     * @param zone the zone in whose full hours and days labels stand
     */
    static TimelineAxis byTime(List<Entry> columns, long endMillis, ZoneId zone) {
        Entry oldest = columns.get(0);
        Entry newest = columns.get(columns.size() - 1);
        long from = oldest.publishedMillis() - oldest.changingMillis();
        long to = Math.max(endMillis, Math.max(newest.publishedMillis(), from + 1_000));
        return new ByTime(columns, from, to, zone);
    }

    /**
     * A column for each view.
     *
     * @param columns the views, oldest first
     * @param step the width of a column
     */
    record ByView(List<Entry> columns, int step) implements TimelineAxis {

        /** Returns the width of a column: the more views, the narrower. */
        static int step(int columns) {
            if (columns <= 12) {
                return 72;
            }
            if (columns <= 50) {
                return 24;
            }
            return columns <= 150 ? 12 : 6;
        }

        @Override
        public int left(int column) {
            return MARGIN + column * step;
        }

        @Override
        public int right(int column) {
            return left(column + 1);
        }

        @Override
        public int changeFrom(int column) {
            return left(column);
        }

        @Override
        public int changeTo(int column) {
            return right(column);
        }

        @Override
        public int width() {
            return 2 * MARGIN + columns.size() * step;
        }

        @Override
        public List<Tick> ticks() {
            int each = Math.max(1, (LABEL + step - 1) / step);
            int last = columns.size() - 1;
            List<Tick> ticks = new ArrayList<>();
            for (int i = 0; i <= last; i++) {
                if (i == last || i % each == 0 && last - i >= each) {
                    ticks.add(new Tick(left(i) + step / 2, columns.get(i).publishedMillis()));
                }
            }
            return ticks;
        }
    }

    /**
     * True time.
     *
     * @param columns the views, oldest first
     * @param from the first millisecond
     * @param to the last one
     * @param zone the zone of the labels
     */
    record ByTime(List<Entry> columns, long from, long to, ZoneId zone) implements TimelineAxis {
        private static final int LEAST_WIDTH = 860;
        private static final int GREATEST_WIDTH = 3_000;
        private static final int WIDTH_OF_VIEW = 10;
        private static final long[] STEPS = {
            1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000
        };

        private int inner() {
            return Math.max(LEAST_WIDTH, Math.min(GREATEST_WIDTH, columns.size() * WIDTH_OF_VIEW));
        }

        private int x(long millis) {
            double part = (double) (millis - from) / (to - from);
            return MARGIN + (int) Math.round(Math.max(0, Math.min(1, part)) * inner());
        }

        @Override
        public int left(int column) {
            return x(columns.get(column).publishedMillis());
        }

        @Override
        public int right(int column) {
            return column + 1 < columns.size() ? left(column + 1) : x(to);
        }

        @Override
        public int changeFrom(int column) {
            Entry entry = columns.get(column);
            return x(entry.publishedMillis() - entry.changingMillis());
        }

        @Override
        public int changeTo(int column) {
            return left(column);
        }

        @Override
        public int width() {
            return 2 * MARGIN + inner();
        }

        @Override
        public List<Tick> ticks() {
            long step = step();
            long offset = zone.getRules().getOffset(Instant.ofEpochMilli(from)).getTotalSeconds() * 1_000L;
            long first = Math.floorDiv(from + offset + step - 1, step) * step - offset;
            List<Tick> ticks = new ArrayList<>();
            for (long millis = first; millis <= to; millis += step) {
                ticks.add(new Tick(x(millis), millis));
            }
            return ticks;
        }

        private long step() {
            long least = (to - from) * LABEL / inner();
            for (long each : STEPS) {
                if (each >= least) {
                    return each;
                }
            }
            long day = STEPS[STEPS.length - 1];
            return (least + day - 1) / day * day;
        }
    }
}
