// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.testing.memory.MemoryEnsemble;
import org.apache.sling.discovery.testing.time.VirtualTime;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Instances in plain Java, on a store in memory and on virtual time. */
class DiscoveryInstanceTest {

    private final VirtualTime time = new VirtualTime();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time);
    private long pids;

    private VirtualInstance instance(String id) {
        return new VirtualInstance(id, ++pids, time, ensemble);
    }

    private VirtualInstance started(String id) {
        VirtualInstance instance = instance(id);
        instance.instance().start();
        return instance;
    }

    /** Starts instances one after the other and returns when all are in one view. */
    private List<VirtualInstance> cluster(String... ids) {
        List<VirtualInstance> all = List.of(ids).stream()
                .map(id -> {
                    VirtualInstance each = started(id);
                    assertThat(each.await(State.SETTLED)).isTrue();
                    return each;
                })
                .toList();
        all.forEach(each -> assertThat(each.awaitOrder(ids)).isTrue());
        return all;
    }

    @Nested
    class Membership {

        @Test
        void twoInstancesFindEachOther() {
            VirtualInstance a = instance("a");
            a.instance().addPropertyProvider(name -> "red", "color");
            TopologyView before = a.instance().getTopology();
            assertThat(before.isCurrent()).isFalse();
            assertThat(before.getLocalInstance().getSlingId()).isEqualTo("a");

            a.instance().start();
            assertThat(a.awaitOrder("a")).isTrue();
            VirtualInstance b = started("b");
            assertThat(b.awaitOrder("a", "b")).isTrue();
            assertThat(a.awaitOrder("a", "b")).isTrue();
            time.run(100);

            assertThat(a.eventTypes())
                    .containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
            assertThat(b.eventTypes()).containsExactly(Type.TOPOLOGY_INIT);
            TopologyView view = b.instance().getTopology();
            assertThat(view.getLocalInstance().isLeader()).isFalse();
            InstanceDescription leader =
                    view.getLocalInstance().getClusterView().getLeader();
            assertThat(leader.getSlingId()).isEqualTo("a");
            assertThat(leader.getProperty("color")).isEqualTo("red");
        }

        @Test
        void anInstanceThatLeavesIsRemovedAtOnce() {
            List<VirtualInstance> all = cluster("a", "b", "c");
            all.get(0).leave();
            time.run(500);

            assertThat(all.get(0).eventTypes()).endsWith(Type.TOPOLOGY_CHANGING);
            assertThat(all.get(0).order()).isEmpty();
            assertThat(all.get(1).order()).containsExactly("b", "c");
            assertThat(all.get(2).order()).containsExactly("b", "c");
        }

        @Test
        void aCrashedInstanceIsRemovedAfterItsSessionTimeout() {
            List<VirtualInstance> all = cluster("a", "b", "c");
            all.get(0).kill();
            time.run(VirtualInstance.SESSION_TIMEOUT + 500);

            assertThat(all.get(1).order()).containsExactly("b", "c");
        }

        @Test
        void anInstanceThatRejoinsIsNotADuplicate() {
            List<VirtualInstance> all = cluster("a", "b");
            all.get(0).leave();
            VirtualInstance again = started("a");

            assertThat(again.awaitOrder("b", "a")).isTrue();
            assertThat(again.report().recent().transitions()).noneMatch(each -> each.to() == State.REFUSED);
        }

        @Test
        void aListenerIsAddedOnceAndReceivesNothingAfterItsRemoval() {
            VirtualInstance a = cluster("a").get(0);
            assertThat(a.report().listeners()).hasSize(1);
            Recorder recorder = new Recorder();
            a.instance().addListener(recorder);
            a.instance().addListener(recorder);
            time.run(100);
            assertThat(recorder.heard).isEqualTo(1);
            assertThat(a.report().listeners())
                    .extracting(TopologyReport.Listener::name)
                    .containsExactly(VirtualInstance.LISTENER, Recorder.class.getName());

            a.instance().removeListener(recorder);
            cluster2(a);
            assertThat(recorder.heard).isEqualTo(1);
        }

        private void cluster2(VirtualInstance a) {
            started("b");
            assertThat(a.awaitOrder("a", "b")).isTrue();
            time.run(100);
        }

        @Test
        void startingTwiceIsStartingOnce() {
            VirtualInstance a = started("a");
            a.instance().start();
            time.run(5_000);

            assertThat(ensemble.members()).hasSize(1);
            assertThat(a.order()).containsExactly("a");
        }
    }

    @Nested
    class Properties {

        private final Map<String, String> values = new HashMap<>(Map.of("color", "red"));
        private final PropertyProvider provider = values::get;

        @Test
        void areThereWhenTheInstanceIs() {
            VirtualInstance a = instance("a");
            a.instance().addPropertyProvider(provider, "color");
            a.instance().start();
            assertThat(a.awaitOrder("a")).isTrue();
            time.run(100);

            assertThat(a.eventTypes()).containsExactly(Type.TOPOLOGY_INIT);
            assertThat(color(a)).isEqualTo("red");
        }

        @Test
        void aProviderThatHangsDelaysTheStartByASecondAtMost() {
            VirtualInstance a = instance("a");
            a.hang();
            a.instance().addPropertyProvider(provider, "color");
            a.instance().start();
            time.run(900);
            assertThat(ensemble.members()).isEmpty();

            time.run(600);
            assertThat(a.order()).containsExactly("a");
        }

        @Test
        void oneThatDisappearsIsGoneEverywhere() {
            List<VirtualInstance> all = cluster("a", "b");
            all.get(0).instance().addPropertyProvider(provider, "color");
            time.run(200);
            assertThat(all).allSatisfy(each -> assertThat(color(each)).isEqualTo("red"));

            values.clear();
            all.get(0).instance().refreshProperties();
            time.run(200);
            assertThat(all).allSatisfy(each -> {
                assertThat(color(each)).isNull();
                assertThat(each.eventTypes()).endsWith(Type.PROPERTIES_CHANGED, Type.PROPERTIES_CHANGED);
                assertThat(each.report().recent().events().get(0).details()).isEqualTo("a: color removed");
            });
        }

        @Test
        void goWithTheirProvider() {
            List<VirtualInstance> all = cluster("a", "b");
            all.get(0).instance().addPropertyProvider(provider, "color");
            time.run(200);
            all.get(0).instance().removePropertyProvider(provider);
            time.run(200);

            assertThat(all).allSatisfy(each -> assertThat(color(each)).isNull());
        }

        @Test
        void equalOnesAreNoEvent() {
            List<VirtualInstance> all = cluster("a", "b");
            all.get(0).instance().addPropertyProvider(provider, "color");
            time.run(200);
            int before = all.get(1).events().size();
            all.get(0).instance().refreshProperties();
            all.get(0).instance().addPropertyProvider(provider, "color");
            time.run(200);

            assertThat(all.get(1).events()).hasSize(before);
        }

        @Test
        void thatChangeWithoutAnUpdateAreSeenAfterTheInterval() {
            List<VirtualInstance> all = cluster("a", "b");
            DiscoveryInstance a = all.get(0).instance();
            a.addPropertyProvider(provider, "color");
            time.run(100);
            a.refreshPropertiesEvery(Duration.ofSeconds(30));
            for (String color : List.of("blue", "green")) {
                values.put("color", color);
                time.run(29_000);
                assertThat(color(all.get(1))).isNotEqualTo(color);
                time.run(2_000);
                assertThat(all).allSatisfy(each -> assertThat(color(each)).isEqualTo(color));
                time.run(29_000);
            }
        }

        @Test
        void areReadAtTheLastInterval() {
            List<String> asked = new ArrayList<>();
            DiscoveryInstance a = cluster("a").get(0).instance();
            a.addPropertyProvider(
                    name -> {
                        asked.add(name);
                        return "red";
                    },
                    "color");
            time.run(100_000);
            assertThat(asked).as("without an interval").hasSize(1);
            a.refreshPropertiesEvery(Duration.ofSeconds(10));
            a.refreshPropertiesEvery(Duration.ofSeconds(30));
            time.run(100_000);
            assertThat(asked).hasSize(4);
            a.refreshPropertiesEvery(Duration.ZERO);
            time.run(100_000);
            assertThat(asked).hasSize(4);
        }

        @Test
        void equalAnswersCostNothing() {
            List<VirtualInstance> all = cluster("a", "b");
            DiscoveryInstance a = all.get(0).instance();
            a.addPropertyProvider(provider, "color");
            a.refreshPropertiesEvery(Duration.ofSeconds(1));
            time.run(1_000);
            List<Member> before = ensemble.members();
            TopologyView view = a.getTopology();
            int events = all.get(1).events().size();
            long revision = all.get(0).report().revision();
            time.run(100_000);

            assertThat(ensemble.members()).isEqualTo(before);
            assertThat(a.getTopology()).isSameAs(view);
            assertThat(all.get(1).events()).hasSize(events);
            assertThat(all.get(0).report().revision()).isEqualTo(revision);
        }

        @Test
        void ofAHangingProviderAreNotReadRepeatedly() {
            List<String> asked = new ArrayList<>();
            VirtualInstance a = cluster("a").get(0);
            a.instance()
                    .addPropertyProvider(
                            name -> {
                                asked.add(name);
                                return "red";
                            },
                            "color");
            time.run(100);
            a.instance().refreshPropertiesEvery(Duration.ofSeconds(30));
            a.hang();
            time.run(1_000_000);
            a.goOn();
            time.run(100);

            assertThat(asked).as("first, while it hung, and at most once more").hasSizeBetween(2, 3);
        }

        @Test
        void areNotReadAfterTheEnd() {
            List<String> asked = new ArrayList<>();
            VirtualInstance a = cluster("a").get(0);
            a.instance()
                    .addPropertyProvider(
                            name -> {
                                asked.add(name);
                                return "red";
                            },
                            "color");
            a.instance().refreshPropertiesEvery(Duration.ofSeconds(30));
            a.leave();
            time.run(100_000);

            assertThat(asked).hasSize(1);
        }

        @Test
        void aProblemIsReported() {
            VirtualInstance a = cluster("a").get(0);
            a.instance().addPropertyProvider(provider, "not legal");
            time.run(200);

            assertThat(a.report().problems()).singleElement().asString().contains("not legal");
        }

        private String color(VirtualInstance seenBy) {
            return seenBy.instance().getTopology().getLocalInstance().getClusterView().getInstances().stream()
                    .filter(each -> each.getSlingId().equals("a"))
                    .findFirst()
                    .orElseThrow()
                    .getProperty("color");
        }
    }

    @Nested
    class Report {

        @Test
        void connecting() {
            VirtualInstance a = instance("a");
            a.store().cut(0);
            a.instance().start();
            time.run(10_000);

            assertThat(a.state()).isEqualTo(State.CONNECTING);
            assertThat(a.report().sentence()).contains("no usable connection");
            assertThat(a.report().view()).isEmpty();
            assertThat(a.report().clusters()).isEmpty();
            assertThat(a.report().localInstanceId()).isEqualTo("a");
        }

        @Test
        void joining() {
            VirtualInstance a = cluster("a").get(0);
            a.hang();
            VirtualInstance b = started("b");
            assertThat(b.await(State.JOINING)).isTrue();
            assertThat(a.await(State.CHANGING)).isTrue();

            assertThat(b.report().view()).isEmpty();
            assertThat(b.report().sentence()).isNotEmpty();
            assertThat(a.report().outsiders()).singleElement().satisfies(outsider -> {
                assertThat(outsider.id()).isEqualTo("b");
                assertThat(outsider.reason()).contains("waits to be admitted to the next view");
            });
        }

        @Test
        void settled() {
            List<VirtualInstance> all = cluster("a", "b");
            TopologyReport report = all.get(1).report();

            assertThat(report.state()).isEqualTo(State.SETTLED);
            assertThat(report.sentence()).contains("2 instances", "leader a");
            assertThat(report.view()).hasValueSatisfying(view -> {
                assertThat(view.current()).isTrue();
                assertThat(view.leaderId()).isEqualTo("a");
                assertThat(view.token()).isLessThan(view.number());
                assertThat(view.cause()).isEqualTo("b joined");
            });
            assertThat(report.clusters()).singleElement().satisfies(cluster -> {
                assertThat(cluster.instances())
                        .extracting(TopologyReport.Instance::id)
                        .containsExactly("a", "b");
                assertThat(cluster.instances())
                        .extracting(TopologyReport.Instance::local)
                        .containsExactly(false, true);
                assertThat(cluster.instances().get(0).pid()).isEqualTo(1);
            });
            assertThat(report.outsiders()).isEmpty();
            assertThat(report.problems()).isEmpty();
        }

        @Test
        void changing() {
            List<VirtualInstance> all = cluster("a", "b");
            all.get(0).hang();
            all.get(1).leave();
            assertThat(all.get(0).await(State.CHANGING)).isTrue();
            time.run(200);
            TopologyReport report = all.get(0).report();

            assertThat(report.sentence()).contains("waiting for listener " + VirtualInstance.LISTENER);
            assertThat(report.view())
                    .hasValueSatisfying(view -> assertThat(view.current()).isFalse());
            assertThat(report.listeners()).singleElement().satisfies(listener -> {
                assertThat(listener.pending()).isPositive();
                assertThat(listener.busyMillis()).isPositive();
            });
        }

        @Test
        void suspendedAndThenCutOff() {
            VirtualInstance a = cluster("a").get(0);
            a.store().cut(0);
            assertThat(a.await(State.SUSPENDED)).isTrue();
            assertThat(a.report().sentence()).contains("current until its lease ends");
            assertThat(a.order()).containsExactly("a");

            assertThat(a.await(State.CUT_OFF)).isTrue();
            assertThat(a.order()).isEmpty();
            time.run(100_000);
            assertThat(a.state()).isEqualTo(State.CUT_OFF);
            assertThat(a.eventTypes()).endsWith(Type.TOPOLOGY_CHANGING);

            a.store().restore();
            assertThat(a.await(State.SETTLED)).isTrue();
            assertThat(a.report().recent().transitions())
                    .extracting(TopologyReport.Transition::to)
                    .contains(State.SUSPENDED, State.CUT_OFF)
                    .startsWith(State.SETTLED);
        }

        @Test
        void refused() {
            VirtualInstance holder = cluster("a", "b").get(0);
            VirtualInstance clone = started("a");
            assertThat(clone.await(State.REFUSED)).isTrue();
            time.run(10_000);

            assertThat(clone.state()).isEqualTo(State.REFUSED);
            assertThat(clone.report().sentence()).contains("instance id a", "process 1", "host-1", "/home/1");
            assertThat(clone.events()).isEmpty();
            assertThat(holder.report().outsiders()).singleElement().satisfies(outsider -> {
                assertThat(outsider.id()).isEqualTo("a");
                assertThat(outsider.pid()).isEqualTo(3);
                assertThat(outsider.home()).isEqualTo("/home/3");
                assertThat(outsider.reason()).contains("refused", "process 1", "host-1");
            });
            assertThat(holder.order()).containsExactly("a", "b");

            holder.leave();
            assertThat(clone.awaitOrder("b", "a")).isTrue();
        }

        @Test
        void aRefusedInstanceSeesTheMembersAsMembers() {
            cluster("a", "b");
            VirtualInstance clone = started("a");
            assertThat(clone.await(State.REFUSED)).isTrue();
            time.run(100);

            assertThat(clone.report().outsiders())
                    .filteredOn(outsider -> outsider.pid() < 3)
                    .hasSize(2)
                    .allMatch(outsider -> outsider.reason().contains("is a member of view"));
        }

        @Test
        void stopped() {
            VirtualInstance a = cluster("a").get(0);
            a.leave();
            time.run(100);

            assertThat(a.state()).isEqualTo(State.STOPPED);
            assertThat(a.report().recent().transitions())
                    .extracting(TopologyReport.Transition::to)
                    .startsWith(State.STOPPED, State.CHANGING, State.SETTLED);
        }
    }

    @Nested
    class AListenerThatHangs {

        private final List<VirtualInstance> all = cluster("a", "b", "c");
        private final VirtualInstance hung = all.get(1);
        private VirtualInstance joining;

        private void joinWhileOneHangs() {
            hung.hang();
            joining = started("d");
            // The settle timeout, and the round trips before and after it.
            time.run(VirtualInstance.SETTLE_TIMEOUT + 300);
        }

        @Test
        void isLeftOutByNameAndTheOthersAreSettled() {
            joinWhileOneHangs();

            assertThat(all.get(0).order()).containsExactly("a", "c", "d");
            assertThat(all.get(2).order()).containsExactly("a", "c", "d");
            assertThat(joining.order()).containsExactly("a", "c", "d");
            assertThat(ensemble.view()).hasValueSatisfying(view -> assertThat(view.cause())
                    .contains("d joined")
                    .contains("b (listener " + VirtualInstance.LISTENER + ") left out"));
            assertThat(hung.order()).isEmpty();
            assertThat(hung.report().sentence()).contains(VirtualInstance.LISTENER);
        }

        @Test
        void disturbsNoOtherUntilItReturnsAndThenRejoinsAtTheEnd() {
            joinWhileOneHangs();
            int before = all.get(0).events().size();
            time.run(60_000);
            assertThat(all.get(0).events()).hasSize(before);

            hung.goOn();
            for (VirtualInstance each : List.of(all.get(0), all.get(2), joining, hung)) {
                assertThat(each.awaitOrder("a", "c", "d", "b")).isTrue();
            }
            time.run(100);
            assertThat(hung.eventTypes())
                    .containsExactly(
                            Type.TOPOLOGY_INIT,
                            Type.TOPOLOGY_CHANGING,
                            Type.TOPOLOGY_CHANGED,
                            Type.TOPOLOGY_CHANGING,
                            Type.TOPOLOGY_CHANGED);
        }

        @Test
        void ofTheLeaderCostsItTheLead() {
            VirtualInstance leader = all.get(0);
            leader.hang();
            joining = started("d");
            assertThat(hung.awaitOrder("b", "c", "d")).isTrue();
            assertThat(leader.order()).isEmpty();

            leader.goOn();
            assertThat(leader.awaitOrder("b", "c", "d", "a")).isTrue();
        }
    }

    private static final class Recorder implements TopologyEventListener {

        private int heard;

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            heard++;
        }
    }
}
