// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.ClosedInstance;
import io.github.discoveryzk.base.dispatch.Deadline;
import io.github.discoveryzk.connectors.endpoint.Sent;
import io.github.discoveryzk.connectors.trust.AllowList;
import io.github.discoveryzk.connectors.trust.SharedKey;
import io.github.discoveryzk.connectors.trust.Trust;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.Messages;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters with connectors between their instances see one another. Each test has a time and stores of its own. */
@Execution(ExecutionMode.CONCURRENT)
class ConnectedInstancesTest {

    private final VirtualTime time = new VirtualTime();
    private final Map<String, MemoryEnsemble> ensembles = new LinkedHashMap<>();
    private final Map<String, ConnectedInstance> all = new LinkedHashMap<>();
    private ConnectedInstance a1;
    private ConnectedInstance b1;

    /** Starts an instance in the cluster that its id begins with. */
    private ConnectedInstance start(String id) {
        MemoryEnsemble ensemble = ensembles.computeIfAbsent(id.substring(0, 1), name -> new MemoryEnsemble(time, name));
        ConnectedInstance started = new ConnectedInstance(id, time, ensemble, all);
        assertThat(started.awaitSettled()).isTrue();
        return started;
    }

    /**
     * Starts instances and waits until all show all.
     *
     * @param links connectors such as {@code a1-b1}; an id alone accepts connectors
     */
    private void connect(String ids, String links, long millis) {
        Stream.of(ids.split(" ")).forEach(this::start);
        a1 = all.get("a1");
        b1 = all.get("b1");
        all.values().stream()
                .filter(each -> links.contains(each.id))
                .forEach(each -> each.connect(Stream.of(links.split(" "))
                        .filter(link -> link.startsWith(each.id + "-"))
                        .map(link -> link.split("-")[1])
                        .toArray(String[]::new)));
        allShow(ids, millis);
    }

    private void connect() {
        connect("a1 b1", "a1-b1", 2_000);
    }

    private void connectPairs() {
        connect("a1 a2 b1 b2", "a1-b1 b2", 2_000);
    }

    private static ConnectorReport.ConnectorState state(ConnectedInstance instance) {
        return instance.connectors.report().outgoing().get(0).state();
    }

    private long connected() {
        return all.values().stream()
                .flatMap(each -> each.connectors.report().outgoing().stream())
                .filter(each -> each.state() == ConnectorReport.ConnectorState.CONNECTED)
                .count();
    }

    private void allShow(String instances, long millis) {
        all.values().forEach(each -> assertThat(each.awaitInstances(instances, millis))
                .as(each.id + " shows " + each.instances() + ": " + each.connectors.report())
                .isTrue());
    }

    private static int changes(ConnectedInstance instance) {
        return (int) instance.events.stream()
                .filter(each -> each.getType() == TopologyEvent.Type.TOPOLOGY_CHANGED)
                .count();
    }

    @Test
    void twoClustersSeeEachOtherInAllTheirMembers() {
        connect("a1 a2 b1 b2", "a1-b1", 2_000);
        ConnectedInstance a2 = all.get("a2");
        assertThat(a2.shown()).containsOnlyKeys("a-0", "b-0").containsEntry("b-0", List.of("b1", "b2"));
        assertThat(a1.connectors.report().outgoing()).singleElement().satisfies(each -> assertThat(each.state())
                .isEqualTo(ConnectorReport.ConnectorState.CONNECTED));
        assertThat(b1.connectors.report().incoming()).singleElement().satisfies(each -> assertThat(each.ownerId())
                .isEqualTo("a1"));
        b1.connectors.offeredAt(Optional.of("/libs/sling/topology"));
        assertThat(b1.connectors.report().endpoint()).contains("/libs/sling/topology");
        assertThat(a2.connectors.report()).isEqualTo(ConnectorReport.NONE);

        time.run(1_000);
        int before = events();
        time.run(3_600_000);
        assertThat(events()).as("nothing changes, so nothing is notified").isEqualTo(before);
        allShow("a1 a2 b1 b2", 0);
    }

    @Test
    void aChangeOfTheClientIsToldImmediately() {
        connect();
        time.run(600_000);
        start("a2");
        assertThat(b1.awaitInstances("a1 a2 b1", 1_000)).isTrue();
    }

    @Test
    void aChangeOfOneSpokeCausesOnePingMoreOfEach() {
        String spokes = "b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 m1 n1 o1 p1 q1 r1 s1 t1 u1 v1 w1 x1 y1 z1";
        connect("a1 " + spokes, spokes.replace("1", "1-a1"), 90_000);
        time.run(60_000);
        int before = events();
        a1.received.clear();

        all.get("b1").instance.addPropertyProvider(name -> "blue", "color");
        time.run(60_000);
        assertThat(events() - before).as("each hears it once").isEqualTo(all.size());
        assertThat(a1.received.size())
                .as("at most two at the interval, and one because of the change")
                .isBetween(2 * 25, 3 * 25);
        // What the hub announces is not announced to the hub, which tells each spoke of all others.
        assertThat(a1.connectors.report().incoming()).hasSize(25).allSatisfy(each -> {
            assertThat(each.traffic().bytesReceived() / each.traffic().requests())
                    .isLessThan(500);
            assertThat(each.traffic().bytesSent() / each.traffic().requests()).isLessThan(25 * 500);
        });
    }

    @Test
    void anUnsettledServerRepliesThatItIsNotAvailable() {
        a1 = start("a1");
        b1 = start("b1");
        b1.connect();
        b1.store.cut(10);
        time.run(4_000);
        a1.connect("b1");
        time.run(1_000);
        assertThat(a1.instances()).isEqualTo("a1");
        ConnectorReport report = a1.connectors.report();
        assertThat(report.outgoing().get(0).state()).isEqualTo(ConnectorReport.ConnectorState.FAILING);
        assertThat(report.outgoing().get(0).sentence()).contains("503");
        b1.store.restore();
        allShow("a1 b1", 40_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a1-b1 b1-c1", "b1-a1 c1-a1", "a1-b1 b1-c1 c1-a1", "a1-c1 c1-b1 b1-a1", "a1-b1 b1-a1 c1-a1"})
    void aChainAStarAndALoopOfThreeClustersConverge(String links) {
        connect("a1 b1 c1", links, 2_000);
        assertConverged("a1 b1 c1", 2);
    }

    private void assertConverged(String instances, int connectors) {
        time.run(400_000);
        int before = events();
        time.run(3_600_000);
        allShow(instances, 0);
        assertThat(events()).isEqualTo(before);
        assertThat(connected()).isEqualTo(connectors);
    }

    private int events() {
        return all.values().stream().mapToInt(each -> each.events.size()).sum();
    }

    @Test
    @Tag("thorough")
    void severalConnectorsBetweenTwoClustersLeaveOneThatWorks() {
        connect("a1 a2 b1 b2", "a1-b1 a2-b2 b1-a2 b2-a1 b2-a2", 400_000);
        assertConverged("a1 a2 b1 b2", 1);
    }

    @Test
    void aStandbyTakesOverWithoutThatTheOtherClusterVanishes() {
        connectPairs();
        ConnectedInstance a2 = all.get("a2");
        a2.connect("b2");
        time.run(100_000);
        assertThat(state(a2)).isEqualTo(ConnectorReport.ConnectorState.STANDBY);
        int before = changes(a2);
        all.get("a1").kill();
        time.run(12_000);
        assertThat(a2.instances()).isEqualTo("a2 b1 b2");
        assertThat(changes(a2)).as("only the local cluster has changed").isEqualTo(before + 1);
        assertThat(state(a2)).isEqualTo(ConnectorReport.ConnectorState.CONNECTED);
        assertThat(all.get("b2").awaitInstances("a2 b1 b2", 60_000))
                .as("when the first owner has missed a ping")
                .isTrue();
        assertThat(all.get("b1").awaitInstances("a2 b1 b2", 1_000)).isTrue();
        time.run(600_000);
        assertThat(a2.instances()).isEqualTo("a2 b1 b2");
        assertThat(all.get("b1").instances()).isEqualTo("a2 b1 b2");
    }

    @Test
    void anInstanceThatStopsInOrderLeavesTimeToTakeOver() {
        connectPairs();
        ConnectedInstance a2 = all.get("a2");
        a2.connect("b2");
        time.run(100_000);
        int before = changes(a2);

        // A container ends the component of the connectors before that of the instance.
        a1.connectors.disconnect();
        time.run(1_500);
        a1.instance.leave();
        time.run(2_000);
        assertThat(a2.instances()).contains("b1 b2");
        a1.kill();
        time.run(12_000);
        assertThat(a2.instances()).isEqualTo("a2 b1 b2");
        assertThat(changes(a2)).as("only the local cluster has changed").isEqualTo(before + 1);
    }

    @Test
    void connectorsEndWhenListenersKnowThatTheInstanceLeaves() {
        connect();
        List<Boolean> connected = new ArrayList<>();
        a1.instance.addListener(event -> {
            if (event.getType() == TopologyEvent.Type.TOPOLOGY_CHANGING) {
                connected.add(a1.connectors.endpoint().isPresent());
            }
        });
        time.run(1_000);
        ClosedInstance.close(
                a1.instance,
                new Deadline(3_000, time::now, (awaited, millis) -> time.runUntil(awaited::isDone, millis)));
        assertThat(connected).containsExactly(true);
        assertThat(b1.awaitInstances("b1", 1_000)).isTrue();
        assertThat(b1.received).endsWith("DELETE");
    }

    @Test
    void aPeerThatDisconnectsIsGone() {
        connect();
        a1.connectors.disconnect();
        assertThat(b1.awaitInstances("b1", 1_000 + Connectors.SHARE_INTERVAL_MILLIS))
                .isTrue();
        assertThat(a1.awaitInstances("a1", 1_000 + InstanceConnectors.LEAVING_MILLIS))
                .isTrue();
        assertThat(a1.connectors.endpoint()).isEmpty();
        assertThat(b1.received).endsWith("DELETE");
        a1.connectors.disconnect();

        a1.connect("b1");
        allShow("a1 b1", 2_000);
        a1.connect();
        assertThat(b1.awaitInstances("b1", 1_000 + Connectors.SHARE_INTERVAL_MILLIS))
                .isTrue();
    }

    @Test
    void aServerThatIsConfiguredAgainKeepsWhatItHeard() {
        connect("a1 b1 b2", "a1-b1", 2_000);
        ConnectedInstance b2 = all.get("b2");
        time.run(1_000);
        int before = events();
        b1.connect(true, AllowList.of(List.of("127.0.0.0/8")), Optional.empty());
        time.run(20_000);
        assertThat(b1.instances()).isEqualTo("a1 b1 b2");
        assertThat(events()).as("nothing vanished and came back").isEqualTo(before);
        assertThat(b1.connectors.report().incoming()).hasSize(1);

        a1.kill();
        assertThat(b2.awaitInstances("b1 b2", 130_000)).as("it still expires").isTrue();
    }

    @Test
    void aServerForgetsWhomItDoesNotAllowAnyMore() {
        connect();
        b1.connect(false, AllowList.of(List.of("192.0.2.1", "*.example.com")), Optional.empty());
        assertThat(b1.awaitInstances("b1", 3_000)).isTrue();

        b1.connect();
        allShow("a1 b1", 300_000);
        SharedKey key = new SharedKey("secret", Duration.ofHours(1));
        b1.connect(false, AllowList.of(List.of("127.0.0.1")), Optional.of(new Trust(key, false)));
        assertThat(b1.awaitInstances("b1", 3_000)).isTrue();
    }

    @Test
    void equalSettingsChangeNothing() {
        connect();
        time.run(1_000);
        int before = events();
        b1.received.clear();
        a1.connect("b1");
        b1.connect();
        time.run(1_000);
        assertThat(b1.received).isEmpty();
        assertThat(events()).isEqualTo(before);
        start("a2");
        assertThat(b1.awaitInstances("a1 a2 b1", 1_000))
                .as("the connectors still listen")
                .isTrue();
    }

    @Test
    void changesOfAPeerAreSharedOnceASecondAtMost() {
        a1 = start("a1");
        b1 = start("b1");
        ConnectedInstance b2 = start("b2");
        b1.connect();
        AtomicInteger value = new AtomicInteger();
        a1.instance.addPropertyProvider(name -> value.toString(), "value");
        a1.connect("b1");
        allShow("a1 b1 b2", 2_000);
        time.run(3_000);
        int before = b2.events.size();
        value.incrementAndGet();
        a1.instance.refreshProperties();
        time.run(300);
        assertThat(b2.events).as("the first change is shared immediately").hasSize(before + 1);
        for (int i = 0; i < 100; i++) {
            value.incrementAndGet();
            a1.instance.refreshProperties();
            time.run(100);
        }
        assertThat(b2.events.size() - before).isBetween(8, 12);
        time.run(1_500);
        assertThat(b2.instance.getTopology().getInstances())
                .filteredOn(each -> each.getSlingId().equals("a1"))
                .singleElement()
                .satisfies(each -> assertThat(each.getProperty("value")).isEqualTo("101"));
    }

    @Test
    void aSignedMessageCountsOnceWhateverIsConfigured() {
        ConnectedInstance b1 = start("b1");
        SharedKey key = new SharedKey("secret", Duration.ofHours(1));
        Optional<Trust> trust = Optional.of(new Trust(key, false));
        String text = new AnnouncementCodec(WireLimits.DEFAULT).write(Messages.message(Messages.single("x")));
        Supplier<Sent> replay = () -> Sent.put("x", text).signed(key, text, time.now());
        b1.connect(false, AllowList.of(List.of()), trust);
        time.run(1_000);
        assertThat(b1.handle(replay.get()).status()).isEqualTo(200);
        assertThat(b1.handle(replay.get()).status()).isEqualTo(404);
        b1.connect(true, AllowList.of(List.of()), trust);
        time.run(5_000);
        assertThat(b1.handle(replay.get()).status()).isEqualTo(404);
    }

    @Test
    void thePortOfTheContainerIsTold() {
        connect();
        ConnectedInstance c1 = start("c1");
        c1.connectors.setHttpPort("8080");
        c1.connect("b1");
        allShow("a1 b1 c1", 32_000);
        assertThat(b1.connectors.report().incoming())
                .extracting(ConnectorReport.Incoming::serverInfo)
                .containsExactly("host-a1:null", "host-c1:8080");
    }
}
