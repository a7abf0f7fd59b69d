// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/**
 * The history as a drawing with a lane for each instance. From left to right it has a column for each view, or the time.
 * The bars on top show how long the cluster was changing before each view.
 */
public final class Timeline {
    /** The length to which titles are truncated, which only appear under the mouse pointer. */
    public static final int TITLE_LENGTH = 300;

    private static final int MOST_LANES = 60;
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

    public Timeline(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    /**
     * Draws a column for each view.
     *
     * @param entries the views, newest first
     * @param shown whether the instance with an id has a lane
     */
    public void write(List<Entry> entries, Predicate<String> shown) throws IOException {
        TimelineLayout layout = TimelineLayout.of(entries);
        write(layout, TimelineAxis.byView(layout.columns()), shown);
    }

    /**
     * Draws views on a true time axis.
     *
     * @param entries consecutive views, newest first
     * @param endMillis when the newest of them ended, or the present time
     * @param shown whether the instance with an id has a lane
     */
    public void writeByTime(List<Entry> entries, long endMillis, Predicate<String> shown) throws IOException {
        TimelineLayout layout = TimelineLayout.of(entries);
        write(
                layout,
                TimelineAxis.byTime(layout.columns(), endMillis, page.times().zone()),
                shown);
    }

    private void write(TimelineLayout all, TimelineAxis axis, Predicate<String> shown) throws IOException {
        List<TimelineLayout.Lane> wanted =
                all.lanes().stream().filter(lane -> shown.test(lane.id())).toList();
        List<TimelineLayout.Lane> lanes = wanted.stream().limit(MOST_LANES).toList();
        html.element("div", attr("class", "dz-timeline").and("id", "dz-timeline"), () -> {
                    names(lanes);
                    html.element("div", scrolling(), () -> drawing(all.columns(), lanes, axis));
                })
                .line();
        if (wanted.size() > lanes.size()) {
            page.note("Not drawn: " + Phrases.count(wanted.size() - lanes.size(), "further instance")
                    + ". Select one of them with the form above, or see the table below.");
        }
    }

    private static Attributes scrolling() {
        return attr("class", "dz-scroll")
                .and("id", "dz-scroll")
                .and("tabindex", "0")
                .and("role", "region")
                .and("aria-label", "Timeline, scrolls sideways");
    }

    private void names(List<TimelineLayout.Lane> lanes) throws IOException {
        html.element("ul", attr("class", "dz-lanes"), () -> {
            for (TimelineLayout.Lane lane : lanes) {
                Attributes link = attr("href", page.addresses().history(lane.id()))
                        .and("title", Phrases.truncate(lane.id(), TITLE_LENGTH));
                boolean shared = page.names().isShared(lane.id());
                String name = Phrases.shorten(page.nameOrId(lane.id()), shared ? SHARED_NAME_LENGTH : NAME_LENGTH);
                html.element("li", () -> {
                    html.element("a", link, () -> html.foreign(name));
                    page.shortIdIfShared(lane.id());
                });
            }
        });
    }

    private void drawing(List<Entry> columns, List<TimelineLayout.Lane> lanes, TimelineAxis axis) throws IOException {
        int width = axis.width();
        int height = TOP + lanes.size() * LANE + 4;
        Attributes svg = attr("class", "dz-drawing")
                .and("width", width)
                .and("height", height)
                .and("viewBox", "0 0 " + width + " " + height)
                .and("role", "img")
                .and(
                        "aria-label",
                        "Lives of " + Phrases.count(lanes.size(), "instance") + " over "
                                + Phrases.count(columns.size(), "view")
                                + ". The table below has the same facts as text.");
        html.element("svg", svg, () -> {
            html.line();
            ticks(axis, height);
            durations(columns, axis);
            for (int i = 0; i < lanes.size(); i++) {
                lane(lanes.get(i), columns, TOP + i * LANE, axis);
            }
        });
    }

    private void ticks(TimelineAxis axis, int height) throws IOException {
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
    private void label(TimelineAxis.Tick tick, int y, String with, String text) throws IOException {
        html.element(
                "text",
                attr("x", tick.x())
                        .and("y", y)
                        .and("class", "dz-axis")
                        .and("data-clock", tick.millis())
                        .and("data-with", with),
                text);
    }

    private void durations(List<Entry> columns, TimelineAxis axis) throws IOException {
        for (int i = 0; i < columns.size(); i++) {
            Entry entry = columns.get(i);
            int high = heightOf(entry.changingMillis(), DURATIONS);
            box(
                    axis.changeFrom(i) + 1,
                    DURATIONS - high,
                    axis.changeTo(i) - axis.changeFrom(i) - 2,
                    high,
                    tone(entry),
                    "View " + entry.number() + ": changing for " + Times.duration(entry.changingMillis()));
        }
        html.line();
    }

    /** Returns the height on a logarithmic scale, which tells milliseconds, seconds and half minutes apart. */
    static int heightOf(long millis, int highest) {
        double decades = Math.log10(Math.max(1, millis) / 10.0);
        return (int) Math.max(2, Math.min(highest - 2, decades * highest / 4));
    }

    /** Returns the classes of the bar of a view. */
    static String tone(Entry entry) {
        if (entry.outage().isPresent()) {
            return "dz-changing dz-outage";
        }
        return entry.leftOut().isEmpty() ? "dz-changing" : "dz-changing dz-vain";
    }

    private void lane(TimelineLayout.Lane lane, List<Entry> columns, int y, TimelineAxis axis) throws IOException {
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
            String what)
            throws IOException {
        long first = columns.get(span.from()).number();
        long last = columns.get(span.to()).number();
        String views = first == last ? "view " + first : "views " + first + " to " + last;
        int x = axis.left(span.from()) + 1;
        box(x, y, axis.right(span.to()) - x - 1, high, styleClass, what + ", " + views);
    }

    private void box(int x, int y, int wide, int high, String styleClass, String title) throws IOException {
        Attributes rect = attr("x", x)
                .and("y", y)
                .and("width", Math.max(2, wide))
                .and("height", high)
                .and("rx", 2)
                .and("class", styleClass);
        html.element("rect", rect, () -> html.element("title", title));
    }

    private void line(int fromX, int fromY, int toX, int toY, String styleClass) throws IOException {
        String outline = "M" + fromX + " " + fromY + "L" + toX + " " + toY;
        html.element("path", attr("d", outline).and("class", styleClass), "");
    }
}
