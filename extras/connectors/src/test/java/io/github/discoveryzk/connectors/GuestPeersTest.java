// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors;

import static io.github.discoveryzk.connectors.wire.Messages.by;
import static io.github.discoveryzk.connectors.wire.Messages.cluster;
import static io.github.discoveryzk.connectors.wire.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.endpoint.Sent;
import io.github.discoveryzk.connectors.trust.AllowList;
import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.junit.jupiter.api.Test;

/** Whatever an allowed peer sends, the cluster that it connects to goes on, and so do its other peers. */
class GuestPeersTest {

    private final VirtualTime time = new VirtualTime();
    private final Map<String, ConnectedInstance> all = new LinkedHashMap<>();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time, "a");
    private final ConnectedInstance a1 = new ConnectedInstance("a1", time, ensemble, all);

    /**
     * Consumes events as Sling's job machinery does: no job runs in CHANGING and in the ten seconds after CHANGED, or after
     * PROPERTIES_CHANGED because of the topics of jobs, which are properties of all instances.
     */
    private final class Jobs implements TopologyEventListener {
        private boolean changing = true;
        private long changedAt;
        private int waiting;
        private int done;

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            switch (event.getType()) {
                case TOPOLOGY_INIT -> changing = false;
                case TOPOLOGY_CHANGING -> changing = true;
                case TOPOLOGY_CHANGED, PROPERTIES_CHANGED -> {
                    changing = false;
                    changedAt = time.now();
                }
            }
        }

        void addOne() {
            waiting++;
            if (!changing && time.now() - changedAt >= 10_000) {
                done += waiting;
                waiting = 0;
            }
        }
    }

    /** Lets peers send what belongs to each second. */
    private Jobs play(int seconds, IntFunction<Sent> peers) {
        assertThat(a1.awaitSettled()).isTrue();
        a1.connect();
        time.run(20_000);
        Jobs jobs = new Jobs();
        a1.instance.addListener(jobs);
        a1.events.clear();
        for (int second = 0; second < seconds; second++) {
            assertThat(a1.handle(peers.apply(second)).status()).isEqualTo(200);
            time.run(1_000);
            jobs.addOne();
        }
        return jobs;
    }

    private long events(TopologyEvent.Type type) {
        return a1.events.stream().filter(each -> each.getType() == type).count();
    }

    private static Sent put(Announcement announcement) {
        return Sent.put(message(announcement));
    }

    private static Sent alternating(int second) {
        return put(by("v1", second % 2 == 0 ? cluster("v", "v1") : cluster("v", "v1", "v2")));
    }

    @Test
    void jobsOfTheLocalClusterRun() {
        assertThat(play(60, GuestPeersTest::alternating).done).isGreaterThanOrEqualTo(50);
        assertThat(a1.instance.getTopology().isCurrent()).isTrue();
    }

    @Test
    void thePeerIsNamedUntilItIsCalm() {
        play(60, GuestPeersTest::alternating);
        assertThat(Health.of(a1.instance.reporter().report()).findings()).anySatisfy(finding -> {
            assertThat(finding.status()).isEqualTo(Health.Severity.WARN);
            assertThat(finding.sentence()).contains("cluster v", "v1", "a1");
        });
        time.run(300_000);
        assertThat(Health.of(a1.instance.reporter().report()).status()).isEqualTo(Health.Severity.OK);
    }

    @Test
    void whatIsNewIsShownWhenTheRestIsOver() {
        play(30, GuestPeersTest::alternating);
        a1.handle(put(by("v1", cluster("v", "v1", "v2", "v3"))));
        assertThat(a1.awaitInstances("a1 v1 v2 v3", 60_000)).isTrue();
    }

    @Test
    void newClustersAllTheTimeAreBoundedToo() {
        Jobs jobs = play(600, second -> put(by("v1", cluster("v" + second, "v1"))));
        assertThat(events(TopologyEvent.Type.TOPOLOGY_CHANGED)).isLessThan(60);
        assertThat(jobs.done).isGreaterThan(500);
    }

    @Test
    void ownersInTurnAreBoundedToo() {
        Jobs jobs = play(600, second -> {
            String owner = "v" + second % 100;
            return put(by(owner, cluster(owner, owner, "w" + second)));
        });
        assertThat(events(TopologyEvent.Type.TOPOLOGY_CHANGED)).isLessThan(60);
        assertThat(jobs.done).isGreaterThan(500);
    }

    private static Sent withProperty(String owner, int second) {
        return put(by(owner, cluster(owner, owner, Map.of("second", "" + second))));
    }

    @Test
    void changesOfPropertiesAreBoundedToo() {
        assertThat(play(60, second -> withProperty("v1", second)).done).isGreaterThanOrEqualTo(50);
        assertThat(events(TopologyEvent.Type.PROPERTIES_CHANGED)).isLessThan(30);
        time.run(20_000);
        assertThat(a1.remote("v1").getProperty("second")).isEqualTo("59");
    }

    @Test
    void changesOfAllKindsAreBoundedTogether() {
        Jobs jobs = play(600, second -> switch (second % 3) {
            case 0 -> withProperty("v1", second);
            case 1 -> alternating(second / 3);
            default -> put(by("w1", cluster("w" + second, "w1")));
        });
        assertThat(events(TopologyEvent.Type.TOPOLOGY_CHANGED) + events(TopologyEvent.Type.PROPERTIES_CHANGED))
                .isLessThan(60);
        assertThat(jobs.done).isGreaterThan(500);
    }

    @Test
    void anotherPeerIsShownImmediately() {
        play(60, GuestPeersTest::alternating);
        List<String> before = List.of(a1.instances().split(" "));
        a1.handle(put(by("w1", cluster("w", "w1"))));
        time.run(1_000);
        assertThat(a1.instances().split(" ")).contains("w1").hasSize(before.size() + 1);
    }

    @Test
    void aPeerAtAnotherAddressDisplacesNoOther() {
        assertThat(a1.awaitSettled()).isTrue();
        ConnectedInstance a2 = new ConnectedInstance("a2", time, ensemble, all);
        assertThat(a2.awaitSettled()).isTrue();
        AllowList everyone = AllowList.of(List.of("0.0.0.0/0"));
        List.of(a1, a2).forEach(each -> each.connect(false, everyone, Optional.empty()));
        time.run(1_000);
        for (int i = 0; i < 20; i++) {
            Sent honest = put(by("v1", cluster("v", "v1", "v2"))).from("192.0.2.1");
            assertThat(a2.handle(honest).status()).isEqualTo(200);
            time.run(2_000);
            for (ConnectedInstance each : List.of(a1, a2)) {
                each.handle(put(by("v2", cluster("v", "v2"))).from("192.0.2.2"));
                each.handle(put(by("0", cluster("0", "0", "v1"))).from("192.0.2.2"));
                each.handle(put(by("0", cluster("0", "0"), by("v1", cluster("0", "v1"))))
                        .from("192.0.2.2"));
            }
            time.run(28_000);
            assertThat(a1.shown()).containsEntry("v", List.of("v1", "v2"));
            assertThat(a2.shown()).containsEntry("v", List.of("v1", "v2"));
        }
    }
}
