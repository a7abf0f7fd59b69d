// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All sessions end in an outage, and the instances are back within two seconds, at different moments. */
class RegroupTest extends VirtualCluster {

    private static final int REGROUP = 2_000;
    private static final int SPREAD = 1_800;

    /** Whichever instance is back first. */
    @ParameterizedTest
    @CsvSource({"3, 0", "3, 1", "3, 2", "5, 0", "5, 1", "5, 3"})
    void eachHearsOneChangingAndOneChanged(int size, int first) {
        List<VirtualInstance> all =
                cluster(List.of("a", "b", "c", "d", "e").subList(0, size).toArray(String[]::new));
        all.forEach(each -> each.regroup(REGROUP));
        time.run(2_000);
        List<Integer> before = all.stream().map(each -> each.events().size()).toList();
        all.forEach(each -> each.store().cut(10));
        time.run(2 * VirtualInstance.SESSION_TIMEOUT);
        assertThat(ensemble.members()).isEmpty();
        for (int i = 0; i < size; i++) {
            all.get((first + i) % size).store().restore();
            time.run(SPREAD / (size - 1));
        }

        assertThat(time.runUntil(
                        () -> all.stream().allMatch(each -> each.order().size() == size), 20_000))
                .isTrue();
        time.run(20_000);
        IntStream.range(0, size).forEach(i -> assertThat(all.get(i).eventTypes())
                .startsWith(TOPOLOGY_INIT)
                .hasSize(before.get(i) + 2)
                .endsWith(TOPOLOGY_CHANGING, TOPOLOGY_CHANGED));
    }
}
