// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.ConnectorReport.Incoming;
import io.github.discoveryzk.report.ConnectorReport.Outgoing;
import io.github.discoveryzk.report.ConnectorReport.Refusal;
import io.github.discoveryzk.report.ConnectorReport.Traffic;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reports show other clusters and connectors. */
class ReportedRemotesTest extends ReportingFixture {

    private static final String FAR = "b2a7f3d4-0000-4000-8000-000000000001";
    private static final String GATE = "b2a7f3d4-0000-4000-8000-000000000002";

    private VirtualInstance a;

    @BeforeEach
    void settle() {
        a = settled("a");
        time.run(1_000);
    }

    private static RemoteCluster remote(String... way) {
        return new RemoteCluster(
                "far",
                List.of(
                        new RemoteInstance(FAR, Map.of(InstanceNames.PROPERTY, "publish-1", "password", "hunter2")),
                        new RemoteInstance(
                                GATE,
                                Map.of("org.apache.sling.instance.endpoints", "ftp://x,https://far.example:8443/"))),
                GATE,
                List.of(way));
    }

    private TopologyReport show(RemoteCluster... clusters) {
        a.store().showRemotes(List.of(clusters));
        time.run(100);
        return a.report();
    }

    @Test
    void anotherClusterFollowsTheOwnOneWithItsWay() {
        TopologyReport report = show(remote("a", GATE));

        assertThat(report.clusters()).extracting(Cluster::local).containsExactly(true, false);
        Cluster far = report.clusters().get(1);
        assertThat(far.id()).isEqualTo("far");
        assertThat(far.way()).containsExactly("a", GATE);
        assertThat(far.leader()).map(Instance::id).contains(GATE);
        assertThat(far.instances()).extracting(Instance::position).containsExactly(1, 2);
        assertThat(far.instances()).extracting(Instance::id).containsExactly(FAR, GATE);
        assertThat(far.instances().get(0).properties()).containsEntry("password", "\u2022\u2022\u2022\u2022");
        assertThat(far.instances().get(1).console()).contains("https://far.example:8443/");
        assertThat(report.names().label(FAR)).isEqualTo("publish-1");
        assertThat(a.words(report.recent().events().get(0).details()))
                .contains("cluster far with 2 instances appeared");
    }

    @Test
    void whatIsNotKnownOfItsInstancesIsEmpty() {
        Instance instance = show(remote()).clusters().get(1).instances().get(0);

        assertThat(instance.local()).isFalse();
        assertThat(instance.wasLeader()).isFalse();
        assertThat(List.of(
                        instance.node(),
                        instance.process().host(),
                        instance.process().home(),
                        instance.session()))
                .containsOnly("");
        assertThat(List.of(
                        instance.process().pid(),
                        instance.process().startedMillis(),
                        instance.member().createdMillis()))
                .containsOnly(0L);
        assertThat(instance.member().record().sessionTimeoutMillis()).isZero();
        assertThat(instance.status().state()).isEqualTo(InstanceState.SETTLED);
        assertThat(instance.status().sinceMillis()).isEmpty();
    }

    @Test
    void aPeerDoesNotRenameAnInstanceThatThisClusterKnows() {
        VirtualInstance b = settled("b");
        offer(b, InstanceNames.PROPERTY, "own");
        b.leave();
        time.run(2_000);

        TopologyReport report = show(new RemoteCluster(
                "far", List.of(new RemoteInstance("b", Map.of(InstanceNames.PROPERTY, "forged"))), "b"));

        assertThat(report.names().label("b")).isEqualTo("own");
    }

    @Test
    void anInstanceThatIsCutOffCannotKnowTheStateOfOthers() {
        show(remote());
        a.store().cut(20);
        time.run(100);
        assertThat(a.state()).isEqualTo(State.SUSPENDED);
        assertThat(states()).containsOnly(InstanceState.SETTLED);

        assertThat(a.await(State.CUT_OFF)).isTrue();
        assertThat(states()).containsOnly(InstanceState.UNKNOWN);
    }

    private Stream<InstanceState> states() {
        return a.report().clusters().get(1).instances().stream()
                .map(each -> each.status().state());
    }

    @Test
    void anotherWayIsShownAndNoListenerIsTold() {
        show(remote("a", FAR));
        int heard = a.events().size();
        int recorded = a.report().recent().events().size();
        long before = a.report().revision();
        TopologyView view = a.instance().getTopology();

        TopologyReport report = show(remote("a", GATE));

        assertThat(report.clusters().get(1).way()).containsExactly("a", GATE);
        assertThat(report.revision()).isGreaterThan(before);
        assertThat(a.events()).hasSize(heard);
        assertThat(report.recent().events()).hasSize(recorded);
        assertThat(a.instance().getTopology()).isSameAs(view);
        assertThat(view.isCurrent()).isTrue();
    }

    @Test
    void theRevisionChangesWithOtherClusters() {
        long before = a.report().revision();
        long with = show(remote()).revision();
        assertThat(with).isGreaterThan(before);
        assertThat(show(remote()).revision()).isEqualTo(with);
        assertThat(show().revision()).isGreaterThan(with);
    }

    private static ConnectorReport connectors(ConnectorReport.ConnectorState state, int n) {
        return new ConnectorReport(
                true,
                Optional.of("/libs/sling/topology/connector"),
                List.of(new Outgoing(
                        List.of("http://far:8080/"),
                        "http://far:8080/",
                        state,
                        "instance " + FAR + " replied",
                        Optional.of(FAR),
                        times(n),
                        new Traffic(n, n, n, n))),
                List.of(new Incoming(GATE, "far:1", "10.0.0.1", "far", times(n), 30, new Traffic(n, n, n, n))),
                n % 2 == 0
                        ? List.of(refusal("10.0.0.2", n), refusal("10.0.0.3", n))
                        : List.of(refusal("10.0.0.3", n), refusal("10.0.0.2", n)),
                60_000);
    }

    private static ConnectorReport.Times times(int n) {
        return new ConnectorReport.Times(1, OptionalLong.of(n), OptionalLong.of(n), OptionalLong.of(n));
    }

    private static Refusal refusal(String sender, int n) {
        return new Refusal(sender, 404, "signature is wrong", n, 1, n);
    }

    @Test
    void theRevisionChangesWithTheStateOfAConnectorAndNotWithEachPing() {
        change(connectors(ConnectorReport.ConnectorState.CONNECTED, 1));
        long connected = a.report().revision();

        change(connectors(ConnectorReport.ConnectorState.CONNECTED, 2));
        assertThat(a.report().revision()).isEqualTo(connected);

        change(connectors(ConnectorReport.ConnectorState.FAILING, 3));
        assertThat(a.report().revision()).isGreaterThan(connected);
    }

    private void change(ConnectorReport next) {
        a.connectors.report(next);
        // The lease is renewed.
        time.run(4_000);
    }
}
