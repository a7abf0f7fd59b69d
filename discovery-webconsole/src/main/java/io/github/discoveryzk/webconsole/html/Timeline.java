// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.content.Line.line;
import static io.github.discoveryzk.webconsole.html.Attributes.attr;

import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.report.History.Entry;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span.TimeForm;
import io.github.discoveryzk.webconsole.content.Times;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The history as a picture: a row for each instance, a column for each view, oldest first. A cell over several columns is a
 * life or a leadership. The bars on top show how long the cluster was changing before each view.
 *
 * @param entries the views, newest first
 * @param shown whether the instance with an id has a row
 */
record Timeline(List<Entry> entries, Predicate<String> shown) implements Picture {
    private static final int MAX_LANES = 60;
    private static final int NODE_LENGTH = 60;

    /** The minimum width of the label of a time, in pixels. */
    private static final int LABEL = 96;

    /** The number of heights of the bars on top. */
    private static final int HEIGHTS = 10;

    /**
     * What an instance was in a view.
     *
     * @param node its member node
     * @param token the token of its leadership, 0 if it did not lead
     */
    private record Life(String node, long token) {}

    @Override
    public void write(PageWriter page) {
        List<Entry> columns = new ArrayList<>(entries);
        Collections.reverse(columns);
        Map<String, Life[]> lanes = lanes(columns);
        Html html = page.html();
        int step = step(columns.size());
        String caption = "Lives of " + Phrases.count(lanes.size(), "instance") + " over "
                + Phrases.count(columns.size(), "view") + ". The table below has the same facts as text.";
        Attributes scroll = attr("class", "dz-scroll")
                .and("id", "dz-scroll")
                .and("tabindex", "0")
                .and("role", "region")
                .and("aria-label", "Timeline, scrolls sideways");
        Attributes table = attr("class", "dz-timeline dz-step-" + step).and("id", "dz-timeline");
        html.element(
                "div",
                scroll,
                () -> html.element("table", table, () -> {
                    html.element("caption", attr("class", "dz-hidden"), caption);
                    html.element("colgroup", () -> html.empty("col", attr("class", "dz-names"))
                            .empty("col", attr("span", columns.size())));
                    times(page, columns, (LABEL + step - 1) / step);
                    durations(html, columns);
                    html.element("tbody", attr("class", "dz-lanes"), () -> lanes.entrySet().stream()
                            .limit(MAX_LANES)
                            .forEach(lane -> lane(page, columns, lane.getKey(), lane.getValue())));
                }));
        if (lanes.size() > MAX_LANES) {
            page.parts(
                    List.of(new Section.Note("Not drawn: " + Phrases.count(lanes.size() - MAX_LANES, "further instance")
                            + ". The table below has them, and the page of an instance its history.")));
        }
        legend(html);
    }

    /** Returns the rows: the members of the newest view in their order, then all others, those seen last first. */
    private Map<String, Life[]> lanes(List<Entry> columns) {
        Map<String, Life[]> lanes = new LinkedHashMap<>();
        for (int column = columns.size() - 1; column >= 0; column--) {
            Entry entry = columns.get(column);
            long token = entry.head().token();
            for (Incarnation member : entry.members()) {
                if (shown.test(member.instanceId())) {
                    lanes.computeIfAbsent(member.instanceId(), id -> new Life[columns.size()])[column] =
                            new Life(member.node(), token);
                }
                // The first member leads.
                token = 0;
            }
        }
        return lanes;
    }

    /** Returns the width of a column in pixels: the more there are, the narrower they are. */
    private static int step(int count) {
        if (count <= 50) {
            return count <= 12 ? LABEL : 24;
        }
        return count <= 150 ? 12 : 6;
    }

    private static void times(PageWriter page, List<Entry> columns, int each) {
        Html html = page.html();
        html.element("tr", attr("class", "dz-times"), () -> {
            html.element("th", attr("scope", "row"), "Views");
            for (int i = 0; i < columns.size(); i += each) {
                long millis = columns.get(i).stored().publishedMillis();
                html.element(
                        "td",
                        attr("colspan", Math.min(each, columns.size() - i)),
                        () -> page.line(line().time(millis, TimeForm.MOMENT)));
            }
        });
    }

    private static void durations(Html html, List<Entry> columns) {
        html.element("tr", attr("class", "dz-durations"), () -> {
            html.element("th", attr("scope", "row"), "Changing for");
            for (Entry entry : columns) {
                String title = "View " + entry.number() + ": changing for "
                        + Times.duration(entry.stored().changingMillis());
                String bar = (entry.stored().late().isEmpty() ? "dz-changing" : "dz-changing dz-vain") + " dz-h"
                        + height(entry.stored().changingMillis());
                html.element("td", attr("title", title), () -> html.element("i", attr("class", bar), ""));
            }
        });
    }

    /** Returns the height on a logarithmic scale, which tells milliseconds, seconds and half minutes apart. */
    private static int height(long millis) {
        double decades = Math.log10(Math.max(10, millis) / 10.0);
        return (int) Math.min(HEIGHTS - 1, decades * HEIGHTS / 4);
    }

    private static void lane(PageWriter page, List<Entry> columns, String id, Life[] lives) {
        Html html = page.html();
        html.element("tr", () -> {
            html.element("th", attr("scope", "row"), () -> page.line(line().instance(id)));
            int from = 0;
            for (int i = 1; i <= lives.length; i++) {
                if (i == lives.length || !Objects.equals(lives[i], lives[from])) {
                    cell(html, columns.subList(from, i), lives[from]);
                    from = i;
                }
            }
        });
    }

    /** Writes the cell of consecutive views in which an instance was the same, or no member. */
    private static void cell(Html html, List<Entry> views, Life life) {
        Attributes cell = attr("colspan", views.size());
        if (life == null) {
            html.element("td", cell, "");
            return;
        }
        long first = views.get(0).number();
        long last = views.get(views.size() - 1).number();
        String title = (life.token() > 0 ? "leader with token " + life.token() + ", " : "")
                + "node " + Phrases.shorten(life.node(), NODE_LENGTH)
                + (first == last ? ", view " + first : ", views " + first + " to " + last);
        String styleClass = life.token() > 0 ? "dz-lead" : "dz-life";
        html.element(
                "td",
                cell.and("class", styleClass).and("title", title),
                life.token() > 0 ? ViewHead.words(life.token()) : "");
    }

    private static void legend(Html html) {
        html.element("ul", attr("class", "dz-legend"), () -> {
            key(html, "dz-life", "a life of an instance: one announcement, one member node");
            key(html, "dz-lead", "a leadership of the instance, with its token");
            key(html, "dz-changing", "how long the cluster was changing before the view, from 10 ms to 100 s");
            key(html, "dz-changing dz-vain", "the same, for a view that excluded a member");
        });
    }

    private static void key(Html html, String styleClass, String text) {
        html.element("li", () -> html.element("i", attr("class", "dz-key " + styleClass), "")
                .text(text));
    }
}
