// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.section;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.report.Episode;
import io.github.discoveryzk.report.History.Entry;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.webconsole.content.Fact;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Section.Facts;
import io.github.discoveryzk.webconsole.content.Section.Heading;
import io.github.discoveryzk.webconsole.content.Section.Items;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.content.Table;
import io.github.discoveryzk.webconsole.content.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The views of the history: a table of all, and one with all that is known about it. */
public final class HistorySections {
    private static final int TEXT_LENGTH = 600;

    private HistorySections() {}

    /** Returns what happened, a line for each episode, newest first. */
    public static Section episodes(List<Episode> episodes, InstanceNames names) {
        List<Line> lines = episodes.stream().map(each -> episode(each, names)).toList();
        return new Section("dz-episodes", "What happened", OptionalInt.of(lines.size()), List.of(new Items(lines)));
    }

    private static Line episode(Episode episode, InstanceNames names) {
        Line line = line().time(episode.beginMillis())
                .text(" ")
                .foreign(episode.words(names), TEXT_LENGTH)
                .text("; ")
                .views(episode.firstView(), episode.lastView());
        return episode.views() == 1
                ? line
                : line.text(", " + Times.duration(episode.endMillis() - episode.beginMillis()));
    }

    /** Returns a row for each view. */
    public static Section views(List<Entry> entries) {
        Table<Entry> table = Table.of("dz-views", entries)
                .heading("View", entry -> line().view("", entry.number()))
                .column("When", entry -> line().time(entry.stored().publishedMillis()))
                .column("Leader", entry -> line().instance(entry.leader())
                        .styled(
                                Style.BELOW,
                                line().text("token ").number(entry.head().token())))
                .number("Members", entry -> entry.stored().difference().size())
                .wide("What happened", entry -> line().because(entry.head().cause(), TEXT_LENGTH))
                .number("Changing for", entry -> Times.duration(entry.stored().changingMillis()))
                .mark("id", entry -> "view " + entry.number())
                .mark("data-view", entry -> String.valueOf(entry.number()));
        return new Section("dz-history", "Views, newest first", OptionalInt.of(entries.size()), List.of(table));
    }

    private static Line late(Map.Entry<String, String> late) {
        Line named = line().instance(late.getKey());
        return late.getValue().isEmpty() ? named : named.foreign(" (listener " + late.getValue() + ")", TEXT_LENGTH);
    }

    /** Returns all that is known about a view. */
    public static Section view(Entry entry) {
        Line leader = line().instance(entry.leader())
                .text(" since ")
                .time(entry.head().leaderSinceMillis())
                .text(", token ")
                .number(entry.head().token());
        Line previous = entry.head().previous() == 0
                ? line().text("none, it is the first")
                : line().view("", entry.head().previous());
        List<Part> parts = new ArrayList<>();
        parts.add(new Facts(List.of(
                new Fact("Published", line().time(entry.stored().publishedMillis())),
                new Fact("Cause", line().because(entry.head().cause())),
                Fact.of("Changing for", Times.duration(entry.stored().changingMillis())),
                new Fact("Leader", leader),
                new Fact("Published by", line().instance(entry.head().publisher())),
                new Fact("Follows view", previous))));
        HistoryEntry stored = entry.stored();
        list(parts, "Left", stored.left().stream().map(left -> line().because(List.of(Reason.of(left)))), false);
        list(parts, "Joined", participants(stored.difference().joined()), true);
        list(parts, "Excluded", stored.late().entrySet().stream().map(HistorySections::late), false);
        list(parts, "Members in their order", participants(entry.members()), true);
        return new Section("dz-view", "View " + ViewHead.words(entry.number()), parts);
    }

    private static Stream<Line> participants(List<Incarnation> participants) {
        return participants.stream()
                .map(each ->
                        line().instance(each.instanceId()).text(" ").styled(Style.SOFT, line().foreign(each.node())));
    }

    private static void list(List<Part> parts, String title, Stream<Line> all, boolean ordered) {
        List<Line> lines = all.toList();
        if (!lines.isEmpty()) {
            parts.add(new Heading(title, lines.size()));
            parts.add(new Items(lines, ordered));
        }
    }
}
