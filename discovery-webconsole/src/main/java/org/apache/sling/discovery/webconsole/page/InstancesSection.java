// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Connection;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The instances of the view, and what is known of other clusters. */
final class InstancesSection {
    private final PageWriter sheet;
    private final Html html;

    InstancesSection(PageWriter sheet) {
        this.sheet = sheet;
        this.html = sheet.html();
    }

    void write(TopologyReport report) throws IOException {
        List<Cluster> local = report.clusters().stream().filter(Cluster::local).toList();
        int count = local.stream().map(Cluster::instances).mapToInt(List::size).sum();
        sheet.section("dz-instances", "Instances", count);
        if (local.isEmpty()) {
            sheet.nothing("There is no view yet, so there are no instances to list.");
        }
        for (Cluster cluster : local) {
            table(cluster, report.connection());
        }
        sheet.endSection();
    }

    /** Other clusters of the topology, as far as there are any. */
    void connectors(TopologyReport report) throws IOException {
        List<Cluster> remote =
                report.clusters().stream().filter(cluster -> !cluster.local()).toList();
        sheet.section("dz-connectors", "Connectors and remote clusters");
        if (remote.isEmpty()) {
            sheet.nothing("No other cluster is connected. This topology consists of the cluster of this instance.");
        }
        for (Cluster cluster : remote) {
            html.open("h3").text("Cluster ");
            sheet.name(cluster.id());
            html.close();
            table(cluster, Optional.empty());
        }
        sheet.endSection();
    }

    private void table(Cluster cluster, Optional<Connection> connection) throws IOException {
        sheet.table("", "#", "Instance", "Role", "Host, process", "Joined", "Session", "Console", "Properties");
        for (Instance instance : cluster.instances()) {
            html.open(
                    "tr",
                    "class",
                    instance.local() ? "dz-local" : "dz-other",
                    "id",
                    ElementIds.of("dz-r", instance.node() + " " + instance.id()),
                    "data-id",
                    instance.id());
            sheet.number("Place", String.valueOf(instance.order()));
            row(instance, instance.local() ? connection : Optional.empty());
            html.close().line();
        }
        sheet.endTable();
    }

    private void row(Instance instance, Optional<Connection> connection) throws IOException {
        html.open("th", "scope", "row");
        sheet.link(instance.id());
        if (instance.local()) {
            sheet.badge("this instance");
        }
        html.close();
        sheet.cell("Role").open("span", "class", instance.leader() ? "dz-role dz-leader" : "dz-role");
        if (instance.leader()) {
            sheet.crown();
        }
        html.text(instance.leader() ? "leader" : "member").close().close();
        sheet.cell("Host, process").foreign(instance.host()).text(" ");
        html.element("span", "pid " + Phrases.pid(instance.pid()), "class", "dz-soft")
                .close();
        sheet.when("Joined", instance.joinedMillis());
        session(instance, connection);
        sheet.cell("Console");
        if (instance.console().isPresent()) {
            html.outside(instance.console().get());
        } else {
            html.element("span", "none", "class", "dz-soft");
        }
        html.close();
        sheet.number("Properties", String.valueOf(instance.properties().size()));
    }

    private void session(Instance instance, Optional<Connection> connection) throws IOException {
        sheet.cell("Session");
        if (instance.session().isEmpty()) {
            html.text("none");
        } else {
            html.open("span", "class", "dz-id").foreign(instance.session()).close();
            html.text(" ")
                    .element(
                            "span",
                            "timeout " + Times.duration(instance.sessionTimeoutMillis()),
                            "class",
                            "dz-soft dz-own");
        }
        if (connection.isPresent() && connection.get().roundTripMillis().isPresent()) {
            html.text(" ")
                    .element(
                            "span",
                            "round trip "
                                    + Times.duration(
                                            connection.get().roundTripMillis().getAsLong()),
                            "class",
                            "dz-soft dz-own dz-round-trip");
        }
        html.close();
    }
}
