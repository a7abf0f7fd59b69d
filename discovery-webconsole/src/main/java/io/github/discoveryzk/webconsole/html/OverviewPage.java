// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.html.Page.Subject;
import io.github.discoveryzk.webconsole.section.AddedSections;
import io.github.discoveryzk.webconsole.section.ConnectorSections;
import io.github.discoveryzk.webconsole.section.InstanceSections;
import io.github.discoveryzk.webconsole.section.RestartPlan;
import io.github.discoveryzk.webconsole.section.StatusSections;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The topology at a glance, or why there is none; and what has a tab of its own. */
public final class OverviewPage {
    private OverviewPage() {}

    public static Page of(TopologyReport report, RestartPlan restart, AddedSections added) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Banner(report, restart));
        parts.addAll(problems(StatusSections.problems(report)));
        parts.add(new TopologyDiagram(report));
        parts.add(InstanceSections.instances(report, added.roles()));
        return new Page(Subject.OVERVIEW, Addresses.OVERVIEW, report, parts);
    }

    /** Returns one section of another bundle; nothing if it has nothing to show. */
    public static Optional<Page> section(TopologyReport report, AddedSections added, String name) {
        return added.section(name, row -> true, report.names())
                .map(each -> new Page(Subject.SECTION, Addresses.section(each.title()), report, List.of(each)));
    }

    public static Page connectors(TopologyReport report) {
        List<Part> parts = new ArrayList<>(ConnectorSections.clusters(report));
        parts.addAll(ConnectorSections.connectors(report.connectors()));
        Section all = new Section("dz-connectors", "Connectors and remote clusters", parts);
        return new Page(Subject.SECTION, Addresses.CONNECTORS, report, List.of(all));
    }

    /** Returns possible reasons why the discovery service is not active, and what to do. */
    public static Page inactive() {
        Section.Items reasons = new Section.Items(List.of(
                line().text("A discovery bundle is missing, stopped or not resolved. Look at ")
                        .link("/bundles", "Bundles")
                        .text(" for names that begin with “Discovery” and start what is not active."),
                line().text("Its configuration was not accepted. Look at ")
                        .link("/configMgr", "Configuration")
                        .text(" and at the log, which names the setting and the reason."),
                line().text("The container is still starting or has begun to stop. Wait a moment and reload.")));
        return new Page(
                Subject.INACTIVE,
                Addresses.OVERVIEW,
                200,
                Optional.empty(),
                List.of(
                        new Section.Title(line().text("The discovery service is not active")),
                        new Section.Paragraph(
                                Style.SENTENCE, line().text("There is no topology to show on this instance.")),
                        new Section("dz-reasons", "Possible reasons, and what to do", List.of(reasons))));
    }

    /** Returns what needs attention, if anything does. */
    static List<Section> problems(List<Line> problems) {
        return problems.isEmpty()
                ? List.of()
                : List.of(new Section("dz-problems", "Needs attention", List.of(new Section.Items(problems))));
    }
}
