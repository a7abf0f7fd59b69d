// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.text;

import io.github.discoveryzk.report.Episode;
import io.github.discoveryzk.report.History;
import io.github.discoveryzk.report.History.Entry;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.webconsole.content.Fact;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Times;
import io.github.discoveryzk.webconsole.section.ConnectorSections;
import io.github.discoveryzk.webconsole.section.HistorySections;
import io.github.discoveryzk.webconsole.section.InstanceSections;
import io.github.discoveryzk.webconsole.section.StatusSections;
import io.github.discoveryzk.webconsole.section.TreeSections;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Renders a report, or a part of it, as plain text for a terminal, a mail or a diff. Only very long values are truncated. Used
 * once.
 */
public final class TextRenderer {
    private final TopologyReport report;
    private final TextWriter text;

    /** @param zone the time zone of the shown times */
    public TextRenderer(TopologyReport report, ZoneId zone) {
        this.report = report;
        this.text = new TextWriter(new Times(report.generatedMillis(), zone), report.names());
    }

    /** Returns the whole report. */
    public String all() {
        state();
        writeConnectors();
        writeClusters();
        text.section(StatusSections.events(report.recent().events()));
        return history(Integer.MAX_VALUE);
    }

    /** Returns the state of this instance and its reasons. */
    public String explanation() {
        state();
        return text.text();
    }

    /** Returns the instances of all clusters with all that is known of them. */
    public String clusters() {
        writeClusters();
        return text.text();
    }

    /** Returns the connectors of this instance. */
    public String connectors() {
        writeConnectors();
        return text.text();
    }

    /** Returns at most a number of the views of the history, newest first. */
    public String history(int last) {
        List<Entry> entries =
                report.history().entries().stream().limit(Math.max(0, last)).toList();
        text.section(HistorySections.episodes(Episode.of(new History(entries, List.of())), report.names()));
        text.heading("History of views, newest first");
        report.history().problems().forEach(text::item);
        entries.stream().map(HistorySections::view).forEach(text::section);
        return text.text();
    }

    /** Returns the nodes of the store. */
    public static String tree(StoreTree tree, ZoneId zone) {
        TextWriter text = new TextWriter(new Times(tree.readMillis(), zone), InstanceNames.NONE);
        text.facts(List.of(Fact.ofTime("Read", tree.readMillis())), "");
        for (StoreTree.Node node : tree.nodes()) {
            text.section(TreeSections.node(node));
        }
        if (!tree.complete()) {
            text.item("There are more nodes than are read in one request.");
        }
        return text.text();
    }

    /** Returns the access rights of the nodes of the store. */
    public static String access(StoreAccess access) {
        TextWriter text = new TextWriter(new Times(0, ZoneId.systemDefault()), InstanceNames.NONE);
        text.section(StatusSections.access(access));
        return text.text();
    }

    /** Returns one section. */
    String section(Section section) {
        text.section(section);
        return text.text();
    }

    private void state() {
        List<Fact> facts = new ArrayList<>(StatusSections.state(report));
        facts.addAll(StatusSections.answers(report));
        facts.addAll(StatusSections.situation(report));
        facts.add(Fact.ofTime("Generated", report.generatedMillis()));
        text.facts(facts, "");
        List<Line> problems = StatusSections.problems(report);
        if (!problems.isEmpty()) {
            text.section("Problems", List.of(new Section.Items(problems)));
        }
        text.section(InstanceSections.instances(report, Map.of()));
        text.section("Listeners", List.of(StatusSections.listeners(report.listeners())));
        text.section(
                "Last transitions of this instance",
                List.of(StatusSections.transitions(report.recent().transitions())));
    }

    private void writeConnectors() {
        List<Part> parts = new ArrayList<>(ConnectorSections.clusters(report));
        parts.addAll(ConnectorSections.connectors(report.connectors()));
        text.section("Connectors and remote clusters", parts);
    }

    private void writeClusters() {
        for (Cluster cluster : report.clusters()) {
            text.heading("Cluster " + cluster.id());
            for (Instance instance : cluster.instances()) {
                text.item(instance.position() + ". " + text.words(InstanceSections.named(instance)));
                text.facts(InstanceSections.facts(cluster, instance), "     ");
                for (Part part : InstanceSections.properties(instance).parts()) {
                    text.part(part, "       ");
                }
            }
        }
    }
}
