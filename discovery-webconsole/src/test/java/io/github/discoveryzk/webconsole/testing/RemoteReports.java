// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.testing;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.ConnectorReport.ConnectorState;
import io.github.discoveryzk.report.ConnectorReport.Incoming;
import io.github.discoveryzk.report.ConnectorReport.Outgoing;
import io.github.discoveryzk.report.ConnectorReport.Refusal;
import io.github.discoveryzk.report.ConnectorReport.Traffic;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Reports of topologies with other clusters and connectors. */
public final class RemoteReports {

    private static final Traffic TRAFFIC = new Traffic(120, 1, 48_600, 1_234_567);

    private RemoteReports() {}

    /** A cluster in the same store, two that are announced through connectors, and one behind them; connectors in each state. */
    public static TopologyReport sample() {
        return with(
                Reports.settled(3),
                List.of(
                        cluster(1, 2, List.of()),
                        cluster(2, 3, List.of(Reports.id(2), id(2, 1))),
                        cluster(3, 1, List.of(Reports.id(1), id(3, 1))),
                        cluster(4, 6, List.of(Reports.id(2), id(2, 1), id(4, 1)))),
                connectors());
    }

    /** A number of clusters that are announced through connectors, the last one with a long name. */
    public static TopologyReport spokes(int number) {
        List<Cluster> clusters = new ArrayList<>();
        for (int i = 1; i <= number; i++) {
            clusters.add(cluster(i, 3, List.of(Reports.id(2), id(i, 1))));
        }
        Cluster last = clusters.remove(number - 1);
        clusters.add(new Cluster("production-" + "long-".repeat(30) + number, false, last.instances(), last.way()));
        return with(
                Reports.settled(3),
                clusters,
                new ConnectorReport(true, endpoint(), List.of(), List.of(), List.of(), 120_000));
    }

    /** A report in which every text of other clusters and of connectors is the given one, but for the ends of ids. */
    public static TopologyReport hostile(String text) {
        Instance instance = remote(1, text + "-far", "far " + text, Map.of(text, text));
        return with(
                Reports.hostile(text),
                List.of(new Cluster(text + "-other", false, List.of(instance), List.of(text, text + "-far"))),
                hostileConnectors(text));
    }

    static ConnectorReport hostileConnectors(String text) {
        ConnectorReport filled = Records.filled(ConnectorReport.class, text);
        Outgoing outgoing = Records.with(filled.outgoing().get(0), "urls", List.of("http://first/", text));
        outgoing = Records.with(outgoing, "state", ConnectorState.FAILING);
        outgoing = Records.with(outgoing, "peer", Optional.of(text + "-gone"));
        Incoming incoming = Records.with(filled.incoming().get(0), "ownerId", text + "-far");
        incoming = Records.with(incoming, "serverInfo", "says " + text);
        ConnectorReport report = Records.with(filled, "outgoing", List.of(outgoing));
        report = Records.with(report, "pingTimeoutMillis", 120_000L);
        return Records.with(report, "incoming", List.of(incoming));
    }

    public static ConnectorReport connectors() {
        return new ConnectorReport(
                true,
                endpoint(),
                List.of(
                        outgoing(
                                "https://far-1.example:8443/",
                                ConnectorState.CONNECTED,
                                Optional.of(id(2, 1)),
                                "accepted"),
                        outgoing(
                                "http://far-2.example:8080/",
                                ConnectorState.STANDBY,
                                Optional.of(id(3, 1)),
                                "the peer knows this cluster in another way; asks again in 300 s"),
                        outgoing(
                                "http://broken.example:8080/",
                                ConnectorState.FAILING,
                                Optional.empty(),
                                "connection refused; both URLs are tried again with the next ping"),
                        outgoing("http://new.example:8080/", ConnectorState.CONNECTING, Optional.empty(), "connecting"),
                        outgoing(
                                "http://self.example:8080/",
                                ConnectorState.STOPPED,
                                Optional.empty(),
                                "leads back to this instance; stopped until the configuration changes")),
                List.of(new Incoming(
                        id(3, 1),
                        "far-3.example:8080",
                        "192.0.2.17",
                        clusterId(3),
                        new ConnectorReport.Times(
                                Reports.NOW - 3_600_000,
                                OptionalLong.of(Reports.NOW - 4_000),
                                OptionalLong.empty(),
                                OptionalLong.of(Reports.NOW + 116_000)),
                        150,
                        TRAFFIC)),
                List.of(new Refusal(
                        "198.51.100.9",
                        404,
                        "the signature of the announcement is not right",
                        1_204,
                        Reports.NOW - 7_200_000,
                        Reports.NOW - 2_000)),
                120_000);
    }

    private static Optional<String> endpoint() {
        return Optional.of("/libs/sling/topology/connector");
    }

    private static Outgoing outgoing(String url, ConnectorState state, Optional<String> peer, String sentence) {
        boolean heard = peer.isPresent();
        return new Outgoing(
                List.of(url, url.replace("example", "fallback.example")),
                url,
                state,
                sentence,
                peer,
                new ConnectorReport.Times(
                        Reports.NOW - 600_000,
                        heard ? OptionalLong.of(Reports.NOW - 12_000) : OptionalLong.empty(),
                        state == ConnectorState.STOPPED ? OptionalLong.empty() : OptionalLong.of(Reports.NOW + 18_000),
                        heard ? OptionalLong.of(Reports.NOW + 108_000) : OptionalLong.empty()),
                heard ? TRAFFIC : new Traffic(20, 20, 9_000, 0));
    }

    public static Cluster cluster(int number, int size, List<String> way) {
        return new Cluster(
                clusterId(number),
                false,
                IntStream.rangeClosed(1, size)
                        .mapToObj(i ->
                                remote(i, id(number, i), "far-" + number + "-" + i, Map.of("zone", "eu-north-" + i)))
                        .toList(),
                way);
    }

    public static String clusterId(int number) {
        return String.format("c%07d-0000-4000-8000-000000000000", number);
    }

    public static String id(int cluster, int number) {
        return String.format("b%03d%04d-0000-4000-8000-%012d", number, cluster, number);
    }

    private static Instance remote(int position, String id, String name, Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(more);
        properties.put(InstanceNames.PROPERTY, name);
        MemberRecord record = MemberRecord.of(id, new ProcessInfo("", "", 0, "", 0), properties);
        InstanceStatus settled = InstanceStatus.of(InstanceState.SETTLED, OptionalLong.empty());
        return new Instance(position, new Member("", 0, 0, 0, record), settled, position == 1, false, false);
    }

    /** Returns a report with further clusters and other connectors. */
    public static TopologyReport with(TopologyReport report, List<Cluster> further, ConnectorReport connectors) {
        List<Cluster> clusters = new ArrayList<>(report.clusters());
        clusters.addAll(further);
        return Reports.named(Records.with(Records.with(report, "clusters", clusters), "connectors", connectors));
    }
}
