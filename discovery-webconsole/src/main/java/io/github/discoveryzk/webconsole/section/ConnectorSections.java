// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.section;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.ConnectorReport.Incoming;
import io.github.discoveryzk.report.ConnectorReport.Outgoing;
import io.github.discoveryzk.report.ConnectorReport.Refusal;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Look;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section.Heading;
import io.github.discoveryzk.webconsole.content.Section.Note;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.content.Span.TimeForm;
import io.github.discoveryzk.webconsole.content.Table;
import io.github.discoveryzk.webconsole.content.Times;
import java.util.ArrayList;
import java.util.List;

/** The other clusters of the topology, and the connectors of this instance. */
public final class ConnectorSections {
    /** What stands where connectors are not configured. */
    public static final String UNCONFIGURED =
            "No connectors are configured; the configuration io.github.discoveryzk.connectors opens and accepts"
                    + " them.";

    private static final int MAX_ROWS = 200;
    private static final int MAX_INSTANCES = 20;
    private static final int MAX_ON_WAY = 8;
    private static final int TEXT_LENGTH = 300;

    private ConnectorSections() {}

    /** Returns the other clusters. */
    public static List<Part> clusters(TopologyReport report) {
        List<Cluster> remote =
                report.clusters().stream().filter(cluster -> !cluster.local()).toList();
        if (remote.isEmpty()) {
            return List.of();
        }
        Table<Cluster> table = Table.of("dz-remotes", remote, MAX_ROWS, "cluster")
                .heading("Cluster", cluster -> line().foreign(cluster.id(), TEXT_LENGTH))
                .column("Instances", ConnectorSections::instances)
                .column("Leader", cluster -> cluster.leader()
                        .map(leader -> line().instance(leader.id()))
                        .orElse(line().soft("unknown")))
                .wide("How known", ConnectorSections::source)
                .mark("id", Cluster::id)
                .mark("data-id", Cluster::id);
        return List.of(new Heading("Remote clusters", remote.size()), table);
    }

    private static Line instances(Cluster cluster) {
        return line().text(Phrases.count(cluster.instances().size(), "instance"))
                .styled(Style.BELOW, line().list(cluster.instances(), ", ", MAX_INSTANCES, each -> line().instance(
                                each.id())));
    }

    /** Returns how this instance knows of a cluster. */
    public static Line source(Cluster cluster) {
        if (cluster.local()) {
            return line().text("it is the cluster of this instance");
        }
        return cluster.way().isEmpty()
                ? line().text("in the same store")
                : line().text("announced through ")
                        .list(cluster.way(), " \u2190 ", MAX_ON_WAY, id -> line().instance(id));
    }

    /** Returns the connectors of this instance, and the requests that it has refused. */
    public static List<Part> connectors(ConnectorReport connectors) {
        if (!connectors.configured()) {
            return List.of(new Note(UNCONFIGURED));
        }
        List<Part> parts = new ArrayList<>();
        parts.add(new Heading(
                "Connectors that this instance opens", connectors.outgoing().size()));
        parts.add(
                connectors.outgoing().isEmpty()
                        ? new Note("The configuration has no URLs of connectors.")
                        : outgoing(connectors.outgoing()));
        parts.add(new Heading(
                "Connectors that peers open to this instance",
                connectors.incoming().size()));
        parts.add(new Note(connectors
                .endpoint()
                .map(path -> "Peers connect at " + Phrases.truncate(path, TEXT_LENGTH) + ".")
                .orElse("No servlet container offers the path at which peers connect.")));
        if (!connectors.incoming().isEmpty()) {
            parts.add(incoming(connectors.incoming()));
        }
        if (!connectors.refusals().isEmpty()) {
            parts.add(new Heading("Refused requests", connectors.refusals().size()));
            parts.add(refusals(connectors.refusals()));
        }
        return parts;
    }

    private static Table<Outgoing> outgoing(List<Outgoing> connectors) {
        return Table.of("dz-outgoing", connectors, MAX_ROWS, "connector")
                .heading("URL", ConnectorSections::urls)
                .wide("State", each -> line().state(Look.of(each.state()))
                        .text(" for ")
                        .elapsed(each.times().sinceMillis())
                        .styled(Style.WHY, line().foreign(each.sentence(), TEXT_LENGTH)))
                .column("Last exchange", each -> line().time(each.times().exchangedMillis(), "none yet")
                        .and(expires(each.times())))
                .column("Next ping", each -> line().time(each.times().nextPingMillis(), "none"))
                .column("Traffic", each -> line().soft(Phrases.traffic(each.traffic())))
                .mark("data-state", each -> each.state().name());
    }

    private static Line urls(Outgoing connector) {
        Line urls = line().foreign(connector.url(), TEXT_LENGTH);
        for (String other : connector.urls()) {
            if (!other.equals(connector.url())) {
                urls = urls.styled(Style.BELOW, line().text("or ").foreign(other, TEXT_LENGTH));
            }
        }
        return connector.peer().isPresent()
                ? urls.styled(
                        Style.BELOW,
                        line().text("peer ").instance(connector.peer().get()))
                : urls;
    }

    private static Line expires(ConnectorReport.Times times) {
        return times.expiresMillis().isEmpty()
                ? line()
                : line().styled(
                                Style.BELOW,
                                line().text("kept until ")
                                        .time(times.expiresMillis().getAsLong(), TimeForm.MOMENT));
    }

    private static Table<Incoming> incoming(List<Incoming> connectors) {
        return Table.of("dz-incoming", connectors, MAX_ROWS, "connector")
                .heading("Peer", ConnectorSections::peer)
                .column("Cluster", each -> line().foreign(each.clusterId(), TEXT_LENGTH))
                .column("Connected", each -> line().time(each.times().sinceMillis()))
                .column("Last ping", ConnectorSections::ping)
                .column("Traffic", each -> line().soft(Phrases.traffic(each.traffic())))
                .mark("id", Incoming::ownerId);
    }

    private static Line peer(Incoming connector) {
        Line from = line().text("at ").foreign(connector.address(), TEXT_LENGTH);
        String says = connector.serverInfo();
        return line().instance(connector.ownerId())
                .styled(
                        Style.BELOW,
                        says.isEmpty() ? from : from.text(", says ").foreign(says, TEXT_LENGTH));
    }

    private static Line ping(Incoming connector) {
        Line ping = line().time(connector.times().exchangedMillis(), "none yet").and(expires(connector.times()));
        long backoff = connector.backoffSeconds();
        return backoff > 0 ? ping.styled(Style.BELOW, "asked to wait " + Times.duration(backoff * 1_000)) : ping;
    }

    private static Table<Refusal> refusals(List<Refusal> refusals) {
        return Table.of("dz-refusals", refusals, MAX_ROWS, "sender")
                .heading("Sender", each -> line().foreign(each.sender(), TEXT_LENGTH))
                .number("Status", Refusal::status)
                .wide("Why", each -> line().foreign(each.reason(), TEXT_LENGTH))
                .number("Requests", Refusal::count)
                .column("First", each -> line().time(each.firstMillis()))
                .column("Last", each -> line().time(each.lastMillis()));
    }
}
