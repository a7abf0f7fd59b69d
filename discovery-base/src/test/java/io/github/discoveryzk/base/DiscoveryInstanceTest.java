// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Reason;
import java.util.List;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Test;

/** How instances find, lose and exclude one another, in the order in which that usually happens. */
class DiscoveryInstanceTest extends VirtualCluster {

    @Test
    void twoInstancesFindEachOther() {
        VirtualInstance a = instance("a");
        a.instance().addPropertyProvider(name -> "red", "color");
        TopologyView before = a.instance().getTopology();
        assertThat(before.isCurrent()).isFalse();
        assertThat(before.getLocalInstance().getSlingId()).isEqualTo("a");

        a.instance().start();
        a.instance().start();
        assertThat(a.awaitOrder("a")).isTrue();
        VirtualInstance b = started("b");
        assertThat(b.awaitOrder("a", "b")).isTrue();
        assertThat(a.awaitOrder("a", "b")).isTrue();
        time.run(100);

        assertThat(ensemble.members()).as("starting twice is starting once").hasSize(2);
        assertThat(a.eventTypes()).containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
        assertThat(b.eventTypes()).containsExactly(Type.TOPOLOGY_INIT);
        InstanceDescription local = b.instance().getTopology().getLocalInstance();
        assertThat(local.isLeader()).isFalse();
        InstanceDescription leader = local.getClusterView().getLeader();
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
    void oneWhoseListenerHangsIsExcludedByNameAndRejoinsWhenItReturns() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        VirtualInstance hung = all.get(1);
        hung.hang();
        VirtualInstance joining = started("d");
        // The settle timeout, and the round trips before and after it.
        time.run(VirtualInstance.SETTLE_TIMEOUT + 300);

        for (VirtualInstance each : List.of(all.get(0), all.get(2), joining)) {
            assertThat(each.order()).containsExactly("a", "c", "d");
        }
        assertThat(ensemble.view()).hasValueSatisfying(view -> assertThat(Reason.sentence(view.cause()))
                .contains("d joined")
                .contains("b (listener " + VirtualInstance.LISTENER + ") excluded"));
        assertThat(hung.order()).isEmpty();
        assertThat(hung.report().sentence()).contains(VirtualInstance.LISTENER);

        int before = all.get(0).events().size();
        time.run(60_000);
        assertThat(all.get(0).events()).as("it disturbs no other meanwhile").hasSize(before);
        hung.goOn();
        for (VirtualInstance each : List.of(all.get(0), all.get(2), joining, hung)) {
            assertThat(each.awaitOrder("a", "c", "d", "b")).isTrue();
        }
        time.run(100);
        assertThat(hung.eventTypes().subList(3, hung.events().size()))
                .containsExactly(Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
    }
}
