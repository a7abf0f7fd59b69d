// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.drawing.TimelineLayout.Lane;
import org.apache.sling.discovery.webconsole.drawing.TimelineLayout.Span;
import org.apache.sling.discovery.webconsole.drawing.TimelineLayout.Tick;
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
    private final TimelineLayout layout;

    /** @param entries the views, newest first */
    public Timeline(PageWriter page, List<Entry> entries) {
        this.page = page;
        this.html = page.html();
        this.canvas = new Canvas(html);
        this.layout = TimelineLayout.of(entries);
    }

    /**
     * Writes the drawing with its legend.
     *
     * @param shown whether the instance with an id has a lane
     */
    public void write(Predicate<String> shown) {
        List<Lane> wanted =
                layout.lanes().stream().filter(lane -> shown.test(lane.id())).toList();
        List<Lane> lanes = wanted.stream().limit(MAX_LANES).toList();
        html.element("div", attr("class", "dz-timeline").and("id", "dz-timeline"), () -> {
                    html.element("ul", attr("class", "dz-lanes"), () -> lanes.forEach(this::name));
                    canvas.scrolling("dz-scroll", "Timeline", () -> drawing(lanes));
                })
                .line();
        if (wanted.size() > lanes.size()) {
            page.note("Not drawn: " + Phrases.count(wanted.size() - lanes.size(), "further instance")
                    + ". The table below has them, and the page of an instance its history.");
        }
        legend();
    }

    private void name(Lane lane) {
        String id = lane.id();
        boolean shared = page.names().isShared(id);
        String name = Phrases.shorten(page.nameOrShortId(id), shared ? SHARED_NAME_LENGTH : NAME_LENGTH);
        Attributes link = attr("href", page.addresses().history(id)).and("title", PageWriter.title(id));
        html.element("li", () -> {
            html.element("a", link, () -> html.foreign(name));
            if (shared) {
                html.text(" ");
                page.shortId(id);
            }
        });
    }

    private void drawing(List<Lane> lanes) {
        int height = TOP + lanes.size() * LANE + 4;
        String label = "Lives of " + Phrases.count(lanes.size(), "instance") + " over "
                + Phrases.count(layout.columns().size(), "view") + ". The table below has the same facts as text.";
        canvas.drawing("dz-drawing", layout.width(), height, label, () -> {
            ticks(height);
            durations();
            for (int i = 0; i < lanes.size(); i++) {
                lane(lanes.get(i), TOP + i * LANE);
            }
        });
    }

    private void ticks(int height) {
        String day = "";
        for (Tick tick : layout.ticks()) {
            canvas.path("dz-tickline", "M" + tick.x() + " " + (DURATIONS + 2) + "V" + height);
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
    private void label(Tick tick, int y, String with, String text) {
        Attributes attributes = attr("x", tick.x())
                .and("y", y)
                .and("class", "dz-axis")
                .and("data-clock", tick.millis())
                .and("data-with", with);
        html.element("text", attributes, text);
    }

    private void durations() {
        for (int i = 0; i < layout.columns().size(); i++) {
            Entry entry = layout.columns().get(i);
            int high = heightOf(entry.stored().changingMillis());
            String styleClass = entry.stored().late().isEmpty() ? "dz-changing" : "dz-changing dz-vain";
            String title = "View " + entry.number() + ": changing for "
                    + Times.duration(entry.stored().changingMillis());
            box(layout.left(i), layout.right(i), DURATIONS - high, high, styleClass, title);
        }
        html.line();
    }

    /** Returns the height on a logarithmic scale, which tells milliseconds, seconds and half minutes apart. */
    private static int heightOf(long millis) {
        double decades = Math.log10(Math.max(1, millis) / 10.0);
        return (int) Math.max(2, Math.min(DURATIONS - 2, decades * DURATIONS / 4));
    }

    private void lane(Lane lane, int y) {
        canvas.path("dz-laneline", "M0 " + (y + LANE - 1) + "H" + layout.width());
        for (Span life : lane.lives()) {
            span(life, y + 5, LANE - 10, "dz-life", "node " + Phrases.shorten(life.what(), NODE_LENGTH));
        }
        for (Span lead : lane.leaderships()) {
            span(lead, y + 3, LANE - 6, "dz-lead", "leader with token " + lead.what());
            int left = layout.left(lead.from());
            if (layout.right(lead.to()) - left >= 7 * lead.what().length() + 6) {
                Attributes text = attr("x", left + 6).and("y", y + LANE / 2 + 4).and("class", "dz-token");
                html.element("text", text, lead.what());
            }
        }
        html.line();
    }

    private void span(Span span, int y, int high, String styleClass, String what) {
        long first = layout.columns().get(span.from()).number();
        long last = layout.columns().get(span.to()).number();
        String views = first == last ? "view " + first : "views " + first + " to " + last;
        box(layout.left(span.from()), layout.right(span.to()), y, high, styleClass, what + ", " + views);
    }

    private void box(int left, int right, int y, int high, String styleClass, String title) {
        canvas.rectangle(styleClass, left + 1, y, Math.max(2, right - left - 2), high, title);
    }

    private void legend() {
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
