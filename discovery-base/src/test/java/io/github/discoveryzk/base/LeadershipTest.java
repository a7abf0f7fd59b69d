// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.report.State;
import java.util.Optional;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.junit.jupiter.api.Test;

/** The lease of the leader over the life of its instance. */
class LeadershipTest extends VirtualCluster {

    private final VirtualInstance a = settled("a");
    private final LeaderLease first = lease(a).orElseThrow();

    private static Optional<LeaderLease> lease(VirtualInstance instance) {
        return LeaderLease.of(instance.instance().getTopology());
    }

    @Test
    void aSettledLeaderHoldsItForAsLongAsTheStoreAnswers() {
        time.run(20_000);
        assertThat(first.isHeld()).isTrue();
        assertThat(first.remaining().toMillis()).isBetween(1L, VirtualInstance.SESSION_TIMEOUT * 2L / 3);
        assertThat(first.token())
                .isEqualTo(a.report().view().orElseThrow().established().token());
    }

    @Test
    void aChangeEndsItBeforeTheEvent() {
        a.hang();
        VirtualInstance b = started("b");
        assertThat(a.await(State.CHANGING)).isTrue();
        assertThat(a.eventTypes()).doesNotContain(Type.TOPOLOGY_CHANGING);
        assertThat(first.isHeld()).isFalse();
        assertThat(first.remaining()).isZero();

        a.goOn();
        assertThat(a.awaitOrder("a", "b")).isTrue();
        assertThat(b.awaitOrder("a", "b")).isTrue();
        LeaderLease next = lease(a).orElseThrow();
        assertThat(next).isNotEqualTo(first);
        assertThat(next.token()).isEqualTo(first.token());
        assertThat(first.isHeld()).isFalse();
        assertThat(lease(b)).isEmpty();
    }

    @Test
    void aLeaderThatIsCutOffLosesItAfterAWhile() {
        a.store().cut(0);
        time.run(VirtualInstance.SESSION_TIMEOUT / 3 - 100);
        assertThat(first.isHeld()).as("lasts for a while").isTrue();
        time.run(VirtualInstance.SESSION_TIMEOUT);
        assertThat(first.isHeld()).isFalse();
        a.store().restore();
        assertThat(a.awaitOrder("a")).isTrue();
        assertThat(first.isHeld()).isFalse();
    }
}
