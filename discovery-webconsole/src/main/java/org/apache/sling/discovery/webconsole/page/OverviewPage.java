// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.content.Line.line;
import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.List;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Status;
import org.apache.sling.discovery.webconsole.content.Line;
import org.apache.sling.discovery.webconsole.content.Section;
import org.apache.sling.discovery.webconsole.drawing.ClusterDiagram;
import org.apache.sling.discovery.webconsole.drawing.TopologyDiagram;
import org.apache.sling.discovery.webconsole.format.Look;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;
import org.apache.sling.discovery.webconsole.section.ConnectorSections;
import org.apache.sling.discovery.webconsole.section.InstanceSections;
import org.apache.sling.discovery.webconsole.section.RecentSections;
import org.apache.sling.discovery.webconsole.section.StatusSections;

/** The topology at a glance, and its explanation. */
final class OverviewPage {
    /** A smaller table is seen at a glance. */
    private static final int FILTERED_FROM = 8;

    private final PageWriter page;
    private final Html html;
    private final PageContext context;
    private final TopologyReport report;

    OverviewPage(PageWriter page, PageContext context, TopologyReport report) {
        this.page = page;
        this.html = page.html();
        this.context = context;
        this.report = report;
    }

    void write() {
        Look look = Look.of(report.state());
        banner(
                page,
                look,
                report.state().name(),
                this::status,
                () -> page.facts(attr("id", "dz-answers"), StatusSections.answers(report)));
        problems(page, StatusSections.problems(report));
        new TopologyDiagram(page).write(report);
        Section instances = InstanceSections.instances(report);
        page.section(instances, () -> {
            if (instances.count().orElse(0) >= FILTERED_FROM) {
                filter();
            }
        });
        page.section(StatusSections.explanation(report));
        new ActionForms(page, context, report).writeStandDown();
        page.section(new Section("dz-connectors", "Connectors and remote clusters", List.of()), () -> {
            new ClusterDiagram(page, report).write();
            page.parts(ConnectorSections.clusters(report));
            page.parts(ConnectorSections.connectors(report.connectors()));
        });
        page.section(RecentSections.events(report.recent().events()));
        page.section(RecentSections.propertyChanges(report.recent().propertyChanges()));
    }

    /** Writes the banner: a state with its meaning, and answers. */
    static void banner(PageWriter page, Look look, String state, Runnable meaning, Runnable answers) {
        Html html = page.html();
        html.element("div", attr("class", "dz-banner dz-" + look.tone()), () -> {
                    html.element(
                            "section",
                            attr("id", "dz-status")
                                    .and("class", "dz-status dz-" + look.tone())
                                    .and("data-state", state)
                                    .and("role", "status"),
                            meaning);
                    answers.run();
                })
                .line();
    }

    /** Writes the sign and the word of the state, and since when. */
    static void stateLine(PageWriter page, Look look, Line since) {
        Html html = page.html();
        html.element("p", attr("class", "dz-state"), () -> {
            page.sign(look);
            html.element("strong", look.word());
            since(page, since);
        });
    }

    private static void since(PageWriter page, Line since) {
        page.html().element("span", attr("class", "dz-since").and("aria-live", "off"), () -> page.line(since));
    }

    private void status() {
        Status status = report.status();
        boolean settled = status.state() == TopologyReport.State.SETTLED;
        stateLine(
                page,
                Look.of(status.state()),
                settled ? line() : line().text(" for ").elapsed(status.sinceMillis()));
        html.element("p", attr("class", "dz-sentence"), () -> {
            html.foreign(page.names().sentence(status.reasons()));
            if (settled) {
                since(page, line().text(", since ").time(status.sinceMillis()));
            }
            status.countdown()
                    .ifPresent(countdown -> page.line(line().text("; ").remaining(countdown)));
        });
        staleView(page, report);
    }

    /** Writes that the view is not current, if it is not. */
    static void staleView(PageWriter page, TopologyReport report) {
        report.view().filter(view -> !view.current()).ifPresent(view -> page.html()
                .element(
                        "p",
                        attr("class", "dz-stale-view"),
                        "View " + view.number() + " is not current. This page shows the last known state."));
    }

    /** Writes what needs attention, if anything does. */
    static void problems(PageWriter page, List<Line> problems) {
        if (problems.isEmpty()) {
            return;
        }
        Html html = page.html();
        html.element(
                        "section",
                        attr("id", "dz-problems")
                                .and("class", "dz-problems")
                                .and("aria-labelledby", "dz-problems-title"),
                        () -> {
                            html.element("h2", attr("id", "dz-problems-title"), () -> {
                                page.sign(Look.ATTENTION);
                                html.text(Look.ATTENTION.word());
                            });
                            page.parts(List.of(new Section.Items(problems)));
                        })
                .line();
    }

    /** A field with which the script hides rows. */
    private void filter() {
        html.element("p", attr("class", "dz-form dz-find"), () -> {
                    html.element("label", attr("for", "dz-find"), "Show only rows with");
                    html.text(" ").empty("input", attr("type", "search").and("id", "dz-find"));
                })
                .line();
    }
}
