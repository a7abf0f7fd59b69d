// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/**
 * The history as a drawing with a lane for each instance. From left to right it has a column for each view.
 * The bars on top show how long the cluster was changing before each view.
 */
public final class Timeline {
    private static final int MAX_LANES = 60;
    private static final int NAME_LENGTH = 20;
    private static final int SHARED_NAME_LENGTH = 11;
    private static final int NODE_LENGTH = 60;
    private static final int TOP = 78;
    private static final int CLOCK = 54;
    private static final int DAY = 69;
    private static final int LANE = 24;
    private static final int DURATIONS = 36;

    private final PageWriter page;
    private final Html html;
    private final Canvas canvas;

    public Timeline(PageWriter page) {
        this.page = page;
        this.html = page.html();
        this.canvas = new Canvas(html);
    }

    /**
     * Draws a column for each view.
     *
     * @param entries the views, newest first
     * @param shown whether the instance with an id has a lane
     */
    public void write(List<Entry> entries, Predicate<String> shown) {
        TimelineLayout all = TimelineLayout.of(entries);
        TimelineAxis axis = TimelineAxis.of(all.columns());
        List<TimelineLayout.Lane> wanted =
                all.lanes().stream().filter(lane -> shown.test(lane.id())).toList();
        List<TimelineLayout.Lane> lanes = wanted.stream().limit(MAX_LANES).toList();
        html.element("div", attr("class", "dz-timeline").and("id", "dz-timeline"), () -> {
                    names(lanes);
                    canvas.scrolling("dz-scroll", "Timeline", () -> drawing(all.columns(), lanes, axis));
                })
                .line();
        if (wanted.size() > lanes.size()) {
            page.note("Not drawn: " + Phrases.count(wanted.size() - lanes.size(), "further instance")
                    + ". The table below has them, and the page of an instance its history.");
        }
    }

    private void names(List<TimelineLayout.Lane> lanes) {
        html.element("ul", attr("class", "dz-lanes"), () -> {
            for (TimelineLayout.Lane lane : lanes) {
                Attributes link =
                        attr("href", page.addresses().history(lane.id())).and("title", PageWriter.title(lane.id()));
                boolean shared = page.names().isShared(lane.id());
                String name = Phrases.shorten(page.nameOrShortId(lane.id()), shared ? SHARED_NAME_LENGTH : NAME_LENGTH);
                html.element("li", () -> {
                    html.element("a", link, () -> html.foreign(name));
                    if (shared) {
                        html.text(" ");
                        page.shortId(lane.id());
                    }
                });
            }
        });
    }

    private void drawing(List<Entry> columns, List<TimelineLayout.Lane> lanes, TimelineAxis axis) {
        int height = TOP + lanes.size() * LANE + 4;
        String label = "Lives of " + Phrases.count(lanes.size(), "instance") + " over "
                + Phrases.count(columns.size(), "view") + ". The table below has the same facts as text.";
        canvas.drawing("dz-drawing", axis.width(), height, label, () -> {
            ticks(axis, height);
            durations(columns, axis);
            for (int i = 0; i < lanes.size(); i++) {
                lane(lanes.get(i), columns, TOP + i * LANE, axis);
            }
        });
    }

    private void ticks(TimelineAxis axis, int height) {
        String day = "";
        for (TimelineAxis.Tick tick : axis.ticks()) {
            line(tick.x(), DURATIONS + 2, tick.x(), height, "dz-tickline");
            label(tick, CLOCK, "clock", page.times().clock(tick.millis()));
            String date = page.times().day(tick.millis());
            if (!date.equals(day)) {
                label(tick, DAY, "day", date);
            }
            day = date;
        }
        html.line();
    }

    /** A label that the script writes in the time zone of the browser. */
    private void label(TimelineAxis.Tick tick, int y, String with, String text) {
        html.element(
                "text",
                attr("x", tick.x())
                        .and("y", y)
                        .and("class", "dz-axis")
                        .and("data-clock", tick.millis())
                        .and("data-with", with),
                text);
    }

    private void durations(List<Entry> columns, TimelineAxis axis) {
        for (int i = 0; i < columns.size(); i++) {
            Entry entry = columns.get(i);
            int high = heightOf(entry.changingMillis(), DURATIONS);
            box(
                    axis.left(i) + 1,
                    DURATIONS - high,
                    axis.right(i) - axis.left(i) - 2,
                    high,
                    tone(entry),
                    "View " + entry.number() + ": changing for " + Times.duration(entry.changingMillis()));
        }
        html.line();
    }

    /** Returns the height on a logarithmic scale, which tells milliseconds, seconds and half minutes apart. */
    private static int heightOf(long millis, int highest) {
        double decades = Math.log10(Math.max(1, millis) / 10.0);
        return (int) Math.max(2, Math.min(highest - 2, decades * highest / 4));
    }

    /** Returns the classes of the bar of a view. */
    private static String tone(Entry entry) {
        return entry.leftOut().isEmpty() ? "dz-changing" : "dz-changing dz-vain";
    }

    private void lane(TimelineLayout.Lane lane, List<Entry> columns, int y, TimelineAxis axis) {
        line(0, y + LANE - 1, axis.width(), y + LANE - 1, "dz-laneline");
        for (TimelineLayout.Span life : lane.lives()) {
            box(life, y + 5, LANE - 10, axis, "dz-life", columns, "node " + Phrases.shorten(life.what(), NODE_LENGTH));
        }
        for (TimelineLayout.Span lead : lane.leaderships()) {
            box(lead, y + 3, LANE - 6, axis, "dz-lead", columns, "leader with token " + lead.what());
            int room = axis.right(lead.to()) - axis.left(lead.from());
            if (room >= 7 * lead.what().length() + 6) {
                int x = axis.left(lead.from()) + 6;
                html.element("text", attr("x", x).and("y", y + LANE / 2 + 4).and("class", "dz-token"), lead.what());
            }
        }
        html.line();
    }

    private void box(
            TimelineLayout.Span span,
            int y,
            int high,
            TimelineAxis axis,
            String styleClass,
            List<Entry> columns,
            String what) {
        long first = columns.get(span.from()).number();
        long last = columns.get(span.to()).number();
        String views = first == last ? "view " + first : "views " + first + " to " + last;
        int x = axis.left(span.from()) + 1;
        box(x, y, axis.right(span.to()) - x - 1, high, styleClass, what + ", " + views);
    }

    private void box(int x, int y, int wide, int high, String styleClass, String title) {
        canvas.rectangle(styleClass, x, y, Math.max(2, wide), high, title);
    }

    private void line(int fromX, int fromY, int toX, int toY, String styleClass) {
        canvas.path(styleClass, "M" + fromX + " " + fromY + "L" + toX + " " + toY);
    }

    /** Writes the meaning of the bars. */
    public void writeLegend() {
        Map<String, Runnable> legend = new LinkedHashMap<>();
        key(legend, "dz-life", "a life of an instance: one announcement, one member node");
        key(legend, "dz-lead", "a leadership of the instance, with its token");
        key(legend, "dz-changing", "how long the cluster was changing before the view, on a scale from 10 ms to 100 s");
        key(legend, "dz-changing dz-vain", "the same, for a view that left a member out");
        canvas.legend(legend);
    }

    private void key(Map<String, Runnable> legend, String styleClass, String text) {
        legend.put(text, () -> canvas.rectangle(styleClass, 1, 1, 22, 12, ""));
    }
}
