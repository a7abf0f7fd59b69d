// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.ConnectorReport.Incoming;
import org.apache.sling.discovery.commons.report.ConnectorReport.Outgoing;
import org.apache.sling.discovery.commons.report.ConnectorReport.Refusal;
import org.apache.sling.discovery.commons.report.ConnectorReport.Traffic;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.drawing.ClusterDiagram;
import org.apache.sling.discovery.webconsole.format.ConnectorDisplay;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The other clusters of the topology, and the connectors of this instance. */
final class ConnectorsSection {
    private static final int MOST_CLUSTERS = 200;
    private static final int MOST_ROWS = 200;
    private static final int FIRST_INSTANCES = 4;
    private static final int MOST_INSTANCES = 100;
    private static final int MOST_ON_WAY = 8;
    private static final int TEXT_LENGTH = 300;

    private final PageWriter page;
    private final Html html;
    private final TopologyReport report;
    private final ConnectorReport connectors;

    ConnectorsSection(PageWriter page, TopologyReport report) {
        this.page = page;
        this.html = page.html();
        this.report = report;
        this.connectors = report.connectors();
    }

    void write() throws IOException {
        List<Cluster> remote =
                report.clusters().stream().filter(cluster -> !cluster.local()).toList();
        page.section("dz-connectors", "Connectors and remote clusters", () -> {
            new ClusterDiagram(page).write(report);
            if (!remote.isEmpty()) {
                clusters(remote);
            }
            if (connectors.configured()) {
                outgoing();
                incoming();
            } else {
                page.note(ConnectorDisplay.UNCONFIGURED);
            }
            if (!connectors.refusals().isEmpty()) {
                refusals();
            }
        });
    }

    private void clusters(List<Cluster> remote) throws IOException {
        page.subheading("Remote clusters", remote.size());
        page.table("dz-remotes", List.of("Cluster", "Instances", "Leader", "How known"), () -> {
            for (Cluster cluster : remote.subList(0, Math.min(MOST_CLUSTERS, remote.size()))) {
                Attributes row = attr("id", ElementIds.of("dz-k", cluster.id())).and("data-id", cluster.id());
                html.element("tr", row, () -> cluster(cluster)).line();
            }
        });
        rest(remote.size() - MOST_CLUSTERS, "further cluster");
    }

    private void rest(int count, String noun) throws IOException {
        if (count > 0) {
            page.note("Not listed: " + Phrases.count(count, noun) + ".");
        }
    }

    private void cluster(Cluster cluster) throws IOException {
        html.element("th", attr("scope", "row"), () -> {
            page.name(cluster.id());
        });
        page.cell("Instances", () -> instances(cluster.instances()));
        page.cell("Leader", () -> {
            Optional<Instance> leader = cluster.leader();
            if (leader.isPresent()) {
                page.instanceLink(leader.get().id());
            } else {
                html.element("span", attr("class", "dz-soft"), "unknown");
            }
        });
        page.wideCell("How known", () -> html.element("span", () -> source(cluster)));
    }

    private void instances(List<Instance> instances) throws IOException {
        int count = instances.size();
        if (count <= FIRST_INSTANCES) {
            html.element("span", () -> links(instances));
            return;
        }
        html.element("details", attr("class", "dz-more"), () -> {
            html.element("summary", Phrases.count(count, "instance"));
            links(instances.subList(0, Math.min(MOST_INSTANCES, count)));
            if (count > MOST_INSTANCES) {
                html.text(" and " + (count - MOST_INSTANCES) + " more");
            }
        });
    }

    private void links(List<Instance> instances) throws IOException {
        for (int i = 0; i < instances.size(); i++) {
            html.text(i == 0 ? "" : ", ");
            page.shortInstanceLink(instances.get(i).id());
        }
    }

    /** Writes how this instance knows of a cluster. */
    void source(Cluster cluster) throws IOException {
        List<String> way = cluster.way();
        if (way.isEmpty()) {
            html.text(cluster.local() ? "it is the cluster of this instance" : "in the same store");
            return;
        }
        html.text("announced through ");
        for (int i = 0; i < Math.min(MOST_ON_WAY, way.size()); i++) {
            html.text(i == 0 ? "" : " \u2190 ");
            page.shortInstanceLink(way.get(i));
        }
        if (way.size() > MOST_ON_WAY) {
            html.text(" \u2190 " + (way.size() - MOST_ON_WAY) + " more");
        }
    }

    private void outgoing() throws IOException {
        List<Outgoing> outgoing = connectors.outgoing();
        page.subheading("Connectors that this instance opens", outgoing.size());
        if (outgoing.isEmpty()) {
            page.note("The configuration has no URLs of connectors.");
            return;
        }
        List<String> headings = List.of("URL", "State", "Last exchange", "Next ping", "Traffic");
        page.table("dz-outgoing", headings, () -> {
            for (Outgoing each : outgoing.subList(0, Math.min(MOST_ROWS, outgoing.size()))) {
                Attributes row = attr("data-state", each.state().name());
                html.element("tr", row, () -> outgoing(each)).line();
            }
        });
        rest(outgoing.size() - MOST_ROWS, "further connector");
    }

    private void outgoing(Outgoing each) throws IOException {
        html.element("th", attr("scope", "row"), () -> {
            html.foreign(Phrases.truncate(each.url(), TEXT_LENGTH));
            for (String other : each.urls()) {
                if (!other.equals(each.url())) {
                    soft(() -> html.text("or ").foreign(Phrases.truncate(other, TEXT_LENGTH)));
                }
            }
            if (each.peer().isPresent()) {
                soft(() -> {
                    html.text("peer ");
                    page.shortInstanceLink(each.peer().get());
                });
            }
        });
        ConnectorDisplay display = ConnectorDisplay.of(each.state());
        Attributes state = attr("data-label", "State").and("class", "dz-wide");
        html.element(
                "td",
                state,
                () -> html.element("div", attr("class", "dz-standing dz-" + display.tone()), () -> {
                    html.element("span", attr("class", "dz-word"), () -> {
                        page.shape(display.sign());
                        html.text(display.word());
                    });
                    html.text(" for ");
                    page.elapsed(each.sinceMillis());
                    html.text(" ")
                            .element(
                                    "span",
                                    attr("class", "dz-own dz-why"),
                                    () -> html.foreign(Phrases.truncate(each.sentence(), TEXT_LENGTH)));
                }));
        page.cell("Last exchange", () -> {
            time(each.exchangedMillis(), "none yet");
            if (each.expiresMillis().isPresent()) {
                soft(() -> expires(each.expiresMillis().getAsLong()));
            }
        });
        page.cell("Next ping", () -> time(each.nextPingMillis(), "none"));
        page.cell("Traffic", () -> traffic(each.traffic()));
    }

    private void soft(Html.Content content) throws IOException {
        html.text(" ").element("span", attr("class", "dz-soft dz-own"), content);
    }

    private void expires(long millis) throws IOException {
        html.text("kept until ");
        page.moment(millis);
    }

    private void time(OptionalLong millis, String absent) throws IOException {
        if (millis.isPresent()) {
            page.time(millis.getAsLong());
        } else {
            html.element("span", attr("class", "dz-soft"), absent);
        }
    }

    private void traffic(Traffic traffic) throws IOException {
        html.element("span", attr("class", "dz-soft"), ConnectorDisplay.traffic(traffic));
    }

    private void incoming() throws IOException {
        List<Incoming> incoming = connectors.incoming();
        page.subheading("Connectors that peers open to this instance", incoming.size());
        if (connectors.endpoint().isPresent()) {
            String path = Phrases.truncate(connectors.endpoint().get(), TEXT_LENGTH);
            html.element("p", attr("class", "dz-soft"), () -> html.text("Peers connect at ")
                    .foreign(path)
                    .text("."));
        } else {
            page.note("No servlet container offers the path at which peers connect.");
        }
        if (incoming.isEmpty()) {
            return;
        }
        List<String> headings = List.of("Peer", "Cluster", "Connected", "Last ping", "Traffic");
        page.table("dz-incoming", headings, () -> {
            for (Incoming each : incoming.subList(0, Math.min(MOST_ROWS, incoming.size()))) {
                html.element("tr", attr("id", ElementIds.of("dz-i", each.ownerId())), () -> incoming(each))
                        .line();
            }
        });
        rest(incoming.size() - MOST_ROWS, "further connector");
    }

    private void incoming(Incoming each) throws IOException {
        html.element("th", attr("scope", "row"), () -> {
            page.instanceLink(each.ownerId());
            soft(() -> {
                html.text("at ").foreign(Phrases.truncate(each.address(), TEXT_LENGTH));
                if (!each.serverInfo().isEmpty()) {
                    html.text(", says ").foreign(Phrases.truncate(each.serverInfo(), TEXT_LENGTH));
                }
            });
        });
        page.cell("Cluster", () -> page.name(each.clusterId()));
        page.timeCell("Connected", each.sinceMillis());
        page.cell("Last ping", () -> {
            page.time(each.pingedMillis());
            soft(() -> expires(each.expiresMillis()));
            if (each.backoffSeconds() > 0) {
                soft(() -> html.text("told to wait " + Times.duration(each.backoffSeconds() * 1_000)));
            }
        });
        page.cell("Traffic", () -> traffic(each.traffic()));
    }

    private void refusals() throws IOException {
        List<Refusal> refusals = connectors.refusals();
        page.subheading("Refused requests", refusals.size());
        page.table("dz-refusals", List.of("Sender", "Status", "Why", "Requests", "First", "Last"), () -> {
            for (Refusal each : refusals.subList(0, Math.min(MOST_ROWS, refusals.size()))) {
                html.element("tr", () -> {
                            html.element(
                                    "th",
                                    attr("scope", "row"),
                                    () -> html.foreign(Phrases.truncate(each.sender(), TEXT_LENGTH)));
                            page.numberCell("Status", String.valueOf(each.status()));
                            page.wideCell("Why", Phrases.truncate(each.reason(), TEXT_LENGTH));
                            page.numberCell("Requests", String.valueOf(each.count()));
                            page.timeCell("First", each.firstMillis());
                            page.timeCell("Last", each.lastMillis());
                        })
                        .line();
            }
        });
        rest(refusals.size() - MOST_ROWS, "further sender");
    }
}
