// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.html.Page.Subject;
import io.github.discoveryzk.webconsole.section.ConnectorSections;
import io.github.discoveryzk.webconsole.section.InstanceSections;
import io.github.discoveryzk.webconsole.section.StatusSections;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The topology at a glance, and its explanation; or why there is none. */
public final class OverviewPage {
    private OverviewPage() {}

    public static Page of(TopologyReport report, List<Section> added) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Banner(report));
        parts.addAll(problems(StatusSections.problems(report)));
        parts.add(new TopologyDiagram(report));
        parts.add(InstanceSections.instances(report));
        parts.add(StatusSections.explanation(report));
        parts.addAll(ActionForms.stepDown(report));
        parts.add(connectors(report));
        parts.addAll(added);
        parts.add(StatusSections.events(report.recent().events()));
        return new Page(Subject.OVERVIEW, report, parts);
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

    private static Section connectors(TopologyReport report) {
        List<Part> parts = new ArrayList<>(ConnectorSections.clusters(report));
        parts.addAll(ConnectorSections.connectors(report.connectors()));
        return new Section("dz-connectors", "Connectors and remote clusters", parts);
    }
}
