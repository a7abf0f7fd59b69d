// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.leader.ViewNumber;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.spi.LocalInstance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Other clusters come and go in the topology, and never unsettle the local one. */
class RemoteClustersTest extends VirtualCluster {

    private final List<TopologyEvent.Type> ownOnly = new ArrayList<>();
    private VirtualInstance a;
    private VirtualInstance b;

    @BeforeEach
    void settle() {
        List<VirtualInstance> all = cluster("a", "b");
        a = all.get(0);
        b = all.get(1);
        a.instance().addOwnClusterListener(event -> ownOnly.add(event.getType()), () -> "own");
        time.run(1_000);
    }

    private static RemoteCluster remote(String id, String leader, String... instances) {
        return new RemoteCluster(
                id,
                Stream.of(instances)
                        .map(instance -> new RemoteInstance(instance, Map.of("of", id)))
                        .toList(),
                leader);
    }

    private TopologyView show(RemoteCluster... clusters) {
        a.store().showRemotes(List.of(clusters));
        time.run(100);
        return a.instance().getTopology();
    }

    private static ClusterView cluster(TopologyView view, String id) {
        return view.getClusterViews().stream()
                .filter(each -> each.getId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> ids(Collection<InstanceDescription> instances) {
        return instances.stream().map(InstanceDescription::getSlingId).sorted().toList();
    }

    @Test
    void aClusterThatAppearsIsAChangeForTheListenersOfThisInstanceOnly() {
        TopologyView before = a.instance().getTopology();
        LeaderLease lease = LeaderLease.of(before).orElseThrow();
        int others = b.events().size();

        TopologyView now = show(remote("other", "y", "x", "y"));

        assertThat(a.eventTypes()).endsWith(TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
        TopologyEvent changed = a.events().get(a.events().size() - 1);
        assertThat(changed.getOldView()).isSameAs(before);
        assertThat(changed.getNewView()).isSameAs(now);
        assertThat(now.isCurrent()).isTrue();
        assertThat(before.isCurrent()).isFalse();
        ClusterView other = cluster(now, "other");
        assertThat(other.getLeader().getSlingId()).isEqualTo("y");
        assertThat(ids(other.getInstances())).containsExactly("x", "y");
        assertThat(ids(now.getInstances())).containsExactly("a", "b", "x", "y");
        assertThat(b.events()).hasSize(others);
        assertThat(now.getLocalInstance().getClusterView())
                .isEqualTo(before.getLocalInstance().getClusterView());
        assertThat(ViewNumber.of(now)).isEqualTo(ViewNumber.of(before));
        assertThat(LeaderLease.of(now)).contains(lease);
        assertThat(lease.isHeld()).isTrue();
        assertThat(ownOnly).startsWith(TOPOLOGY_INIT).doesNotContain(TOPOLOGY_CHANGING);
        assertThat(a.state()).isEqualTo(State.SETTLED);
    }

    @Test
    void equalClustersCauseNoEvent() {
        TopologyView first = show(remote("other", "x", "x"));
        int events = a.events().size();

        assertThat(show(remote("other", "x", "x"))).isSameAs(first);
        assertThat(a.events()).hasSize(events);
        assertThat(first.isCurrent()).isTrue();
    }

    @Test
    void otherPropertiesAreNoChangeOfTheTopology() {
        TopologyView before = show(remote("other", "x", "x"));

        TopologyView now =
                show(new RemoteCluster("other", List.of(new RemoteInstance("x", Map.of("of", "something else"))), "x"));

        assertThat(a.eventTypes()).endsWith(TOPOLOGY_CHANGED, PROPERTIES_CHANGED);
        assertThat(before.isCurrent()).isFalse();
        assertThat(cluster(now, "other").getLeader().getProperty("of")).isEqualTo("something else");
    }

    @Test
    void anotherLeaderAnotherOrderAndTheEndOfAClusterAreChanges() {
        TopologyView last = show(remote("other", "x", "x", "y"));
        for (List<RemoteCluster> next : List.of(
                List.of(remote("other", "y", "x", "y")),
                List.of(remote("other", "y", "y", "x")),
                List.<RemoteCluster>of())) {
            TopologyView now = show(next.toArray(RemoteCluster[]::new));
            assertThat(a.eventTypes()).endsWith(TOPOLOGY_CHANGED, TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
            assertThat(last.isCurrent()).isFalse();
            assertThat(now.isCurrent()).isTrue();
            last = now;
        }
        assertThat(last.getClusterViews()).hasSize(1);
    }

    @Test
    void anInstanceIsShownOnce() {
        TopologyView now = show(remote("other", "b", "b", "x"), remote("third", "x", "x"), remote("other", "z", "z"));

        assertThat(ids(now.getInstances())).containsExactly("a", "b", "x");
        assertThat(cluster(now, "other").getLeader().getSlingId()).isEqualTo("x");
        assertThat(now.getClusterViews()).hasSize(2);
    }

    @Test
    void clustersThatChangeWhileTheOwnOneSettlesAreShownWithTheNextView() {
        b.hang();
        VirtualInstance c = started("c");
        assertThat(a.await(State.CHANGING)).isTrue();
        time.run(100);
        int events = a.events().size();
        a.store().showRemotes(List.of(remote("other", "x", "x")));
        time.run(1_000);
        assertThat(a.events()).hasSize(events);
        assertThat(a.instance().getTopology().isCurrent()).isFalse();

        b.goOn();
        assertThat(a.awaitOrder("a", "b", "c")).isTrue();
        time.run(1_000);
        assertThat(a.events()).hasSize(events + 1);
        assertThat(a.instance().getTopology().getClusterViews()).hasSize(2);
        assertThat(c.instance().getTopology().getClusterViews()).hasSize(1);
    }

    private static Map<String, Bytes> announced(String cluster, String... instances) {
        return PlainConnectors.announced(cluster, List.of(instances), "1");
    }

    @Test
    void whatAMemberSharesIsShownByAllAndUnsettlesNone() {
        b.store().share(announced("other", "x", "y"));
        time.run(1_000);
        for (VirtualInstance each : List.of(a, b)) {
            assertThat(ids(cluster(each.instance().getTopology(), "other").getInstances()))
                    .containsExactly("x", "y");
            assertThat(each.eventTypes()).endsWith(TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
        }
        assertThat(ownOnly).startsWith(TOPOLOGY_INIT).doesNotContain(TOPOLOGY_CHANGING);

        b.store().share(Map.of());
        time.run(1_000);
        assertThat(a.instance().getTopology().getClusterViews()).hasSize(1);
    }

    @Test
    void clustersOfTheStoreComeBeforeThoseThatWereHeard() {
        b.store().share(announced("other", "x"));
        time.run(1_000);
        TopologyView now = show(remote("other", "x", "x", "y"), remote("third", "z", "z"));
        assertThat(cluster(now, "other").getInstances()).hasSize(2);
        assertThat(now.getClusterViews()).hasSize(3);
        int events = a.events().size();
        b.store().share(Map.of());
        time.run(1_000);
        assertThat(a.events()).hasSize(events);
    }

    @Test
    void anotherWayToTheSameClusterIsNoEvent() {
        a.store().share(announced("other", "x"));
        time.run(1_000);
        b.store().share(announced("other", "x"));
        time.run(1_000);
        TopologyView before = a.instance().getTopology();
        int events = a.events().size();

        a.store().share(Map.of());
        time.run(1_000);
        assertThat(a.instance().getTopology()).isSameAs(before);
        assertThat(before.isCurrent()).isTrue();
        assertThat(a.events()).hasSize(events);
    }

    @Test
    void connectorsThatAreDetachedTakeTheirClustersWithThemAndTheReportSaysSo() {
        b.store().share(announced("other", "x"));
        time.run(1_000);
        assertThat(a.instance().getTopology().getClusterViews()).hasSize(2);
        assertThat(a.report().problems()).isEmpty();

        a.instance().local().detach(a.connectors);
        time.run(1_000);
        assertThat(a.instance().getTopology().getClusterViews()).hasSize(2);
        time.run(2_000);
        assertThat(a.instance().getTopology().getClusterViews()).hasSize(1);
        assertThat(a.report().problems().toString()).contains("install and start the bundle discovery-connectors");

        new PlainConnectors(a.instance());
        time.run(100);
        assertThat(a.instance().getTopology().getClusterViews()).hasSize(2);
    }

    @Test
    void connectorsThatAreDetachedAreNotCalled() {
        List<List<SharedAnnouncement>> calls = new ArrayList<>();
        LocalInstance.Connectors last = new LocalInstance.Connectors() {
            @Override
            public ConnectorReport report() {
                throw new AssertionError("called");
            }

            @Override
            public void announcementsObserved(List<SharedAnnouncement> announcements) {
                calls.add(announcements);
            }
        };
        a.instance().local().attach(last);
        a.instance().local().detach(last);
        b.store().share(announced("other", "x"));
        time.run(1_000);
        assertThat(calls).containsExactly(List.of());
        assertThat(a.report().connectors()).isEqualTo(ConnectorReport.NONE);
    }

    @Test
    void connectorsThatWereReplacedShareAndShowNothing() {
        PlainConnectors before = a.connectors;
        new PlainConnectors(a.instance());
        time.run(100);
        a.instance().local().share(before, announced("other", "x"));
        a.instance().local().show(before, List.of(remote("third", "y", "y")));
        a.instance().local().detach(before);
        time.run(3_000);
        assertThat(a.instance().getTopology().getClusterViews()).hasSize(1);
        assertThat(b.instance().getTopology().getClusterViews()).hasSize(1);
    }
}
