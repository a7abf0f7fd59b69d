// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.HistorySums;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.drawing.SumsCharts;
import org.apache.sling.discovery.webconsole.drawing.Timeline;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The history of the cluster: a form that selects views, a drawing and a table. */
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
        new HistoryForm(page, filter).write();
        List<Entry> entries = filter.select(history.entries(), page::nameOrId);
        if (history.entries().isEmpty()) {
            page.note("The history has no views yet.");
        } else if (entries.isEmpty()) {
            page.note("None of " + Phrases.count(history.entries().size(), "view") + " matches.");
        } else {
            extent(entries, history.entries());
            new SumsCharts(page)
                    .write(HistorySums.of(new History(entries, List.of()), end(entries, history, filter)), entries);
            drawing(entries, history.entries(), filter);
            legend(entries.stream().anyMatch(entry -> entry.outage().isPresent()));
            exports(entries, filter);
            new HistoryTable(page).write(entries);
        }
    }

    /** Returns the time at which the selected part of the history ends. */
    private long end(List<Entry> entries, History history, HistoryFilter filter) {
        boolean isNewest = entries.get(0).number() == history.entries().get(0).number();
        return filter.range().to().isEmpty() && isNewest
                ? page.times().nowMillis()
                : entries.get(0).publishedMillis();
    }

    private void drawing(List<Entry> entries, List<Entry> all, HistoryFilter filter) throws IOException {
        Timeline timeline = new Timeline(page);
        if (!filter.byTime()) {
            timeline.write(entries, id -> filter.includes(id, page::nameOrId));
            return;
        }
        // On the time axis the views between the selected ones are needed: without them a life would not end in time.
        int newest = all.indexOf(entries.get(0));
        int oldest = all.indexOf(entries.get(entries.size() - 1));
        long end = newest == 0 ? page.times().nowMillis() : all.get(newest - 1).publishedMillis();
        timeline.writeByTime(all.subList(newest, oldest + 1), end, id -> filter.includes(id, page::nameOrId));
    }

    private void exports(List<Entry> entries, HistoryFilter filter) throws IOException {
        long oldest = entries.get(entries.size() - 1).number();
        html.element("p", attr("class", "dz-links").and("id", "dz-exports"), () -> {
                    html.text("Take these views along: ");
                    html.element("a", attr("href", page.addresses().table(filter.parameters())), "CSV");
                    html.text(" ");
                    html.element("a", attr("href", page.addresses().document(oldest - 1)), "JSON");
                })
                .line();
    }

    private void extent(List<Entry> entries, List<Entry> all) throws IOException {
        Entry newest = entries.get(0);
        Entry oldest = entries.get(entries.size() - 1);
        html.element("p", attr("id", "dz-extent"), () -> {
                    html.text(entries.size() + " of " + Phrases.count(all.size(), "view") + ": from ");
                    page.moment(oldest.publishedMillis());
                    html.text(" to ");
                    page.moment(newest.publishedMillis());
                    html.text(entries.size() < all.size() ? ". The other views are not shown." : ".");
                })
                .line();
    }

    private void legend(boolean hasOutage) throws IOException {
        html.element("ul", attr("class", "dz-legend").and("aria-label", "Legend"), () -> {
                    key("dz-life", "a life of an instance: one announcement, one member node");
                    key("dz-lead", "a leadership of the instance, with its token");
                    key(
                            "dz-changing",
                            "how long the cluster was changing before the view, on a scale from 10 ms to 100 s");
                    key("dz-vain", "the same, for a view that left a member out");
                    if (hasOutage) {
                        key("dz-outage", "the same, with an outage of the store as the likely cause");
                    }
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
