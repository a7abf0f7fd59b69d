// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.TopologyEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All sessions end in an outage, and the instances are back within two seconds, at different moments. */
class RegroupTest extends VirtualCluster {

    private static final int REGROUP = 2_000;
    private static final int SPREAD = 1_800;

    /** Whichever instance is back first. */
    @ParameterizedTest
    @CsvSource({"3, 0", "3, 1", "3, 2", "5, 0", "5, 1", "5, 3"})
    void eachHearsOneChangingAndOneChanged(int size, int first) {
        List<VirtualInstance> all = settled(size, REGROUP);
        outage(all);
        comeBack(all, first);

        assertThat(time.runUntil(
                        () -> all.stream().allMatch(each -> each.order().size() == size), 20_000))
                .isTrue();
        time.run(20_000);
        for (VirtualInstance each : all) {
            assertThat(each.events().subList(before(each), each.events().size()))
                    .extracting(TopologyEvent::getType)
                    .containsExactly(TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
        }
    }

    @Test
    void theWaitIsBoundedAndExplained() {
        List<VirtualInstance> all = settled(3, REGROUP);
        outage(all);
        VirtualInstance a = all.get(0);
        a.store().restore();
        assertThat(time.runUntil(() -> a.report().sentence().contains("waiting for b, c to be announced again"), 1_000))
                .isTrue();
        assertThat(a.report().sentence()).contains("the next view is published in 2 s");
        assertThat(time.runUntil(() -> a.order().size() == 1, REGROUP + 100)).isTrue();
    }

    @Test
    void itEndsAsSoonAsAllAreBack() {
        List<VirtualInstance> all = settled(3, 10 * REGROUP);
        outage(all);
        all.forEach(each -> each.store().restore());

        assertThat(time.runUntil(
                        () -> all.stream().allMatch(each -> each.order().size() == 3), REGROUP))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"join", "crash of one", "all but one stopped", "evictions", "step down"})
    void noOtherChangeWaits(String change) {
        List<VirtualInstance> all = settled(3, 20 * REGROUP);
        VirtualInstance a = all.get(0);
        int size =
                switch (change) {
                    case "join" -> {
                        started("d");
                        yield 4;
                    }
                    case "crash of one" -> {
                        all.get(1).kill();
                        yield 2;
                    }
                    case "all but one stopped" -> {
                        all.get(1).leave();
                        all.get(2).leave();
                        yield 1;
                    }
                    case "evictions" -> {
                        all.subList(1, 3).forEach(VirtualInstance::kill);
                        List.of("b", "c").forEach(a.instance().operator()::evict);
                        yield 1;
                    }
                    default -> {
                        a.instance().operator().stepDown();
                        all.get(1).instance().operator().stepDown();
                        yield 3;
                    }
                };
        assertThat(time.runUntil(
                        () -> a.order().size() == size && a.events().size() > before(a),
                        VirtualInstance.SESSION_TIMEOUT * 2))
                .isTrue();
    }

    private List<VirtualInstance> settled(int size, long regroup) {
        List<String> ids = List.of("a", "b", "c", "d", "e").subList(0, size);
        List<VirtualInstance> all = cluster(ids.toArray(String[]::new));
        all.forEach(each -> each.regroup(regroup));
        time.run(2_000);
        before = new ArrayList<>(all.stream().map(each -> each.events().size()).toList());
        instances = all;
        return all;
    }

    private List<Integer> before = List.of();
    private List<VirtualInstance> instances = List.of();

    private int before(VirtualInstance instance) {
        return before.get(instances.indexOf(instance));
    }

    private void outage(List<VirtualInstance> all) {
        all.forEach(each -> each.store().cut(10));
        time.run(2 * VirtualInstance.SESSION_TIMEOUT);
        assertThat(ensemble.members()).isEmpty();
    }

    /** The instances are back one after the other, beginning with that one. */
    private void comeBack(List<VirtualInstance> all, int first) {
        for (int i = 0; i < all.size(); i++) {
            all.get((first + i) % all.size()).store().restore();
            time.run(SPREAD / (all.size() - 1));
        }
    }
}
