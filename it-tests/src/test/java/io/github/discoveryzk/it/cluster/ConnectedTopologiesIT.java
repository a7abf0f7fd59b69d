// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.report.ConnectorReport.ConnectorState;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topologies of several clusters, on real servers and with real HTTP, converge and are quiet then. */
class ConnectedTopologiesIT {

    /** Longer than all back-offs. */
    private static final int EXCHANGES = 3;

    @TempDir
    private Path folder;

    private ConnectedInstances instances;

    @BeforeEach
    void prepare() {
        instances = new ConnectedInstances(folder, ConnectedInstances.LONG);
    }

    @AfterEach
    void checkAndStop() {
        try {
            instances.ids().forEach(this::assertGrammar);
        } finally {
            instances.close();
        }
    }

    private void assertGrammar(String id) {
        assertThat(String.join(" ", instances.get(id).types()).replace("TOPOLOGY_", ""))
                .as(id)
                .matches("INIT( PROPERTIES_CHANGED| CHANGING CHANGED)*( CHANGING)?");
        TopologyView before = null;
        for (TopologyEvent event : instances.get(id).events()) {
            assertThat(event.getOldView()).isSameAs(before);
            before = event.getNewView() == null ? before : event.getNewView();
        }
    }

    @Test
    void connectedClustersConverge() throws Exception {
        List<String> clusters = List.of("a", "b", "c");
        instances.start("a1", "a2", "b1", "b2", "c1", "c2");
        for (String id : List.of("a2", "b1", "c1")) {
            instances.connect(id);
        }
        instances.connect("a1", "b1");
        instances.connect("b2", "c1");
        instances.connect("c2", "a1");
        instances.awaitTree(clusters.size());
        instances.untilAllShow(instances.ids(), pairs(clusters));
        assertQuiet(clusters.size());
    }

    private static String[] pairs(List<String> clusters) {
        return clusters.stream().map(each -> each + "1," + each + "2").toArray(String[]::new);
    }

    /** Checks that exchanges over connectors cause no event and no write; the leaders renew their leases. */
    private void assertQuiet(int leaders) {
        // A loop that is found late is ended late.
        untilAsserted(() -> {
            Map<PlainInstance, Integer> marks = instances.marks();
            instances.forgetAsked();
            instances.awaitExchanges(EXCHANGES);
            Instances.assertSince(marks);
            Map<String, Long> asked = instances.asked();
            assertThat(asked.keySet()).isSubsetOf("multi", "exists", "multiRead");
            assertThat(asked.getOrDefault("multi", 0L)).as("renewals").isLessThanOrEqualTo(leaders);
        });
    }

    @Test
    void theLossOfAnotherClusterIsNoChangeOfTheLocalOne() throws Exception {
        instances = new ConnectedInstances(folder, Duration.ofSeconds(4));
        instances.start("a1", "a2", "b1");
        instances.connect("b1");
        instances.connect("a1", "b1");
        instances.untilAllShow(Set.of("a1", "a2", "b1"), "a1,a2", "b1");
        PlainInstance a1 = instances.get("a1");
        List<Type> heard = new CopyOnWriteArrayList<>();
        a1.discovery().addOwnClusterListener(event -> heard.add(event.getType()), () -> "own cluster");
        awaitThat("INIT", () -> heard.equals(List.of(Type.TOPOLOGY_INIT)));
        LeaderLease lease = lease(a1);
        long number = a1.viewNumber();
        int before = a1.events().size();
        instances.wire("b1").loseAll();
        instances.untilAllShow(Set.of("a1", "a2"), "a1,a2");
        instances.untilAllShow(Set.of("b1"), "b1");
        awaitThat(
                "the connector fails",
                () -> instances.connectors("a1").outgoing().get(0).state() == ConnectorState.FAILING);
        instances.wire("b1").restore();
        instances.untilAllShow(Set.of("a1", "a2", "b1"), "a1,a2", "b1");
        assertThat(a1.types(before))
                .containsExactly("TOPOLOGY_CHANGING", "TOPOLOGY_CHANGED", "TOPOLOGY_CHANGING", "TOPOLOGY_CHANGED");
        assertThat(a1.viewNumber()).isEqualTo(number);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease(a1)).isEqualTo(lease);
        assertThat(heard).doesNotContain(Type.TOPOLOGY_CHANGING);
    }

    private static LeaderLease lease(PlainInstance instance) {
        return LeaderLease.of(instance.discovery().getTopology()).orElseThrow();
    }

    @Test
    void clustersOfOneRootSeeOneAnother() throws Exception {
        List<String> clusters = List.of("a", "b", "c");
        ZooKeeperStoreConfig root = instances.config("root");
        for (String cluster : clusters) {
            for (String id : List.of(cluster + "1", cluster + "2")) {
                instances.start(id, root.withClusterName(cluster));
                instances.awaitSettled(id);
            }
        }
        instances.untilAllShow(instances.ids(), pairs(clusters));
        PlainInstance other = instances.get("b1");
        int before = other.events().size();
        instances.start("a3", root.withClusterName("a"));
        instances.untilAllShow(instances.ids(), "a1,a2,a3", "b1,b2", "c1,c2");
        assertThat(other.types(before)).containsExactly("TOPOLOGY_CHANGING", "TOPOLOGY_CHANGED");
        Map<PlainInstance, Integer> marks = instances.marks();
        instances.get("a3").offer("color", "blue");
        awaitThat("all show the property", () -> marks.keySet().stream()
                .allMatch(each -> each.properties("a3").containsKey("color") && each.hasReceivedItsView()));
        Instances.assertSince(marks, Type.PROPERTIES_CHANGED);
        before = other.events().size();
        instances.stop("a3");
        instances.untilAllShow(instances.ids(), pairs(clusters));
        assertThat(other.types(before)).containsExactly("TOPOLOGY_CHANGING", "TOPOLOGY_CHANGED");
    }

    @Test
    void whatTheRootAndAConnectorShowAppearsOnce() throws Exception {
        ZooKeeperStoreConfig root = instances.config("root");
        instances.start("a1", root.withClusterName("a"));
        instances.start("b1", root.withClusterName("b"));
        instances.awaitSettled("a1", "b1");
        instances.start("c1");
        instances.untilAllShow(Set.of("a1", "b1"), "a1", "b1");
        // Cluster c learns of b on two paths, a of b, and b of a.
        instances.connect("a1");
        instances.connect("c1", "a1");
        instances.connect("b1", "c1", "a1");
        instances.untilAllShow(instances.ids(), "a1", "b1", "c1");
        assertQuiet(3);
        instances.get("c1").connectors().disconnect();
        instances.get("b1").connectors().disconnect();
        instances.untilAllShow(Set.of("a1", "b1"), "a1", "b1");
        instances.untilAllShow(Set.of("c1"), "c1");
    }
}
