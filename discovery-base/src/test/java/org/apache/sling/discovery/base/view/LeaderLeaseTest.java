// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.SampleViews;
import org.apache.sling.discovery.commons.leader.LeaderLease;
import org.apache.sling.discovery.commons.leader.NotLeaderException;
import org.apache.sling.discovery.commons.model.Member;
import org.junit.jupiter.api.Test;

class LeaderLeaseTest {

    private final AtomicLong clock = new AtomicLong();
    private final Validity validity = new Validity(clock::get, 100);
    private final List<Member> members =
            List.of(SampleViews.member("a", 1, Map.of()), SampleViews.member("b", 2, Map.of()));
    private final TopologyView view = Views.of(held("m-a"), validity);
    private final LeaderLease lease = LeaderLease.of(view).orElseThrow();

    private HeldView held(String self) {
        return SampleViews.held(self, "the-cluster", 50, members);
    }

    @Test
    void onlyTheLeaderHasOne() {
        assertThat(LeaderLease.of(Views.of(held("m-b"), validity))).isEmpty();
    }

    @Test
    void thereIsNoneBeforeTheFirstViewThoughTheInstanceIsShownAsLeader() {
        TopologyView unsettled = Views.unsettled(members.get(0).record(), "some-id");
        assertThat(unsettled.getLocalInstance().isLeader()).isTrue();
        assertThat(LeaderLease.of(unsettled)).isEmpty();
    }

    @Test
    void aViewOfAnotherImplementationHasNone() {
        TopologyView foreign = (TopologyView) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {TopologyView.class}, (proxy, method, arguments) -> null);
        assertThat(LeaderLease.of(foreign)).isEmpty();
        assertThatNullPointerException().isThrownBy(() -> LeaderLease.of(null));
    }

    @Test
    void isHeldUntilItEnds() {
        clock.set(99);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(1));
        lease.check();

        clock.set(100);
        assertThat(lease.isHeld()).isFalse();
        clock.set(Long.MAX_VALUE);
        assertThat(lease.remaining()).isZero();
        assertThat(lease.token()).isEqualTo(SampleViews.TOKEN);
    }

    @Test
    void theExceptionTellsAFormerLeaderToStop() {
        clock.set(100);
        assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(lease::check)
                .satisfies(e -> assertThat(e.token()).isEqualTo(SampleViews.TOKEN))
                .withMessageContaining("token 42")
                .withMessageContaining("stop")
                .withMessageContaining("write nothing");
    }

    @Test
    void neverComesBack() {
        clock.set(100);
        assertThat(lease.remaining()).isZero();
        clock.set(0);
        assertThat(validity.extend(1_000)).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(view.isCurrent()).isFalse();
    }

    @Test
    void outlivesTheViewThatOtherPropertiesHaveReplaced() {
        Validity next = validity.next();
        TopologyView replacing = Views.of(held("m-a"), next);
        validity.supersede("something else");

        assertThat(view.isCurrent()).isFalse();
        assertThat(replacing.isCurrent()).isTrue();
        assertThat(LeaderLease.of(replacing)).contains(lease);
        assertThat(lease.isHeld()).isTrue();

        next.extend(300);
        clock.set(299);
        assertThat(lease.isHeld()).isTrue();
        next.end();
        assertThat(lease.isHeld()).isFalse();
        assertThat(replacing.isCurrent()).isFalse();
    }

    @Test
    void aViewDoesNotComeBackAsItsSuccessor() {
        clock.set(100);
        assertThat(lease.isHeld()).isFalse();
        assertThat(Views.of(held("m-a"), validity.next()).isCurrent()).isFalse();
    }

    @Test
    void afterAChangeThereIsANewLeaseWithTheSameToken() {
        validity.end();
        LeaderLease next = LeaderLease.of(Views.of(held("m-a"), new Validity(clock::get, 100)))
                .orElseThrow();
        assertThat(next).isNotEqualTo(lease);
        assertThat(next.token()).isEqualTo(lease.token());
        assertThat(next.isHeld()).isTrue();
        assertThat(lease.isHeld()).isFalse();
    }
}
