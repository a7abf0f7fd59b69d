// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.drawing.Timeline;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The history of the cluster: a drawing and a table, or one view. */
final class HistoryPage {
    private final PageWriter page;
    private final Html html;

    HistoryPage(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write(TopologyReport report, HistoryFilter filter) throws IOException {
        History history = report.history();
        new StatusSection(page).writeProblems(history.problems());
        if (filter.view().isPresent()) {
            new ViewPage(page).write(filter.view().getAsLong(), history.entries());
            return;
        }
        html.element("h2", attr("class", "dz-title"), "History of the cluster").line();
        html.element(
                "p",
                attr("class", "dz-soft"),
                "The store keeps the history: it is the same on every instance, and older than this process.");
        List<Entry> entries = filter.select(history.entries(), page::nameOrId);
        if (history.entries().isEmpty()) {
            page.note("The history has no views yet.");
        } else if (entries.isEmpty()) {
            page.note("None of " + Phrases.count(history.entries().size(), "view") + " matches.");
        } else {
            extent(entries, history.entries());
            new Timeline(page).write(entries, id -> filter.includes(id, page::nameOrId));
            legend();
            new HistoryTable(page).write(entries);
        }
    }

    private void extent(List<Entry> entries, List<Entry> all) throws IOException {
        Entry newest = entries.get(0);
        Entry oldest = entries.get(entries.size() - 1);
        html.element("p", attr("id", "dz-extent"), () -> {
                    html.text(entries.size() + " of " + Phrases.count(all.size(), "view") + ": from ");
                    page.moment(oldest.publishedMillis());
                    html.text(" to ");
                    page.moment(newest.publishedMillis());
                    html.text(".");
                    if (entries.size() < all.size()) {
                        html.text(" ")
                                .element("a", attr("href", page.addresses().wholeHistory()), "Show all views");
                    }
                })
                .line();
    }

    private void legend() throws IOException {
        html.element("ul", attr("class", "dz-legend").and("aria-label", "Legend"), () -> {
                    key("dz-life", "a life of an instance: one announcement, one member node");
                    key("dz-lead", "a leadership of the instance, with its token");
                    key(
                            "dz-changing",
                            "how long the cluster was changing before the view, on a scale from 10 ms to 100 s");
                    key("dz-vain", "the same, for a view that left a member out");
                })
                .line();
    }

    private void key(String styleClass, String text) throws IOException {
        Attributes svg = attr("class", "dz-key").and("viewBox", "0 0 24 14").and("aria-hidden", "true");
        Attributes rect = attr("x", 1)
                .and("y", 1)
                .and("width", 22)
                .and("height", 12)
                .and("rx", 2)
                .and("class", styleClass);
        html.element("li", () -> html.element("svg", svg, () -> html.element("rect", rect, ""))
                .text(text));
    }
}
