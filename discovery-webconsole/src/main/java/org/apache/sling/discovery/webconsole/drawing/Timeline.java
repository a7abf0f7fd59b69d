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
 * The history as a drawing: a lane for each instance and a column for each view. The bar on top of a column shows how
 * long the cluster was changing before that view.
 */
public final class Timeline {
    /** The length to which titles are truncated, which only appear under the mouse pointer. */
    public static final int TITLE_LENGTH = 300;

    private static final int MOST_LANES = 60;
    private static final int NAME_LENGTH = 20;
    private static final int NODE_LENGTH = 60;
    private static final int TOP = 66;
    private static final int LANE = 24;
    private static final int DURATIONS = 36;
    private static final int TICK = 96;
    private static final int MARGIN = 34;

    private final PageWriter page;
    private final Html html;

    public Timeline(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    /**
     * Draws views.
     *
     * @param entries the views, newest first
     * @param shown whether the instance with an id has a lane
     */
    public void write(List<Entry> entries, Predicate<String> shown) throws IOException {
        TimelineLayout all = TimelineLayout.of(entries);
        List<TimelineLayout.Lane> wanted =
                all.lanes().stream().filter(lane -> shown.test(lane.id())).toList();
        List<TimelineLayout.Lane> lanes = wanted.stream().limit(MOST_LANES).toList();
        html.element("div", attr("class", "dz-timeline").and("id", "dz-timeline"), () -> {
                    names(lanes);
                    html.element("div", scrolling(), () -> drawing(all.columns(), lanes));
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
                html.element(
                        "li",
                        () -> html.element("a", link, () -> html.foreign(Phrases.shorten(lane.id(), NAME_LENGTH))));
            }
        });
    }

    private void drawing(List<Entry> columns, List<TimelineLayout.Lane> lanes) throws IOException {
        int step = step(columns.size());
        int width = 2 * MARGIN + columns.size() * step;
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
            ticks(columns, step, height);
            durations(columns, step);
            for (int i = 0; i < lanes.size(); i++) {
                lane(lanes.get(i), columns, TOP + i * LANE, step, width);
            }
        });
    }

    /** Returns the width of a column: the more views, the narrower. */
    private static int step(int columns) {
        if (columns <= 12) {
            return 72;
        }
        if (columns <= 50) {
            return 24;
        }
        return columns <= 150 ? 12 : 6;
    }

    private void ticks(List<Entry> columns, int step, int height) throws IOException {
        int each = Math.max(1, (TICK + step - 1) / step);
        int last = columns.size() - 1;
        for (int i = 0; i <= last; i++) {
            if (i != last && (i % each != 0 || last - i < each)) {
                continue;
            }
            int x = MARGIN + i * step + step / 2;
            Entry entry = columns.get(i);
            line(x, DURATIONS + 2, x, height, "dz-tickline");
            html.element(
                    "text",
                    attr("x", x).and("y", TOP - 14).and("class", "dz-axis"),
                    page.times().clock(entry.publishedMillis()));
        }
        html.line();
    }

    private void durations(List<Entry> columns, int step) throws IOException {
        for (int i = 0; i < columns.size(); i++) {
            Entry entry = columns.get(i);
            int high = heightOf(entry.changingMillis());
            box(
                    MARGIN + i * step + 1,
                    DURATIONS - high,
                    step - 2,
                    high,
                    entry.leftOut().isEmpty() ? "dz-changing" : "dz-changing dz-vain",
                    "View " + entry.number() + ": changing for " + Times.duration(entry.changingMillis()));
        }
        html.line();
    }

    /** Returns the height on a logarithmic scale, which tells milliseconds, seconds and half minutes apart. */
    private static int heightOf(long millis) {
        double decades = Math.log10(Math.max(1, millis) / 10.0);
        return (int) Math.max(2, Math.min(DURATIONS - 2, decades * 9));
    }

    private void lane(TimelineLayout.Lane lane, List<Entry> columns, int y, int step, int width) throws IOException {
        line(0, y + LANE - 1, width, y + LANE - 1, "dz-laneline");
        for (TimelineLayout.Span life : lane.lives()) {
            box(life, y + 5, LANE - 10, step, "dz-life", columns, "node " + Phrases.shorten(life.what(), NODE_LENGTH));
        }
        for (TimelineLayout.Span lead : lane.leaderships()) {
            box(lead, y + 3, LANE - 6, step, "dz-lead", columns, "leader with token " + lead.what());
            int room = (lead.to() - lead.from() + 1) * step;
            if (room >= 7 * lead.what().length() + 6) {
                int x = MARGIN + lead.from() * step + 6;
                html.element("text", attr("x", x).and("y", y + LANE / 2 + 4).and("class", "dz-token"), lead.what());
            }
        }
        html.line();
    }

    private void box(
            TimelineLayout.Span span, int y, int high, int step, String styleClass, List<Entry> columns, String what)
            throws IOException {
        long first = columns.get(span.from()).number();
        long last = columns.get(span.to()).number();
        String views = first == last ? "view " + first : "views " + first + " to " + last;
        int x = MARGIN + span.from() * step + 1;
        box(x, y, (span.to() - span.from() + 1) * step - 2, high, styleClass, what + ", " + views);
    }

    private void box(int x, int y, int wide, int high, String styleClass, String title) throws IOException {
        Attributes rect = attr("x", x)
                .and("y", y)
                .and("width", wide)
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
