// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.discoveryzk.base.protocol.SampleViews;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.leader.NotLeaderException;
import io.github.discoveryzk.model.Member;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Test;

/** How long a view is current, and how long its leader has the lease of the leadership. */
class LeaseTest {

    private final AtomicLong clock = new AtomicLong();
    private final Lease lease = new Lease(clock::get, 100);
    private final ImmutableTopologyView view = view("m-a", "red", lease);
    private final LeaderLease leadership = LeaderLease.of(view).orElseThrow();

    private static ImmutableTopologyView view(String self, String color, Lease lease) {
        List<Member> members =
                List.of(SampleViews.member("a", 1, Map.of("color", color)), SampleViews.member("b", 2, Map.of()));
        return ImmutableTopologyView.of(SampleViews.held(self, "the-cluster", 50, members), RemoteClusters.NONE, lease);
    }

    private static ImmutableTopologyView replaced(ImmutableTopologyView old, ImmutableTopologyView next) {
        old.supersede(next);
        return next;
    }

    @Test
    void endsForGoodThoughTheClockGoesBack() {
        clock.set(99);
        assertThat(view.isCurrent()).isTrue();
        assertThat(leadership.isHeld()).isTrue();
        assertThat(leadership.remaining()).isEqualTo(Duration.ofMillis(1));
        leadership.check();
        for (long time : new long[] {100, Long.MAX_VALUE, 0}) {
            clock.set(time);
            assertThat(view.isCurrent()).isFalse();
            assertThat(leadership.isHeld()).isFalse();
            assertThat(leadership.remaining()).isZero();
        }
        assertThat(lease.extend(1_000)).isFalse();
        assertThat(view("m-a", "red", lease).isCurrent())
                .as("nor in another view")
                .isFalse();
        assertThat(Lease.none().extend(Long.MAX_VALUE)).isFalse();
        assertThat(view("m-a", "red", Lease.none()).isCurrent()).isFalse();
    }

    @Test
    void isExtendedInTime() {
        assertThat(lease.extend(200)).isTrue();
        assertThat(lease.extend(50)).as("an earlier end changes nothing").isTrue();
        clock.set(199);
        assertThat(view.isCurrent()).isTrue();
        clock.set(200);
        assertThat(lease.extend(300)).isFalse();
        assertThat(view.isCurrent()).isFalse();
    }

    /** A renewal arrives just when a query has found the lease over: its result and all later answers agree. */
    @Test
    void aQuestionAndARenewalThatMeetAgree() {
        AtomicBoolean armed = new AtomicBoolean(true);
        Lease[] holder = new Lease[1];
        boolean[] extended = new boolean[1];
        LongSupplier tricky = () -> {
            if (armed.getAndSet(false)) {
                extended[0] = holder[0].extend(300);
                return 150;
            }
            return 99;
        };
        holder[0] = new Lease(tricky, 100);

        boolean held = holder[0].isHeld();
        assertThat(extended[0]).isTrue();
        assertThat(held)
                .as("the renewal was accepted, so the answer must not be no")
                .isTrue();
        assertThat(holder[0].isHeld()).isTrue();
    }

    @Test
    void whatIsShownAgainIsCurrentAgainWhileTheLeaseLasts() {
        ImmutableTopologyView blue = replaced(view, view("m-a", "blue", lease));
        assertThat(view.isCurrent()).isFalse();
        assertThat(blue.isCurrent()).isTrue();
        ImmutableTopologyView red = view("m-a", "red", lease);
        assertThat(red.isCurrent()).as("before it is the latest view").isTrue();
        replaced(blue, red);
        assertThat(List.of(view.isCurrent(), blue.isCurrent(), red.isCurrent())).containsExactly(true, false, true);

        clock.set(100);
        assertThat(view.isCurrent()).isFalse();
        clock.set(0);
        assertThat(view.isCurrent()).as("the end of the lease is final").isFalse();
    }

    @Test
    void ofTheLeaderOutlivesTheViewThatOtherPropertiesHaveReplaced() {
        ImmutableTopologyView blue = replaced(view, view("m-a", "blue", lease));
        assertThat(LeaderLease.of(blue)).contains(leadership);
        lease.extend(300);
        clock.set(299);
        assertThat(leadership.isHeld()).isTrue();
        lease.end();
        assertThat(leadership.isHeld()).isFalse();
        assertThat(blue.isCurrent()).isFalse();
    }

    @Test
    void ofTheLeaderIsANewOneWithTheSameTokenAfterAChange() {
        lease.end();
        LeaderLease next = LeaderLease.of(replaced(view, view("m-a", "red", new Lease(clock::get, 100))))
                .orElseThrow();
        assertThat(next).isNotEqualTo(leadership);
        assertThat(next.token()).isEqualTo(leadership.token()).isEqualTo(SampleViews.TOKEN);
        assertThat(next.isHeld()).isTrue();
        assertThat(view.isCurrent()).as("though it shows the same").isFalse();
    }

    @Test
    void onlyTheLeaderOfASettledViewHasOne() {
        assertThat(LeaderLease.of(view("m-b", "red", lease))).isEmpty();
        TopologyView unsettled = ImmutableTopologyView.unsettled(SampleViews.record("a", Map.of()), "some-id");
        assertThat(unsettled.getLocalInstance().isLeader()).isTrue();
        assertThat(LeaderLease.of(unsettled)).isEmpty();
        TopologyView foreign = (TopologyView) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {TopologyView.class}, (proxy, method, arguments) -> null);
        assertThat(LeaderLease.of(foreign)).isEmpty();
        assertThatNullPointerException().isThrownBy(() -> LeaderLease.of(null));
    }

    @Test
    void theExceptionTellsAFormerLeaderToStop() {
        clock.set(100);
        assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(leadership::check)
                .satisfies(e -> assertThat(e.token()).isEqualTo(SampleViews.TOKEN))
                .withMessageContaining("token 42")
                .withMessageContaining("stop")
                .withMessageContaining("write nothing");
    }
}
