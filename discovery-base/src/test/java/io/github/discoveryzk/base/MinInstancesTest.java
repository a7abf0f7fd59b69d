// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.report.State;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Instances that wait for others before their first INIT. */
class MinInstancesTest extends VirtualCluster {

    private static final long LONG = 5 * VirtualInstance.SETTLE_TIMEOUT;

    private VirtualInstance waiting(String id, int members) {
        VirtualInstance instance = instance(id);
        instance.waitFor(members);
        instance.instance().start();
        time.run(LONG);
        return instance;
    }

    private List<VirtualInstance> three() {
        return Stream.of("a", "b", "c").map(id -> waiting(id, 3)).toList();
    }

    @Test
    void instancesThatAreStartedOneAfterTheOtherReceiveOneInit() {
        List<EstablishedView> views = new ArrayList<>();
        ensemble.onPublication(views::add);
        assertThat(three()).allSatisfy(each -> {
            assertThat(each.eventTypes()).containsExactly(TOPOLOGY_INIT);
            assertThat(each.order()).containsExactly("a", "b", "c");
        });
        assertThat(views).as("views, without one for a leader that makes way").hasSize(3);
    }

    @Test
    void untilThenNoViewIsCurrentAndTheReportSaysWhy() {
        VirtualInstance a = waiting("a", 3);
        VirtualInstance b = waiting("b", 3);
        assertThat(List.of(a, b)).allSatisfy(each -> {
            assertThat(each.state()).isEqualTo(State.JOINING);
            assertThat(each.events()).isEmpty();
            assertThat(each.instance().getTopology().isCurrent()).isFalse();
            assertThat(each.report().sentence())
                    .contains(
                            "waiting for more instances before the first INIT: the view has 2 members, minInstances is 3");
        });
    }

    @Test
    void afterwardsAnyNumberIsEnough() {
        List<VirtualInstance> all = three();
        all.get(0).leave();
        all.get(1).kill();
        time.run(LONG);
        VirtualInstance last = all.get(2);
        assertThat(last.order()).containsExactly("c");
        assertThat(last.eventTypes()).startsWith(TOPOLOGY_INIT, TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
        assertThat(last.state()).isEqualTo(State.SETTLED);
    }

    @Test
    void anInstanceThatWaitsDelaysNoOther() {
        VirtualInstance a = waiting("a", 9);
        VirtualInstance b = settled("b");
        VirtualInstance c = settled("c");
        time.run(LONG);
        assertThat(b.order()).containsExactly("a", "b", "c");
        assertThat(b.eventTypes()).containsExactly(TOPOLOGY_INIT, TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
        a.kill();
        assertThat(c.awaitOrder("b", "c")).isTrue();
        assertThat(a.events()).isEmpty();
    }
}
