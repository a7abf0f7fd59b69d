// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Connection;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.format.InstanceDisplay;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The instances of the local cluster. */
final class InstancesSection {
    /** A smaller table is seen at a glance. */
    private static final int FILTERED_FROM = 8;

    private static final List<String> HEADINGS =
            List.of("#", "Instance", "State", "Host, process", "Joined", "Session", "Its page", "Properties");

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
                page.note("This instance holds no view yet.");
            }
            if (count >= FILTERED_FROM) {
                filter();
            }
            for (Cluster cluster : local) {
                table(cluster.instances());
            }
            OutsideTable outside = new OutsideTable(page);
            outside.write("Members of the view", InstanceState.MOVED_ON, report.outsiders());
            outside.writeOthers("Alive, but not in the view", InstanceState.MOVED_ON, report.outsiders());
            outside.write("Left a short time ago", report.recentlyLeft());
            noticed(local);
        });
    }

    /** Says how long a dead instance looks alive: only the end of its session is seen. */
    private void noticed(List<Cluster> local) throws IOException {
        int longest = local.stream()
                .flatMap(cluster -> cluster.instances().stream())
                .mapToInt(Instance::sessionTimeoutMillis)
                .max()
                .orElse(0);
        if (longest > 0) {
            html.element(
                    "p",
                    attr("class", "dz-soft").and("id", "dz-noticed"),
                    "An instance that dies without closing its session is shown as settled until its session times out,"
                            + " here after up to " + Times.duration(longest) + ".");
        }
    }

    /** A field with which the script hides rows. */
    private void filter() throws IOException {
        html.element("p", attr("class", "dz-form dz-find"), () -> {
                    html.element("label", attr("for", "dz-find"), "Show only rows with");
                    html.text(" ").empty("input", attr("type", "search").and("id", "dz-find"));
                })
                .line();
    }

    private void table(List<Instance> instances) throws IOException {
        page.table("dz-members", HEADINGS, () -> {
            for (Instance instance : instances) {
                Attributes attributes = attr("class", instance.local() ? "dz-local" : "dz-other")
                        .and("id", ElementIds.of("dz-r", instance.node() + " " + instance.id()))
                        .and("data-id", instance.id())
                        .and("data-state", instance.status().state().name())
                        .and("data-find", words(instance));
                html.element("tr", attributes, () -> row(instance)).line();
            }
        });
    }

    /** Returns the text in which the filter looks. */
    private String words(Instance instance) {
        return page.names().name(instance.id()).map(name -> name + " ").orElse("") + instance.id() + " "
                + instance.host() + ":" + instance.pid();
    }

    private void row(Instance instance) throws IOException {
        page.numberCell("Position", String.valueOf(instance.position()));
        html.element("th", attr("scope", "row"), () -> {
            page.instanceLink(instance.id());
            page.badges(instance);
        });
        state(instance.status());
        page.hostCell(instance.host(), instance.pid());
        page.timeCell("Joined", instance.joinedMillis());
        page.cell("Session", () -> {
            session(instance);
            if (instance.local()) {
                roundTrip();
            }
        });
        page.cell("Its page", () -> page.topologyLink(instance));
        page.numberCell("Properties", String.valueOf(instance.properties().size()));
    }

    private void state(InstanceStatus status) throws IOException {
        InstanceDisplay display = InstanceDisplay.of(status.state());
        page.cell(
                "State",
                () -> html.element("div", attr("class", "dz-standing dz-" + display.tone()), () -> {
                    html.element("span", attr("class", "dz-word"), () -> {
                        page.shape(display.sign());
                        html.text(display.word());
                    });
                    if (status.state() != InstanceState.SETTLED
                            || !status.reason().isEmpty()) {
                        html.text(" ").element("span", attr("class", "dz-own dz-why"), () -> page.reason(status));
                    }
                }));
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
}
