// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.drawing.Timeline;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** What happened to the cluster: drawn, and as a table. */
final class HistoryPage {
    private static final int MOST_NAMES = 6;
    private static final int NAME_LENGTH = 18;
    private static final int TEXT_LENGTH = 600;

    private final PageWriter sheet;
    private final Html html;

    HistoryPage(PageWriter sheet) {
        this.sheet = sheet;
        this.html = sheet.html();
    }

    void write(History history, HistoryFilter filter) throws IOException {
        new StatusSection(sheet).problems(history.problems());
        html.element("h2", "History of the cluster", "class", "dz-title").line();
        html.element(
                "p",
                "As the store remembers it: the same on every instance, and from before this process was started.",
                "class",
                "dz-soft");
        form(filter);
        List<Entry> entries = filter.of(history.entries());
        if (history.entries().isEmpty()) {
            sheet.nothing("No view is known from the history yet.");
        } else if (entries.isEmpty()) {
            sheet.nothing("None of " + Phrases.count(history.entries().size(), "view") + " matches.");
        } else {
            extent(entries, history.entries());
            legend();
            new Timeline(sheet).write(entries, filter::asksFor);
            table(entries);
        }
    }

    private void form(HistoryFilter filter) throws IOException {
        html.open(
                "form", "method", "get", "action", sheet.at().overview(), "class", "dz-form", "id", "dz-history-form");
        html.empty("input", "type", "hidden", "name", Addresses.SHOW, "value", "history");
        input("Instance", Addresses.INSTANCE, "text", filter.instance());
        html.open("label").text("Views in which ").open("select", "name", HistoryFilter.KIND, "id", "dz-in-kind");
        for (ChangeKind each : ChangeKind.values()) {
            if (each == filter.happening()) {
                html.element("option", each.words(), "value", HistoryFilter.value(each), "selected", "selected");
            } else {
                html.element("option", each.words(), "value", HistoryFilter.value(each));
            }
        }
        html.close().close();
        input("From view", HistoryFilter.FROM, "number", filter.from() == 0 ? "" : String.valueOf(filter.from()));
        input("At most", HistoryFilter.COUNT, "number", String.valueOf(filter.count()));
        html.element("button", "Show", "type", "submit");
        html.text(" ").element("a", "Show the newest", "href", sheet.at().history());
        html.close().line();
    }

    private void input(String label, String name, String type, String value) throws IOException {
        html.open("label").text(label + " ");
        html.empty("input", "type", type, "name", name, "id", "dz-in-" + name, "value", value);
        html.close();
    }

    private void extent(List<Entry> entries, List<Entry> all) throws IOException {
        Entry newest = entries.get(0);
        Entry oldest = entries.get(entries.size() - 1);
        html.open("p", "id", "dz-extent").text(entries.size() + " of " + Phrases.count(all.size(), "view") + ": ");
        html.text("from " + sheet.times().absolute(oldest.publishedMillis()) + " to "
                + sheet.times().absolute(newest.publishedMillis()));
        html.text(entries.size() < all.size() ? ". The others are left out." : ".")
                .close()
                .line();
    }

    private void legend() throws IOException {
        html.open("ul", "class", "dz-legend", "aria-label", "Legend");
        key("dz-life", "a life of an instance: one announcement, one member node");
        key("dz-lead", "it leads, with the token that is written there");
        key("dz-changing", "for how long the cluster had been changing; the higher the longer, from 10 ms to 100 s");
        key("dz-vain", "the same, and somebody was waited for in vain");
        html.close().line();
    }

    private void key(String styleClass, String text) throws IOException {
        html.open("li").open("svg", "class", "dz-key", "viewBox", "0 0 24 14", "aria-hidden", "true");
        html.open("rect", "x", "1", "y", "1", "width", "22", "height", "12", "rx", "2", "class", styleClass);
        html.close().close().text(text).close();
    }

    private void table(List<Entry> entries) throws IOException {
        sheet.section("dz-history", "Views, newest first", entries.size());
        sheet.table("dz-views", "View", "When", "Leader", "Members", "What happened", "Changing for", "Published by");
        for (Entry entry : entries) {
            html.open("tr", "id", "dz-v-" + entry.number(), "data-view", String.valueOf(entry.number()));
            html.element("th", String.valueOf(entry.number()), "scope", "row");
            sheet.when("When", entry.publishedMillis());
            leader(entry);
            sheet.number("Members", String.valueOf(entry.members().size()));
            happened(entry);
            sheet.number("Changing for", Times.duration(entry.changingMillis()));
            sheet.cell("Published by");
            person(entry.publisher());
            html.close().close().line();
        }
        sheet.endTable();
        sheet.endSection();
    }

    private void leader(Entry entry) throws IOException {
        sheet.cell("Leader");
        if (entry.members().isEmpty()) {
            html.text("none");
        } else {
            person(entry.members().get(0).id());
        }
        html.text(" ")
                .element("span", "token " + entry.token(), "class", "dz-soft dz-own")
                .close();
    }

    private void happened(Entry entry) throws IOException {
        html.open("td", "data-label", "What happened", "class", "dz-wide");
        html.open("div").foreign(Phrases.cut(entry.cause(), TEXT_LENGTH)).close();
        if (!entry.joined().isEmpty()) {
            html.element("span", entry.joined().size() + " joined", "class", "dz-badge dz-joined");
        }
        Map<String, Long> left = entry.left().stream()
                .collect(Collectors.groupingBy(
                        departed -> departed.kind().orElse("session ended"), TreeMap::new, Collectors.counting()));
        for (Map.Entry<String, Long> each : left.entrySet()) {
            html.element("span", each.getValue() + " left: " + each.getKey(), "class", "dz-badge dz-left");
        }
        List<String> leftOut = entry.leftOut();
        if (!leftOut.isEmpty()) {
            html.open("div", "class", "dz-left-out").text("waited for in vain: ");
            for (String each : leftOut.subList(0, Math.min(MOST_NAMES, leftOut.size()))) {
                html.foreign(Phrases.cut(each, TEXT_LENGTH)).text("; ");
            }
            if (leftOut.size() > MOST_NAMES) {
                html.text("and " + (leftOut.size() - MOST_NAMES) + " more");
            }
            html.close();
        }
        html.close();
    }

    /** A name that cannot make a table of hundreds of them too long; the whole of it is in the drawing and in the words. */
    private void person(String id) throws IOException {
        html.element(
                "bdi",
                id.isBlank() ? "empty" : Phrases.shortened(id, NAME_LENGTH),
                "class",
                "dz-person",
                "title",
                Phrases.cut(id, Timeline.TITLE_LENGTH));
    }
}
