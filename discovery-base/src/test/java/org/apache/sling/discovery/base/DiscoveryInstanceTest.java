// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.report.State;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How instances find, lose and exclude one another. */
class DiscoveryInstanceTest extends VirtualCluster {

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
        void anInstanceThatLeavesIsRemovedImmediately() {
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
            assertThat(again.report().recent().transitions()).noneMatch(each -> each.state() == State.REFUSED);
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
            started("b");
            assertThat(a.awaitOrder("a", "b")).isTrue();
            time.run(100);
            assertThat(recorder.heard).isEqualTo(1);
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
        void isExcludedByNameAndTheOthersAreSettled() {
            joinWhileOneHangs();

            assertThat(all.get(0).order()).containsExactly("a", "c", "d");
            assertThat(all.get(2).order()).containsExactly("a", "c", "d");
            assertThat(joining.order()).containsExactly("a", "c", "d");
            assertThat(ensemble.view()).hasValueSatisfying(view -> assertThat(Reason.sentence(view.cause()))
                    .contains("d joined")
                    .contains("b (listener " + VirtualInstance.LISTENER + ") excluded"));
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
