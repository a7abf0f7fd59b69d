// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.Episode;
import io.github.discoveryzk.report.History;
import io.github.discoveryzk.report.History.Entry;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.content.Span.TimeForm;
import io.github.discoveryzk.webconsole.html.Page.Subject;
import io.github.discoveryzk.webconsole.query.HistoryFilter;
import io.github.discoveryzk.webconsole.section.HistorySections;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The history of the cluster: a drawing and a table, or one view. */
public final class HistoryPage {
    private HistoryPage() {}

    public static Page of(TopologyReport report, HistoryFilter filter) {
        List<Part> parts = new ArrayList<>(OverviewPage.problems(report.history().problems().stream()
                .map(each -> line().foreign(each))
                .toList()));
        List<Entry> all = report.history().entries();
        parts.addAll(filter.view().isPresent() ? view(all, filter.view().getAsLong()) : views(report, filter));
        return new Page(Subject.HISTORY, Addresses.HISTORY, report, parts);
    }

    private static List<Part> views(TopologyReport report, HistoryFilter filter) {
        List<Entry> all = report.history().entries();
        List<Part> parts = new ArrayList<>();
        parts.add(new Section.Title(line().text("History of the cluster")));
        parts.add(new Section.Paragraph(
                Style.SOFT,
                line().text("The store keeps the history: it is the same on every instance, and older than this"
                        + " process.")));
        List<Entry> entries = filter.select(all);
        if (all.isEmpty()) {
            parts.add(new Section.Note("The history has no views yet."));
        } else if (entries.isEmpty()) {
            parts.add(new Section.Note("None of " + Phrases.count(all.size(), "view") + " matches."));
        } else {
            parts.add(new Section.Paragraph(Style.EXTENT, extent(entries, all.size())));
            parts.add(HistorySections.episodes(episodes(all, entries), report.names()));
            // The newest of these views stands until the next one, or until now.
            int next = all.indexOf(entries.get(0)) - 1;
            long until =
                    next < 0 ? report.generatedMillis() : all.get(next).stored().publishedMillis();
            parts.add(new Timeline(entries, until, filter::includes));
            parts.add(HistorySections.views(entries));
        }
        return parts;
    }

    /** Returns the episodes of which the page shows a view. */
    private static List<Episode> episodes(List<Entry> all, List<Entry> shown) {
        NavigableSet<Long> numbers = shown.stream().map(Entry::number).collect(Collectors.toCollection(TreeSet::new));
        return Episode.of(new History(all, List.of())).stream()
                .filter(each -> !numbers.subSet(each.firstView(), true, each.lastView(), true)
                        .isEmpty())
                .toList();
    }

    private static Line extent(List<Entry> entries, int all) {
        Line extent = line().text(entries.size() + " of " + Phrases.count(all, "view") + ": from ")
                .time(entries.get(entries.size() - 1).stored().publishedMillis(), TimeForm.MOMENT)
                .text(" to ")
                .time(entries.get(0).stored().publishedMillis(), TimeForm.MOMENT)
                .text(".");
        return entries.size() < all ? extent.text(" ").link(Addresses.WHOLE_HISTORY, "Show all views") : extent;
    }

    /** Returns one view with all that is known about it, and links to those before and after it. */
    private static List<Part> view(List<Entry> all, long number) {
        Part back = new Section.Paragraph(Style.PLAIN, line().link(Addresses.HISTORY, "‹ History"));
        return IntStream.range(0, all.size())
                .filter(i -> all.get(i).number() == number)
                .mapToObj(i -> List.<Part>of(
                        back,
                        HistorySections.view(all.get(i)),
                        new Section.Paragraph(Style.LINKS, link(all, i + 1, "‹").and(link(all, i - 1, "›")))))
                .findFirst()
                .orElse(List.of(
                        back,
                        new Section.Title(line().text("No view ").number(number).text(" in the history")),
                        new Section.Note("The history keeps the last 500 views; this one may be older, or it was never"
                                + " published.")));
    }

    private static Line link(List<Entry> all, int index, String sign) {
        if (index < 0 || index >= all.size()) {
            return line();
        }
        long number = all.get(index).number();
        return line().view(sign + " View ", number).text(" ");
    }
}
