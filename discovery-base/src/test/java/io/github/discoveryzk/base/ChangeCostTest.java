// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.discoveryzk.base.protocol.Protocol;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one change costs each instance, in decisions and allocated bytes: counters only, no time. */
class ChangeCostTest extends VirtualCluster {

    private static final int SESSION_TIMEOUT = 30_000;
    private static final SettlingPolicy POLICY = new SettlingPolicy(40_000, 0, 200, SuspendedPolicy.LEASE);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final List<Metered> members = new ArrayList<>();
    private long pids;
    private long requestsBefore;

    @ParameterizedTest
    @ValueSource(ints = {10, 30, 100})
    void aChangeCostsAFewDecisionsAndARequestForEachMember(int size) {
        Cost leave = leave(size);
        reset();
        start();
        for (Cost cost : List.of(leave, cost())) {
            assertThat(cost.coordinator().decisions()).isLessThanOrEqualTo(25);
            assertThat(cost.others().decisions()).isLessThanOrEqualTo(8);
            assertThat(cost.requests()).isLessThanOrEqualTo(size + 10L);
        }
    }

    @Test
    void allocationsGrowNoFasterThanTheCluster() {
        Cost small = new ChangeCostTest().leave(30);
        Cost large = new ChangeCostTest().leave(150);

        assertThat(large.coordinator().bytes())
                .isLessThanOrEqualTo(7 * small.coordinator().bytes());
        assertThat(large.others().bytes())
                .isLessThanOrEqualTo(7 * small.others().bytes());
    }

    private Cost leave(int size) {
        IntStream.range(0, size + 1).forEach(i -> start());
        settle();
        reset();
        members.remove(members.size() / 2).instance.leave();
        return cost();
    }

    private void start() {
        members.add(new Metered(++pids));
        if (members.size() == 1) {
            settle();
        }
    }

    private void settle() {
        assertThat(time.runUntil(() -> members.stream().allMatch(each -> each.shown == members.size()), 60_000))
                .isTrue();
    }

    private void reset() {
        time.run(100);
        members.forEach(each -> each.counters = new Counters(0, 0));
        requestsBefore = ensemble.requests();
    }

    private Cost cost() {
        settle();
        List<Counters> others =
                members.stream().skip(1).map(each -> each.counters).toList();
        return new Cost(
                ensemble.requests() - requestsBefore,
                members.get(0).counters,
                new Counters(median(others, Counters::decisions), median(others, Counters::bytes)));
    }

    private static long median(List<Counters> all, ToLongFunction<Counters> value) {
        return all.stream()
                .mapToLong(value)
                .sorted()
                .skip(all.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    private record Cost(long requests, Counters coordinator, Counters others) {}

    /**
     * What an instance has done.
     *
     * @param decisions how often the protocol was called
     * @param bytes what the decision thread allocated
     */
    private record Counters(long decisions, long bytes) {}

    private final class Metered {

        private final VirtualInstance instance;
        private Counters counters = new Counters(0, 0);
        private int shown;

        Metered(long pid) {
            Protocol counting = (state, facts, policy, now) -> {
                counters = new Counters(counters.decisions() + 1, counters.bytes());
                return Protocol.SETTLING.step(state, facts, policy, now);
            };
            VirtualInstance.Traits traits = new VirtualInstance.Traits(counting, 1, 0, this::metered);
            instance = new VirtualInstance("i-" + pid, pid, time, ensemble, traits);
            instance.follow(POLICY);
            instance.store().renegotiate(SESSION_TIMEOUT);
            instance.instance()
                    .addListener(event -> shown = event.getNewView() == null
                            ? 0
                            : event.getNewView().getInstances().size());
            instance.instance().start();
        }

        private Runnable metered(Runnable task) {
            return () -> {
                long allocated = THREADS.getCurrentThreadAllocatedBytes();
                task.run();
                long bytes = THREADS.getCurrentThreadAllocatedBytes() - allocated;
                counters = new Counters(counters.decisions(), counters.bytes() + bytes);
            };
        }
    }
}
