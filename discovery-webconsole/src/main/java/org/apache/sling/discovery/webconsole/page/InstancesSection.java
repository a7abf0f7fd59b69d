// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Connection;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The instances of the view: those of the local cluster, and those of connected clusters. */
final class InstancesSection {
    private static final List<String> HEADINGS =
            List.of("Position", "Instance", "Role", "Host, process", "Joined", "Session", "Console", "Properties");

    private final PageWriter page;
    private final Html html;
    private final TopologyReport report;

    InstancesSection(PageWriter page, TopologyReport report) {
        this.page = page;
        this.html = page.html();
        this.report = report;
    }

    void write() throws IOException {
        List<Cluster> local = report.clusters().stream().filter(Cluster::local).toList();
        int count = local.stream().map(Cluster::instances).mapToInt(List::size).sum();
        page.section("dz-instances", "Instances", count, () -> {
            if (local.isEmpty()) {
                page.note("There is no view yet, so there are no instances to list.");
            }
            for (Cluster cluster : local) {
                table(cluster);
            }
        });
    }

    /** Writes the other clusters of the topology. */
    void writeConnectors() throws IOException {
        List<Cluster> remote =
                report.clusters().stream().filter(cluster -> !cluster.local()).toList();
        page.section("dz-connectors", "Connectors and remote clusters", () -> {
            if (remote.isEmpty()) {
                page.note("No other cluster is connected. This topology consists of the cluster of this instance.");
            }
            for (Cluster cluster : remote) {
                html.element("h3", () -> {
                    html.text("Cluster ");
                    page.name(cluster.id());
                });
                table(cluster);
            }
        });
    }

    private void table(Cluster cluster) throws IOException {
        page.table("", HEADINGS, () -> {
            for (Instance instance : cluster.instances()) {
                Attributes attributes = attr("class", instance.local() ? "dz-local" : "dz-other")
                        .and("id", ElementIds.of("dz-r", instance.node() + " " + instance.id()))
                        .and("data-id", instance.id());
                html.element("tr", attributes, () -> row(cluster, instance)).line();
            }
        });
    }

    private void row(Cluster cluster, Instance instance) throws IOException {
        page.numberCell("Position", String.valueOf(instance.position()));
        html.element("th", attr("scope", "row"), () -> {
            page.instanceLink(instance.id());
            if (instance.local()) {
                page.badge("this instance");
            }
        });
        page.cell("Role", () -> role(instance));
        page.hostCell(instance.host(), instance.pid());
        page.timeCell("Joined", instance.joinedMillis());
        page.cell("Session", () -> {
            session(instance);
            if (cluster.local() && instance.local()) {
                roundTrip();
            }
        });
        page.cell("Console", () -> console(instance));
        page.numberCell("Properties", String.valueOf(instance.properties().size()));
    }

    private void role(Instance instance) throws IOException {
        html.element("span", attr("class", instance.leader() ? "dz-role dz-leader" : "dz-role"), () -> {
            if (instance.leader()) {
                page.crown();
            }
            html.text(instance.leader() ? "leader" : "member");
        });
    }

    private void session(Instance instance) throws IOException {
        if (instance.session().isEmpty()) {
            html.text("none");
            return;
        }
        html.element("span", attr("class", "dz-id"), () -> html.foreign(instance.session()));
        html.text(" ")
                .element(
                        "span",
                        attr("class", "dz-soft dz-own"),
                        "timeout " + Times.duration(instance.sessionTimeoutMillis()));
    }

    private void roundTrip() throws IOException {
        OptionalLong millis =
                report.connection().map(Connection::roundTripMillis).orElse(OptionalLong.empty());
        if (millis.isPresent()) {
            html.text(" ")
                    .element(
                            "span",
                            attr("class", "dz-soft dz-own dz-round-trip"),
                            "round trip " + Times.duration(millis.getAsLong()));
        }
    }

    private void console(Instance instance) throws IOException {
        if (instance.console().isPresent()) {
            html.outside(instance.console().get());
        } else {
            html.element("span", attr("class", "dz-soft"), "none");
        }
    }
}
