// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.section;

import static org.apache.sling.discovery.webconsole.content.Line.line;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.History.Departed;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.History.Participant;
import org.apache.sling.discovery.webconsole.content.Fact;
import org.apache.sling.discovery.webconsole.content.Line;
import org.apache.sling.discovery.webconsole.content.Section;
import org.apache.sling.discovery.webconsole.content.Section.Facts;
import org.apache.sling.discovery.webconsole.content.Section.Heading;
import org.apache.sling.discovery.webconsole.content.Section.Items;
import org.apache.sling.discovery.webconsole.content.Section.Part;
import org.apache.sling.discovery.webconsole.content.Span.Form;
import org.apache.sling.discovery.webconsole.content.Span.Style;
import org.apache.sling.discovery.webconsole.content.Table;
import org.apache.sling.discovery.webconsole.format.Times;

/** The views of the history: a table of all, and one with all that is known about it. */
public final class HistorySections {
    private static final int MAX_NAMES = 6;
    private static final int TEXT_LENGTH = 600;

    private HistorySections() {}

    /** Returns a row for each view. */
    public static Section views(List<Entry> entries) {
        Table<Entry> table = Table.of("dz-views", entries)
                .heading("View", entry -> line().view(entry.number(), String.valueOf(entry.number())))
                .column("When", entry -> line().time(entry.publishedMillis(), Form.EXACT))
                .column("Leader", entry -> line().instance(entry.leader())
                        .styled(Style.BELOW, "token " + entry.token()))
                .number("Members", Entry::size)
                .wide("What happened", HistorySections::happened)
                .number("Changing for", entry -> Times.duration(entry.changingMillis()))
                .column("Published by", entry -> line().instance(entry.publisher()))
                .mark("id", entry -> "view " + entry.number())
                .mark("data-view", entry -> String.valueOf(entry.number()));
        return new Section("dz-history", "Views, newest first", OptionalInt.of(entries.size()), List.of(table));
    }

    private static Line happened(Entry entry) {
        Line happened = line().foreign(entry.cause(), TEXT_LENGTH);
        if (!entry.joined().isEmpty()) {
            happened = happened.styled(Style.JOINED, entry.joined().size() + " joined");
        }
        Map<String, Long> left = entry.left().stream()
                .collect(Collectors.groupingBy(
                        departed -> departed.kind().orElse("session ended"), TreeMap::new, Collectors.counting()));
        for (Map.Entry<String, Long> each : left.entrySet()) {
            happened = happened.styled(Style.LEFT, each.getValue() + " left: " + each.getKey());
        }
        if (!entry.leftOut().isEmpty()) {
            happened = happened.styled(Style.BROKEN, entry.leftOut().size() + " left out");
        }
        // The cause has the same words, unless it was truncated or another version has written it.
        List<String> unsaid = entry.leftOut().stream()
                .filter(each -> !entry.cause().contains(each))
                .toList();
        return unsaid.isEmpty()
                ? happened
                : happened.styled(
                        Style.LEFT_OUT, line().text("left out: ").list(unsaid, "; ", MAX_NAMES, each -> line().foreign(
                                        each, TEXT_LENGTH)));
    }

    /** Returns all that is known about a view. */
    public static Section view(Entry entry) {
        Line leader = line().instance(entry.leader())
                .text(" since ")
                .time(entry.leaderSinceMillis(), Form.EXACT)
                .text(", token " + entry.token());
        Line previous = entry.previous() == 0
                ? line().text("none, it is the first")
                : line().view(entry.previous(), String.valueOf(entry.previous()));
        List<Part> parts = new ArrayList<>();
        parts.add(new Facts(List.of(
                new Fact("Published", line().time(entry.publishedMillis(), Form.EXACT)),
                Fact.of("Cause", entry.cause()),
                new Fact("Changing for", line().text(Times.duration(entry.changingMillis()))),
                new Fact("Leader", leader),
                new Fact("Published by", line().instance(entry.publisher())),
                new Fact("Follows view", previous))));
        list(parts, "Left", lines(entry.left().stream().map(Departed::words).toList()), false);
        list(parts, "Joined", participants(entry.joined()), true);
        list(parts, "Left out", lines(entry.leftOut()), false);
        list(parts, "Members in their order", participants(entry.members()), true);
        return new Section("dz-view", "View " + entry.number(), parts);
    }

    private static List<Line> lines(List<String> texts) {
        return texts.stream().map(text -> line().foreign(text)).toList();
    }

    private static List<Line> participants(List<Participant> participants) {
        return participants.stream()
                .map(each -> line().instance(each.id()).text(" ").styled(Style.SOFT, line().foreign(each.node())))
                .toList();
    }

    private static void list(List<Part> parts, String title, List<Line> lines, boolean ordered) {
        if (!lines.isEmpty()) {
            parts.add(new Heading(title, lines.size()));
            parts.add(new Items(lines, ordered));
        }
    }
}
