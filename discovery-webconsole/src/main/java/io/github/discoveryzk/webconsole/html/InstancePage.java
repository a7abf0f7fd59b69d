// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.History;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.html.Page.Subject;
import io.github.discoveryzk.webconsole.query.HistoryFilter;
import io.github.discoveryzk.webconsole.section.InstanceSections;
import io.github.discoveryzk.webconsole.section.StatusSections;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One instance, or the reason why the view has no instance of that id. */
public final class InstancePage {
    private static final int MAX_ENTRIES = 20;

    private InstancePage() {}

    public static Page of(TopologyReport report, String id) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Section.Paragraph(Style.PLAIN, line().link(Addresses.OVERVIEW, "‹ Topology")));
        for (Cluster cluster : report.clusters()) {
            cluster.instances().stream()
                    .filter(each -> each.id().equals(id))
                    .limit(1)
                    .forEach(instance -> parts.addAll(instance(report, cluster, instance)));
        }
        List<Instance> outside = Stream.concat(report.outsiders().stream(), report.recentlyLeft().stream())
                .filter(each -> each.id().equals(id))
                .toList();
        boolean isMember = parts.size() > 1;
        if (!isMember) {
            parts.addAll(outside(id, outside));
            report.recentlyLeft().stream()
                    .filter(outside::contains)
                    .forEach(gone -> parts.addAll(ActionForms.evict(report, gone, true)));
        }
        if (id.equals(report.localInstanceId())) {
            parts.addAll(StatusSections.explanation(report));
        }
        parts.addAll(past(report, id));
        return new Page(Subject.INSTANCE, Addresses.instance(id), report, parts)
                .with(isMember || !outside.isEmpty() || id.equals(report.localInstanceId()) ? 200 : 404);
    }

    private static List<Part> instance(TopologyReport report, Cluster cluster, Instance instance) {
        String name = instance.name().orElse(instance.id());
        List<Part> parts = new ArrayList<>();
        parts.add(new Section.Title(line().text("Instance ").foreign(name).and(InstanceSections.badges(instance))));
        parts.addAll(Banner.staleView(report));
        parts.add(new Section.Facts("dz-facts", InstanceSections.facts(cluster, instance)));
        if (instance.local()) {
            parts.addAll(ActionForms.stepDown(report));
        } else if (cluster.local()) {
            parts.addAll(ActionForms.evict(report, instance, false));
        }
        parts.add(InstanceSections.properties(instance));
        return parts;
    }

    private static List<Part> past(TopologyReport report, String id) {
        List<History.Entry> all = report.history().entries();
        List<Line> entries = all.stream()
                .filter(entry -> HistoryFilter.involves(entry, id))
                .limit(MAX_ENTRIES)
                .map(entry -> line().view("View ", entry.number())
                        .text(", ")
                        .time(entry.stored().publishedMillis())
                        .text(": ")
                        .because(entry.head().cause()))
                .toList();
        return entries.isEmpty()
                ? List.of()
                : List.of(
                        new Section("dz-past", "In the history", List.of(new Section.Items(entries))),
                        new Section.Paragraph(
                                Style.PLAIN, line().link(Addresses.history(id), "The whole history of this instance")));
    }

    private static List<Part> outside(String id, List<Instance> known) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Section.Title(line().text("No instance ").foreign(id).text(" in the view")));
        if (known.isEmpty()) {
            parts.add(text("It may have left the topology since the link was made, or the id may be misspelled."));
        } else {
            parts.add(text("This is what is known of it:"));
            parts.add(InstanceSections.outsiders(known));
        }
        return parts;
    }

    private static Section.Paragraph text(String sentence) {
        return new Section.Paragraph(Style.PLAIN, line().text(sentence));
    }
}
