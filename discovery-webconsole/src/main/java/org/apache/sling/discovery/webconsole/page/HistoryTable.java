// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The table of the views in the history of the cluster. */
final class HistoryTable {
    private static final int MOST_NAMES = 6;
    private static final int TEXT_LENGTH = 600;
    private static final List<String> HEADINGS =
            List.of("View", "When", "Leader", "Members", "What happened", "Changing for", "Published by");

    private final PageWriter page;
    private final Html html;

    HistoryTable(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write(List<Entry> entries) throws IOException {
        page.section(
                "dz-history",
                "Views, newest first",
                entries.size(),
                () -> page.table("dz-views", HEADINGS, () -> {
                    for (Entry entry : entries) {
                        html.element(
                                        "tr",
                                        attr("id", "view-" + entry.number()).and("data-view", entry.number()),
                                        () -> row(entry))
                                .line();
                    }
                }));
    }

    private void row(Entry entry) throws IOException {
        String number = String.valueOf(entry.number());
        html.element(
                "th",
                attr("scope", "row"),
                () -> html.element("a", attr("href", page.addresses().view(entry.number())), number));
        page.cell("When", () -> page.exactTime(entry.publishedMillis()));
        page.cell("Leader", () -> leader(entry));
        page.numberCell("Members", String.valueOf(entry.size()));
        page.wideCell("What happened", () -> happened(entry));
        page.numberCell("Changing for", Times.duration(entry.changingMillis()));
        page.cell("Published by", () -> instance(entry.publisher()));
    }

    private void leader(Entry entry) throws IOException {
        instance(entry.leader());
        html.text(" ").element("span", attr("class", "dz-soft dz-own"), "token " + entry.token());
    }

    private void happened(Entry entry) throws IOException {
        html.element("div", () -> html.foreign(Phrases.truncate(entry.cause(), TEXT_LENGTH)));
        if (!entry.joined().isEmpty()) {
            html.element(
                    "span", attr("class", "dz-badge dz-joined"), entry.joined().size() + " joined");
        }
        Map<String, Long> left = entry.left().stream()
                .collect(Collectors.groupingBy(
                        departed -> departed.kind().orElse("session ended"), TreeMap::new, Collectors.counting()));
        for (Map.Entry<String, Long> each : left.entrySet()) {
            html.element("span", attr("class", "dz-badge dz-left"), each.getValue() + " left: " + each.getKey());
        }
        if (!entry.leftOut().isEmpty()) {
            html.element(
                    "span", attr("class", "dz-badge dz-broken"), entry.leftOut().size() + " left out");
        }
        // The cause has the same words, unless it was truncated or another version has written it.
        List<String> untold = entry.leftOut().stream()
                .filter(each -> !entry.cause().contains(each))
                .toList();
        if (!untold.isEmpty()) {
            html.element("div", attr("class", "dz-left-out"), () -> leftOut(untold));
        }
    }

    private void leftOut(List<String> leftOut) throws IOException {
        html.text("left out: ");
        int shown = Math.min(MOST_NAMES, leftOut.size());
        for (int i = 0; i < shown; i++) {
            html.text(i == 0 ? "" : "; ").foreign(Phrases.truncate(leftOut.get(i), TEXT_LENGTH));
        }
        if (leftOut.size() > shown) {
            html.text("; and " + (leftOut.size() - shown) + " more");
        }
    }

    private void instance(String id) throws IOException {
        html.element("span", attr("class", "dz-person"), () -> page.shortInstanceLink(id));
    }
}
