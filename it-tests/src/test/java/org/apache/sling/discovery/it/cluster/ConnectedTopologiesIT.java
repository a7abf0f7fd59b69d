// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.leader.LeaderLease;
import org.apache.sling.discovery.commons.report.ConnectorReport.State;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
        List<TopologyEvent> events = instances.get(id).events();
        assertThat(events.stream().map(each -> each.getType().name()).collect(Collectors.joining(" ")))
                .as(id)
                .matches(
                        "TOPOLOGY_INIT( PROPERTIES_CHANGED| TOPOLOGY_CHANGING TOPOLOGY_CHANGED)*( TOPOLOGY_CHANGING)?");
        TopologyView before = null;
        for (TopologyEvent event : events) {
            if (before != null) {
                assertThat(event.getOldView()).isSameAs(before);
            }
            before = event.getNewView() == null ? before : event.getNewView();
        }
    }

    /** Returns the connectors of each case, the one that opens it first. */
    static Stream<String> links() {
        Stream<String> always = Stream.of("a1>b1 b2>c1 c2>a1", "a1>b1 a2>b2");
        return Boolean.getBoolean("discovery.thorough")
                ? Stream.concat(always, Stream.of("a1>b1 b2>c1", "b1>a1 c1>a1 d1>a2", "a1>b1 b1>a1", "a1>b1 b2>a2"))
                : always;
    }

    @ParameterizedTest
    @MethodSource("links")
    void connectedClustersConverge(String links) throws Exception {
        String[] clusters = links.replaceAll("[0-9> ]", "")
                .chars()
                .mapToObj(Character::toString)
                .distinct()
                .toArray(String[]::new);
        String[] ids = Stream.of(clusters)
                .flatMap(cluster -> Stream.of(cluster + "1", cluster + "2"))
                .toArray(String[]::new);
        instances.start(ids);
        for (String id : ids) {
            instances.connect(
                    id,
                    Stream.of(links.split(" "))
                            .filter(link -> link.startsWith(id))
                            .map(link -> link.substring(3))
                            .toArray(String[]::new));
        }
        instances.awaitTree(clusters.length);
        instances.untilAllShow(
                Set.of(ids),
                Stream.of(clusters).map(each -> each + "1," + each + "2").toArray(String[]::new));
        assertQuiet(clusters.length);
    }

    /** Checks that exchanges over connectors cause no event and no write; the leaders renew their leases. */
    private void assertQuiet(int leaders) {
        instances.awaitExchanges(EXCHANGES);
        Map<String, Integer> events = instances.eventCounts();
        instances.forgetAsked();
        instances.awaitExchanges(EXCHANGES);
        assertThat(instances.eventCounts()).isEqualTo(events);
        Map<String, Long> asked = instances.asked();
        assertThat(asked.keySet()).isSubsetOf("multi", "exists", "multiRead");
        assertThat(asked.getOrDefault("multi", 0L)).as("renewals").isLessThanOrEqualTo(leaders);
    }

    @Test
    void theLossOfAnotherClusterIsNoChangeOfTheOwnOne() throws Exception {
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
                () -> instances.connectors("a1").outgoing().get(0).state() == State.FAILING);
        assertThat(types(a1, before)).containsExactly(Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease(a1)).isEqualTo(lease);

        instances.wire("b1").restore();
        instances.untilAllShow(Set.of("a1", "a2", "b1"), "a1,a2", "b1");
        assertThat(types(a1, before + 2)).containsExactly(Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
        assertThat(a1.viewNumber()).isEqualTo(number);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease(a1)).isEqualTo(lease);
        assertThat(heard).doesNotContain(Type.TOPOLOGY_CHANGING);
    }

    private static LeaderLease lease(PlainInstance instance) {
        return LeaderLease.of(instance.discovery().getTopology()).orElseThrow();
    }

    private static List<Type> types(PlainInstance instance, int from) {
        List<TopologyEvent> events = instance.events();
        return events.subList(from, events.size()).stream()
                .map(TopologyEvent::getType)
                .toList();
    }

    @Test
    void clustersOfOneRootSeeOneAnother() throws Exception {
        String[] clusters = {"a", "b", "c"};
        ZooKeeperStoreConfig root =
                ZooKeeperStoreConfig.of(instances.server("root").address());
        for (String cluster : clusters) {
            for (String id : List.of(cluster + "1", cluster + "2")) {
                instances.start(id, root.withClusterName(cluster));
                instances.awaitSettled(id);
            }
        }
        String[] pairs =
                Stream.of(clusters).map(each -> each + "1," + each + "2").toArray(String[]::new);
        instances.untilAllShow(instances.ids(), pairs);

        Map<String, Integer> before = instances.eventCounts();
        instances.start("a3", root.withClusterName("a"));
        pairs[0] = "a1,a2,a3";
        instances.untilAllShow(instances.ids(), pairs);
        assertThat(types(instances.get("b1"), before.get("b1")))
                .containsExactly(Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);

        before = instances.eventCounts();
        instances.get("a3").discovery().addPropertyProvider(name -> "blue", "color");
        for (String id : instances.ids()) {
            awaitThat(
                    id + " shows the property",
                    () -> color(id, "a3").equals("blue") && instances.get(id).hasReceivedItsView());
            assertThat(types(instances.get(id), before.get(id))).as(id).containsExactly(Type.PROPERTIES_CHANGED);
        }

        before = instances.eventCounts();
        instances.stop("a3");
        pairs[0] = "a1,a2";
        instances.untilAllShow(instances.ids(), pairs);
        assertThat(types(instances.get("b1"), before.get("b1")))
                .containsExactly(Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
    }

    private String color(String id, String of) {
        return instances.get(id).discovery().getTopology().getInstances().stream()
                .filter(each -> each.getSlingId().equals(of))
                .map(each -> String.valueOf(each.getProperty("color")))
                .collect(Collectors.joining());
    }

    @Test
    void whatTheRootAndAConnectorShowAppearsOnce() throws Exception {
        ZooKeeperStoreConfig root =
                ZooKeeperStoreConfig.of(instances.server("root").address());
        instances.start("a1", root.withClusterName("a"));
        instances.start("b1", root.withClusterName("b"));
        instances.awaitSettled("a1", "b1");
        instances.start("c1");
        instances.untilAllShow(Set.of("a1", "b1"), "a1", "b1");
        // Cluster c learns of b on two ways, a of b, and b of a.
        instances.connect("a1");
        instances.connect("c1", "a1");
        instances.connect("b1", "c1", "a1");
        instances.untilAllShow(instances.ids(), "a1", "b1", "c1");
        assertQuiet(3);

        instances.disconnect("c1");
        instances.disconnect("b1");
        instances.untilAllShow(Set.of("a1", "b1"), "a1", "b1");
        instances.untilAllShow(Set.of("c1"), "c1");
    }
}
