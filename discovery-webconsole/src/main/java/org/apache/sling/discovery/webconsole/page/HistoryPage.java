// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.content.Line.line;
import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.content.Span.Form;
import org.apache.sling.discovery.webconsole.drawing.Timeline;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;
import org.apache.sling.discovery.webconsole.section.HistorySections;

/** The history of the cluster: a drawing and a table, or one view. */
final class HistoryPage {
    private final PageWriter page;
    private final Html html;
    private final List<Entry> all;

    HistoryPage(PageWriter page, History history) {
        this.page = page;
        this.html = page.html();
        this.all = history.entries();
        OverviewPage.problems(
                page,
                history.problems().stream().map(each -> line().foreign(each)).toList());
    }

    void write(HistoryFilter filter) {
        html.element("h2", attr("class", "dz-title"), "History of the cluster").line();
        html.element(
                "p",
                attr("class", "dz-soft"),
                "The store keeps the history: it is the same on every instance, and older than this process.");
        List<Entry> entries = filter.select(all, page::nameOrShortId);
        if (all.isEmpty()) {
            page.note("The history has no views yet.");
        } else if (entries.isEmpty()) {
            page.note("None of " + Phrases.count(all.size(), "view") + " matches.");
        } else {
            extent(entries);
            new Timeline(page, entries).write(id -> filter.includes(id, page::nameOrShortId));
            page.section(HistorySections.views(entries));
        }
    }

    private void extent(List<Entry> entries) {
        html.element("p", attr("id", "dz-extent"), () -> {
                    page.line(line().text(entries.size() + " of " + Phrases.count(all.size(), "view") + ": from ")
                            .time(entries.get(entries.size() - 1).stored().publishedMillis(), Form.MOMENT)
                            .text(" to ")
                            .time(entries.get(0).stored().publishedMillis(), Form.MOMENT)
                            .text("."));
                    if (entries.size() < all.size()) {
                        html.text(" ").link(page.addresses().wholeHistory(), "Show all views");
                    }
                })
                .line();
    }

    /** Writes one view with all that is known about it, and links to those before and after it. */
    void writeView(long number) {
        PageFrame.back(page, page.addresses().history(), "‹ History");
        int index = IntStream.range(0, all.size())
                .filter(i -> all.get(i).number() == number)
                .findFirst()
                .orElse(-1);
        if (index < 0) {
            html.element("h2", attr("class", "dz-title"), "No view " + number + " in the history");
            page.note("The history keeps the last 500 views; this one may be older, or it was never published.");
            return;
        }
        page.section(HistorySections.view(all.get(index)));
        html.element("p", attr("class", "dz-links"), () -> {
            link("‹ View ", index + 1);
            link("› View ", index - 1);
        });
    }

    private void link(String text, int index) {
        if (index >= 0 && index < all.size()) {
            long number = all.get(index).number();
            page.line(line().view(number, text + number).text(" "));
        }
    }
}
