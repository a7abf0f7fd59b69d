// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.commons.report.History.Entry;

/**
 * Where the views of a timeline stand from left to right: in columns of the same width.
 *
 * @param columns the views, oldest first
 * @param step the width of a column
 */
record TimelineAxis(List<Entry> columns, int step) {
    private static final int MARGIN = 44;

    /** The least distance of two labels. */
    private static final int LABEL = 96;

    /**
     * A label.
     *
     * @param x where it stands
     * @param millis the time
     */
    record Tick(int x, long millis) {}

    /** Returns an axis for views, oldest first: the more there are, the narrower are the columns. */
    static TimelineAxis of(List<Entry> columns) {
        int count = columns.size();
        if (count <= 12) {
            return new TimelineAxis(columns, 72);
        }
        if (count <= 50) {
            return new TimelineAxis(columns, 24);
        }
        return new TimelineAxis(columns, count <= 150 ? 12 : 6);
    }

    /** Returns where a view begins. */
    int left(int column) {
        return MARGIN + column * step;
    }

    /** Returns where a view ends, which is where the next one begins. */
    int right(int column) {
        return left(column + 1);
    }

    /** Returns the width of the drawing. */
    int width() {
        return 2 * MARGIN + columns.size() * step;
    }

    /** Returns the labels, from left to right. */
    List<Tick> ticks() {
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
