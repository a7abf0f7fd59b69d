// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.commons.spi.Request;
import org.junit.jupiter.api.Test;

/** The successor may not read the renewals of the leader, and may read everything else. */
class DeniedLeaseProbeTest extends VirtualCluster {

    @Test
    void theNextInOrderStaysSettledAndSaysWhatItMayNotRead() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        VirtualInstance b = all.get(1);
        List<TopologyEvent> before = List.copyOf(b.events());
        b.store().deny(Set.of(Request.ProbeLease.class));
        time.run(100 * VirtualInstance.SESSION_TIMEOUT);

        assertThat(b.order()).containsExactly("a", "b", "c");
        assertThat(b.events()).isEqualTo(before);
        assertThat(b.report().problems()).anyMatch(problem -> problem.contains("to probelease"));
        b.store().deny(Set.of());
        time.run(10 * VirtualInstance.SESSION_TIMEOUT);
        assertThat(b.report().problems()).isEmpty();
    }

    @Test
    void itStillTakesPartInTheSuccession() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        all.get(1).store().deny(Set.of(Request.ProbeLease.class));
        time.run(10 * VirtualInstance.SESSION_TIMEOUT);
        all.get(0).kill();

        assertThat(all.get(2).awaitOrder("b", "c")).isTrue();
        assertThat(all.get(1).awaitOrder("b", "c")).isTrue();
    }
}
