// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.History.Departed;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.History.Participant;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** One view of the history with all that is known about it. */
final class ViewPage {
    private final PageWriter page;
    private final Html html;

    ViewPage(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write(long number, List<Entry> entries) throws IOException {
        html.element(
                        "p",
                        attr("class", "dz-back"),
                        () -> html.element("a", attr("href", page.addresses().history()), "‹ History"))
                .line();
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).number() == number) {
                view(entries.get(i));
                neighbours(entries, i);
                return;
            }
        }
        html.element("h2", attr("class", "dz-title"), "No view " + number + " in the history");
        page.note("The history keeps the last 500 views; this one may be older, or it was never published.");
    }

    private void view(Entry entry) throws IOException {
        html.element("h2", attr("class", "dz-title"), "View " + entry.number()).line();
        html.element("dl", attr("class", "dz-facts").and("id", "dz-view"), () -> {
                    page.fact("Published", () -> page.exactTime(entry.publishedMillis()));
                    page.fact("Cause", entry.cause());
                    page.fact("Changing for", Times.duration(entry.changingMillis()));
                    page.fact("Leader", () -> leader(entry));
                    page.fact("Published by", () -> page.instanceLink(entry.publisher()));
                    page.fact("Follows view", () -> previous(entry.previous()));
                })
                .line();
        departures(entry.left());
        participants("Joined", entry.joined());
        leftOut(entry.leftOut());
        participants("Members in their order", entry.members());
    }

    private void leader(Entry entry) throws IOException {
        page.instanceLink(entry.leader());
        html.text(" since ");
        page.exactTime(entry.leaderSinceMillis());
        html.text(", token " + entry.token());
    }

    private void previous(long number) throws IOException {
        if (number == 0) {
            html.text("none, it is the first");
        } else {
            html.element("a", attr("href", page.addresses().view(number)), String.valueOf(number));
        }
    }

    private void departures(List<Departed> left) throws IOException {
        if (!left.isEmpty()) {
            page.subheading("Left", left.size());
            list("ul", left.stream().map(departed -> () -> html.foreign(departed.words())));
        }
    }

    private void leftOut(List<String> leftOut) throws IOException {
        if (!leftOut.isEmpty()) {
            page.subheading("Left out", leftOut.size());
            list("ul", leftOut.stream().map(text -> () -> html.foreign(text)));
        }
    }

    private void participants(String title, List<Participant> participants) throws IOException {
        if (!participants.isEmpty()) {
            page.subheading(title, participants.size());
            list("ol", participants.stream().map(each -> () -> page.instanceLink(each.id())));
        }
    }

    private void list(String element, Stream<Html.Content> items) throws IOException {
        html.element(element, attr("class", "dz-list"), () -> {
                    for (Html.Content item : items.toList()) {
                        html.element("li", item);
                    }
                })
                .line();
    }

    private void neighbours(List<Entry> entries, int index) throws IOException {
        html.element("p", attr("class", "dz-links"), () -> {
            if (index + 1 < entries.size()) {
                link("‹ View ", entries.get(index + 1));
            }
            if (index > 0) {
                link("› View ", entries.get(index - 1));
            }
        });
    }

    private void link(String text, Entry entry) throws IOException {
        html.element("a", attr("href", page.addresses().view(entry.number())), text + entry.number())
                .text(" ");
    }
}
