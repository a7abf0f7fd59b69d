// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.html;

import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.content.Line;
import org.apache.sling.discovery.webconsole.content.Part;
import org.apache.sling.discovery.webconsole.content.Section;
import org.apache.sling.discovery.webconsole.html.Page.Kind;
import org.apache.sling.discovery.webconsole.section.ConnectorSections;
import org.apache.sling.discovery.webconsole.section.InstanceSections;
import org.apache.sling.discovery.webconsole.section.RecentSections;
import org.apache.sling.discovery.webconsole.section.StatusSections;

/** The topology at a glance, and its explanation. */
public final class OverviewPage {
    private OverviewPage() {}

    public static Page of(TopologyReport report) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Banner(report));
        parts.addAll(problems(StatusSections.problems(report)));
        parts.add(new TopologyDiagram(report));
        parts.add(InstanceSections.instances(report));
        parts.add(StatusSections.explanation(report));
        parts.addAll(ActionForms.stepDown(report));
        parts.add(connectors(report));
        parts.add(RecentSections.events(report.recent().events()));
        return new Page(Kind.OVERVIEW, report, parts);
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
