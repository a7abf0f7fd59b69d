// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one change costs each instance, in decisions and allocated bytes: counters only, no time. */
class ChangeCostTest extends VirtualCluster {

    private static final long LIMIT_MILLIS = 60_000;

    private final List<MeteredInstance> members = new ArrayList<>();
    private long pids;
    private long requestsBefore;

    @ParameterizedTest
    @ValueSource(ints = {10, 30, 100})
    void aChangeCostsAFewDecisionsAndARequestForEachMember(int size) {
        Cost leave = leave(size);
        Cost join = join(size);

        assertThat(leave.coordinator().decisions()).isLessThanOrEqualTo(25);
        assertThat(join.coordinator().decisions()).isLessThanOrEqualTo(25);
        assertThat(leave.others().decisions()).isLessThanOrEqualTo(8);
        assertThat(join.others().decisions()).isLessThanOrEqualTo(8);
        assertThat(leave.requests()).isLessThanOrEqualTo(size + 10L);
        assertThat(join.requests()).isLessThanOrEqualTo(size + 10L);
    }

    @Test
    void allocationsGrowNoFasterThanTheCluster() {
        Cost small = new ChangeCostTest().leave(30);
        Cost large = new ChangeCostTest().leave(240);

        assertThat(large.coordinator().bytes())
                .isLessThanOrEqualTo(12 * small.coordinator().bytes());
        assertThat(large.others().bytes())
                .isLessThanOrEqualTo(12 * small.others().bytes());
    }

    /** Prints the table for documentation; takes the sizes as arguments. */
    public static void main(String[] sizes) {
        System.out.println(
                "| members | change | requests | decisions: coordinator | each other | KB allocated: coordinator"
                        + " | each other | ms of a processor: coordinator | each other |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (String size : sizes) {
            ChangeCostTest test = new ChangeCostTest();
            test.leave(Integer.parseInt(size));
            for (int i = 0; i < 3; i++) {
                test.measureLeave();
                test.measureJoin();
            }
            System.out.println(test.measureLeave().row(size, "leave"));
            System.out.println(test.measureJoin().row(size, "join"));
        }
    }

    private Cost leave(int size) {
        IntStream.range(0, size + 1).forEach(i -> start());
        settle();
        return measureLeave();
    }

    private Cost join(int size) {
        while (members.size() < size) {
            start();
        }
        settle();
        return measureJoin();
    }

    private Cost measureLeave() {
        reset();
        MeteredInstance gone = members.remove(members.size() / 2);
        gone.leave();
        settle();
        return cost();
    }

    private Cost measureJoin() {
        reset();
        start();
        settle();
        return cost();
    }

    private void start() {
        long pid = ++pids;
        MeteredInstance instance = new MeteredInstance("i-" + pid, pid, time, ensemble);
        members.add(instance);
        instance.start();
        if (members.size() == 1) {
            settle();
        }
    }

    private void settle() {
        assertThat(time.runUntil(() -> members.stream().allMatch(each -> each.hasView(members.size())), LIMIT_MILLIS))
                .isTrue();
    }

    private void reset() {
        time.run(100);
        members.forEach(MeteredInstance::reset);
        requestsBefore = ensemble.requests();
    }

    private Cost cost() {
        List<MeteredInstance.Counters> others =
                members.stream().skip(1).map(MeteredInstance::counters).toList();
        return new Cost(
                ensemble.requests() - requestsBefore,
                members.get(0).counters(),
                new MeteredInstance.Counters(
                        median(others, MeteredInstance.Counters::decisions),
                        median(others, MeteredInstance.Counters::bytes),
                        median(others, MeteredInstance.Counters::nanos)));
    }

    private static long median(List<MeteredInstance.Counters> all, ToLongFunction<MeteredInstance.Counters> value) {
        return all.stream()
                .mapToLong(value)
                .sorted()
                .skip(all.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    private record Cost(long requests, MeteredInstance.Counters coordinator, MeteredInstance.Counters others) {

        String row(String size, String change) {
            return String.format(
                    "| %s | %s | %d | %d | %d | %d | %d | %.1f | %.2f |",
                    size,
                    change,
                    requests,
                    coordinator.decisions(),
                    others.decisions(),
                    coordinator.bytes() / 1024,
                    others.bytes() / 1024,
                    coordinator.nanos() / 1e6,
                    others.nanos() / 1e6);
        }
    }
}
