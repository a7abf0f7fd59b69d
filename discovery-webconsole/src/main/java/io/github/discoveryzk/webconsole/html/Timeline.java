// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.content.Line.line;
import static io.github.discoveryzk.webconsole.html.Attributes.attr;

import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.report.History.Entry;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span.TimeForm;
import io.github.discoveryzk.webconsole.content.Times;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The history as a picture: a row for each instance along an axis of time. A bar is a life or a leadership. The row on top shows when
 * the cluster was changing and where the leader moved.
 *
 * @param entries the views, newest first, at least one
 * @param untilMillis when the axis ends: when the next view was published, or the present
 * @param shown whether the instance with an id has a row
 */
record Timeline(List<Entry> entries, long untilMillis, Predicate<String> shown) implements Picture {
    private static final int MAX_LANES = 60;
    private static final int NODE_LENGTH = 60;
    private static final int LABELS = 4;

    /** The height of a change that lasted 100 s, in pixels. */
    private static final int HEIGHT = 36;

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
        HistoryEntry first = columns.get(0).stored();
        long beginMillis = first.publishedMillis() - first.changingMillis();
        double millis = Math.max(1, untilMillis - beginMillis);
        double[] at = columns.stream()
                .mapToDouble(each -> (each.stored().publishedMillis() - beginMillis) / millis * 100)
                .toArray();
        Html html = page.html();
        String caption = "Lives of " + Phrases.count(lanes.size(), "instance") + " over "
                + Phrases.count(columns.size(), "view") + ". The table below has the same facts as text.";
        html.element("table", attr("class", "dz-timeline").and("aria-label", caption), () -> {
            row(page, "dz-times", line().text("Time"), () -> IntStream.range(0, LABELS)
                    .mapToLong(i -> beginMillis + (long) (millis * i / LABELS))
                    .forEach(each -> page.line(line().time(each, TimeForm.MOMENT))));
            row(
                    page,
                    "dz-changes",
                    line().text("Changing"),
                    () -> drawn(html, () -> IntStream.range(0, at.length)
                            .forEach(i -> change(html, columns.get(i), at[i], 100 / millis))));
            html.element("tbody", attr("class", "dz-lanes"), () -> lanes.entrySet().stream()
                    .limit(MAX_LANES)
                    .forEach(lane -> row(
                            page,
                            "dz-lane",
                            line().instance(lane.getKey()),
                            () -> drawn(html, () -> lane(html, columns, at, lane.getValue())))));
        });
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

    private static void row(PageWriter page, String styleClass, Line heading, Runnable content) {
        page.html().element("tr", attr("class", styleClass), () -> page.html()
                .element("th", attr("scope", "row"), () -> page.line(heading))
                .element("td", content));
    }

    private static void drawn(Html html, Runnable content) {
        html.element("svg", attr("aria-hidden", "true"), content);
    }

    /** Draws a bar from and to a percentage of the axis; the least one can be seen. */
    private static void bar(Html html, double from, double to, Attributes attributes, String title) {
        // The clocks of two publishers differ: a view may seem older than the one before.
        String x = String.format(Locale.ROOT, "%.3f%%", Math.max(0, from));
        String width = String.format(Locale.ROOT, "%.3f%%", Math.max(0.1, to - Math.max(0, from)));
        html.element("rect", attributes.and("x", x).and("width", width), () -> html.element("title", title));
    }

    private static void change(Html html, Entry entry, double at, double millisecond) {
        long changing = entry.stored().changingMillis();
        String title = ViewHead.words(entry.number()) + ": changing for " + Times.duration(changing);
        // The logarithm tells milliseconds, seconds and half minutes apart.
        int height = (int) Math.ceil(Math.log10(Math.max(12, Math.min(100_000, changing)) / 10.0) * HEIGHT / 4);
        String styleClass = entry.stored().late().isEmpty() ? "dz-changing" : "dz-changing dz-vain";
        Attributes changed = attr("class", styleClass).and("height", height).and("y", HEIGHT - height);
        bar(html, at - changing * millisecond, at, changed, title);
        if (entry.head().token() == entry.number() && entry.head().previous() > 0) {
            Attributes moved = attr("class", "dz-moved").and("height", HEIGHT);
            bar(html, at, at, moved, "the leader moved: token " + ViewHead.words(entry.number()));
        }
    }

    private static void lane(Html html, List<Entry> columns, double[] at, Life[] lives) {
        int from = 0;
        for (int i = 1; i <= lives.length; i++) {
            if (i == lives.length || !Objects.equals(lives[i], lives[from])) {
                if (lives[from] != null) {
                    String styleClass = lives[from].token() > 0 ? "dz-lead" : "dz-life";
                    double end = i == lives.length ? 100 : at[i];
                    bar(html, at[from], end, attr("class", styleClass), title(columns.subList(from, i), lives[from]));
                }
                from = i;
            }
        }
    }

    /** Says what the consecutive views are in which an instance was the same. */
    private static String title(List<Entry> views, Life life) {
        long first = views.get(0).number();
        long last = views.get(views.size() - 1).number();
        return (life.token() > 0 ? "leader with token " + ViewHead.words(life.token()) + ", " : "")
                + "node " + Phrases.shorten(life.node(), NODE_LENGTH) + ", "
                + (first == last ? "view " : "views " + ViewHead.words(first) + " to ") + ViewHead.words(last);
    }

    private static void legend(Html html) {
        html.element("ul", attr("class", "dz-legend"), () -> {
            key(html, "dz-life", "a life of an instance: one announcement, one member node");
            key(html, "dz-lead", "a leadership of the instance; on top, where the leader moved");
            key(html, "dz-changing", "the cluster was changing; the height is the duration, from 10 ms to 100 s");
            key(html, "dz-changing dz-vain", "the same, for a view that excluded a member");
        });
    }

    private static void key(Html html, String styleClass, String text) {
        html.element("li", () -> html.element("i", attr("class", "dz-key " + styleClass), "")
                .text(text));
    }
}
