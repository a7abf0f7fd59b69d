// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.report.History.Entry;

/**
 * The lives of instances in a grid: one lane for each instance, one column for each view.
 *
 * @param columns the views, oldest first
 * @param lanes the members of the newest view in their order, then all others, those seen last first
 */
public record TimelineLayout(List<Entry> columns, List<Lane> lanes) {

    /**
     * The row of one instance.
     *
     * @param id the instance id
     * @param lives the views of which it was a member, one span for each member node
     * @param leaderships the views in which it led, one span for each token
     */
    public record Lane(String id, List<Span> lives, List<Span> leaderships) {}

    /**
     * Consecutive columns.
     *
     * @param from the first column, counted from 0
     * @param to the last column
     * @param what the member node, or the token
     */
    public record Span(int from, int to, String what) {}

    private static final int MARGIN = 44;

    /** The minimum distance of two labels. */
    private static final int LABEL = 96;

    /**
     * A label.
     *
     * @param x where it stands
     * @param millis the time
     */
    record Tick(int x, long millis) {}

    /** Lays out entries, of which the newest is the first. */
    public static TimelineLayout of(List<Entry> entries) {
        Map<String, Spans> byId = new LinkedHashMap<>();
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            int column = entries.size() - 1 - i;
            for (Incarnation member : entry.members()) {
                byId.computeIfAbsent(member.instanceId(), id -> new Spans())
                        .lives
                        .add(column, member.node());
            }
            if (!entry.members().isEmpty()) {
                byId.get(entry.leader())
                        .leaderships
                        .add(column, String.valueOf(entry.head().token()));
            }
        }
        List<Entry> columns = new ArrayList<>(entries);
        Collections.reverse(columns);
        List<Lane> lanes = new ArrayList<>();
        byId.forEach((id, spans) -> lanes.add(new Lane(id, spans.lives.spans, spans.leaderships.spans)));
        return new TimelineLayout(List.copyOf(columns), List.copyOf(lanes));
    }

    /** Returns the width of a column: the more there are, the narrower they are. */
    private int step() {
        int count = columns.size();
        if (count <= 50) {
            return count <= 12 ? 72 : 24;
        }
        return count <= 150 ? 12 : 6;
    }

    /** Returns where a view begins. */
    int left(int column) {
        return MARGIN + column * step();
    }

    /** Returns where a view ends, which is where the next one begins. */
    int right(int column) {
        return left(column + 1);
    }

    /** Returns the width of the drawing. */
    int width() {
        return left(columns.size()) + MARGIN;
    }

    /** Returns the labels, from left to right. */
    List<Tick> ticks() {
        int each = Math.max(1, (LABEL + step() - 1) / step());
        int last = columns.size() - 1;
        return IntStream.rangeClosed(0, last)
                .filter(i -> i == last || i % each == 0 && last - i >= each)
                .mapToObj(i ->
                        new Tick(left(i) + step() / 2, columns.get(i).stored().publishedMillis()))
                .toList();
    }

    private static final class Spans {
        private final Run lives = new Run();
        private final Run leaderships = new Run();
    }

    /** Joins consecutive columns, which are added from the newest to the oldest. */
    private static final class Run {
        private final List<Span> spans = new ArrayList<>();

        void add(int column, String what) {
            int last = spans.size() - 1;
            if (last >= 0
                    && spans.get(last).from() == column + 1
                    && spans.get(last).what().equals(what)) {
                spans.set(last, new Span(column, spans.get(last).to(), what));
            } else {
                spans.add(new Span(column, column, what));
            }
        }
    }
}
