// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.HistorySums;
import org.apache.sling.discovery.commons.report.HistorySums.Hour;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** Sums over views of the history as small charts: changes and moves of the leader per hour, and settling times. */
public final class SumsCharts {
    private static final int WIDTH = 240;
    private static final int HEIGHT = 40;
    private static final int WIDEST_BAR = 20;

    private final PageWriter page;
    private final Html html;

    public SumsCharts(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    /** @param entries the views with these sums, newest first */
    public void write(HistorySums sums, List<Entry> entries) throws IOException {
        List<Hour> hours = sums.hours();
        String extent = hours.size() == 1 ? "within this hour" : "per hour, " + hours.size() + " hours";
        html.element("div", attr("class", "dz-sums").and("id", "dz-sums"), () -> {
                    card(
                            String.valueOf(sums.changes()),
                            "change",
                            sums.changes(),
                            perHour(sums, hours),
                            () -> bars(hours, Hour::changes, "dz-changing", "changes " + extent));
                    card(
                            String.valueOf(sums.leaderMoves()),
                            "leader move",
                            sums.leaderMoves(),
                            extent,
                            () -> bars(hours, Hour::leaderMoves, "dz-lead", "leader moves " + extent));
                    settling(sums, entries);
                })
                .line();
    }

    private static String perHour(HistorySums sums, List<Hour> hours) {
        int counted = hours.stream().mapToInt(Hour::changes).sum();
        long tenths = hours.isEmpty() ? 0 : Math.round(counted * 10.0 / hours.size());
        return tenths / 10 + "." + tenths % 10 + " per hour"
                + (counted == sums.changes() ? "" : " in the last " + hours.size() + " hours");
    }

    private void card(String number, String noun, int count, String note, Html.Content chart) throws IOException {
        html.element("div", attr("class", "dz-sum"), () -> {
            html.element("p", () -> {
                html.element("strong", number).text(" " + noun + (count == 1 ? "" : "s") + " ");
                html.element("span", attr("class", "dz-soft"), note);
            });
            chart.write();
        });
    }

    private void settling(HistorySums sums, List<Entry> entries) throws IOException {
        if (sums.medianMillis().isEmpty() || sums.longestMillis().isEmpty()) {
            return;
        }
        String median = Times.duration(sums.medianMillis().getAsLong());
        String longest = Times.duration(sums.longestMillis().getAsLong());
        html.element("div", attr("class", "dz-sum"), () -> {
            html.element("p", () -> {
                html.element("strong", median).text(" median settling time, longest ");
                if (sums.longestView().isPresent()) {
                    long view = sums.longestView().getAsLong();
                    html.element("a", attr("href", page.addresses().view(view)), longest);
                } else {
                    html.text(longest);
                }
            });
            times(
                    entries,
                    "settling times of " + Phrases.count(entries.size(), "view") + ", median " + median + ", longest "
                            + longest);
        });
    }

    private void bars(List<Hour> hours, ToIntFunction<Hour> value, String styleClass, String label) throws IOException {
        int most = Math.max(1, hours.stream().mapToInt(value).max().orElse(1));
        chart(label, () -> {
            double step = step(hours.size());
            for (int i = 0; i < hours.size(); i++) {
                int number = value.applyAsInt(hours.get(i));
                int high = number == 0 ? 1 : Math.max(3, number * HEIGHT / most);
                String title =
                        number + ", " + page.times().relative(hours.get(i).startMillis());
                bar(hours.size() - i, step, high, number == 0 ? "dz-none" : styleClass, title);
            }
        });
    }

    private void times(List<Entry> entries, String label) throws IOException {
        chart(label, () -> {
            double step = step(entries.size());
            for (int i = 0; i < entries.size(); i++) {
                Entry entry = entries.get(i);
                bar(
                        i + 1,
                        step,
                        Timeline.heightOf(entry.changingMillis(), HEIGHT),
                        Timeline.tone(entry),
                        "view " + entry.number() + ": " + Times.duration(entry.changingMillis()));
            }
        });
    }

    private static double step(int bars) {
        return Math.min(WIDEST_BAR, (double) WIDTH / Math.max(1, bars));
    }

    private void chart(String label, Html.Content bars) throws IOException {
        Attributes svg = attr("class", "dz-chart")
                .and("viewBox", "0 0 " + WIDTH + " " + HEIGHT)
                .and("preserveAspectRatio", "xMaxYMax meet")
                .and("role", "img")
                .and("aria-label", label);
        html.element("svg", svg, bars);
    }

    /** @param fromRight the place of the bar, the newest of which is 1 and stands on the right */
    private void bar(int fromRight, double step, int high, String styleClass, String title) throws IOException {
        Attributes rect = attr("x", tenths(WIDTH - fromRight * step))
                .and("y", HEIGHT - high)
                .and("width", tenths(Math.max(0.4, step > 3 ? step - 1 : step * 0.8)))
                .and("height", high)
                .and("class", styleClass);
        html.element("rect", rect, () -> html.element("title", title));
    }

    private static String tenths(double number) {
        return String.valueOf(Math.round(number * 10) / 10.0);
    }
}
