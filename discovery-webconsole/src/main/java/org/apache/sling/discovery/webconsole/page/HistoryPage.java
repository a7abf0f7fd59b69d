// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.drawing.Timeline;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Addresses;
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

    void write(History history, HistoryFilter filter) throws IOException {
        new StatusSection(page).writeProblems(history.problems());
        html.element("h2", attr("class", "dz-title"), "History of the cluster").line();
        html.element(
                "p",
                attr("class", "dz-soft"),
                "The store keeps the history: it is the same on every instance, and older than this process.");
        form(filter);
        List<Entry> entries = filter.select(history.entries());
        if (history.entries().isEmpty()) {
            page.note("The history has no views yet.");
        } else if (entries.isEmpty()) {
            page.note("None of " + Phrases.count(history.entries().size(), "view") + " matches.");
        } else {
            extent(entries, history.entries());
            legend();
            new Timeline(page).write(entries, filter::includes);
            new HistoryTable(page).write(entries);
        }
    }

    private void form(HistoryFilter filter) throws IOException {
        Attributes attributes = attr("method", "get")
                .and("action", page.addresses().overview())
                .and("class", "dz-form")
                .and("id", "dz-history-form");
        html.element("form", attributes, () -> {
                    ActionForms.writeHidden(html, Addresses.SHOW, "history");
                    input("Instance", Addresses.INSTANCE, "text", filter.instance());
                    html.element("label", () -> {
                        html.text("Views in which ");
                        html.element(
                                "select",
                                attr("name", HistoryFilter.KIND).and("id", "dz-in-kind"),
                                () -> options(filter.kind()));
                    });
                    String from = filter.from() == 0 ? "" : String.valueOf(filter.from());
                    input("From view", HistoryFilter.FROM, "number", from);
                    input("At most", HistoryFilter.COUNT, "number", String.valueOf(filter.count()));
                    html.element("button", attr("type", "submit"), "Show").text(" ");
                    html.element("a", attr("href", page.addresses().history()), "Show the newest");
                })
                .line();
    }

    private void options(ChangeKind selected) throws IOException {
        for (ChangeKind each : ChangeKind.values()) {
            html.element(
                    "option",
                    attr("value", HistoryFilter.value(each)).andIf(each == selected, "selected", "selected"),
                    each.label());
        }
    }

    private void input(String label, String name, String type, String value) throws IOException {
        html.element("label", () -> html.text(label + " ")
                .empty(
                        "input",
                        attr("type", type)
                                .and("name", name)
                                .and("id", "dz-in-" + name)
                                .and("value", value)));
    }

    private void extent(List<Entry> entries, List<Entry> all) throws IOException {
        Entry newest = entries.get(0);
        Entry oldest = entries.get(entries.size() - 1);
        String text = entries.size() + " of " + Phrases.count(all.size(), "view") + ": from "
                + page.times().absolute(oldest.publishedMillis()) + " to "
                + page.times().absolute(newest.publishedMillis())
                + (entries.size() < all.size() ? ". The other views are not shown." : ".");
        html.element("p", attr("id", "dz-extent"), text).line();
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
