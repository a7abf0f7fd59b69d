// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Instance;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Instances that do not collect acknowledgements read them for their reports. */
class ReportedAcknowledgementsTest extends VirtualCluster {

    private static final long READ_WITHIN_MILLIS = 2_000;

    private VirtualInstance b;
    private VirtualInstance c;
    private VirtualInstance d;
    private VirtualInstance e;
    private List<VirtualInstance> all;

    @BeforeEach
    void settle() {
        all = cluster("a", "b", "c", "d", "e");
        b = all.get(1);
        c = all.get(2);
        d = all.get(3);
        e = all.get(4);
        all.forEach(each -> each.stepInAfter(VirtualInstance.SETTLE_TIMEOUT));
        time.run(1_000);
    }

    private void awaitChange(VirtualInstance instance) {
        assertThat(time.runUntil(() -> !instance.instance().getTopology().isCurrent(), 60_000))
                .isTrue();
    }

    private static Map<String, InstanceState> states(TopologyReport report) {
        Map<String, InstanceState> states = new HashMap<>();
        report.clusters().forEach(cluster -> cluster.instances()
                .forEach(each -> states.put(each.id(), each.status().state())));
        return states;
    }

    private static InstanceStatus status(TopologyReport report, String id) {
        return report.clusters().get(0).instances().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow()
                .status();
    }

    @Test
    void eachSurvivorTellsTheGoneFromTheAwaitedAndTheAcknowledged() {
        b.hang();
        c.kill();
        awaitChange(e);
        Map<String, InstanceState> expected = Map.of(
                "a", InstanceState.ACKNOWLEDGED,
                "b", InstanceState.AWAITED,
                "c", InstanceState.GONE,
                "d", InstanceState.ACKNOWLEDGED,
                "e", InstanceState.ACKNOWLEDGED);
        for (VirtualInstance each : List.of(all.get(0), b, d, e)) {
            assertThat(time.runUntil(() -> states(each.report()).equals(expected), READ_WITHIN_MILLIS))
                    .as("%s", states(each.report()))
                    .isTrue();
        }

        assertThat(e.report().concerned(InstanceState.AWAITED))
                .extracting(Instance::id)
                .containsExactly("b");
        assertThat(e.words(status(e.report(), "b").why())).contains("has not acknowledged");
    }

    @Test
    void aReaderIsToldOfAnAcknowledgementThatArrivesLater() {
        b.hang();
        d.hang();
        c.leave();
        awaitChange(e);
        assertThat(time.runUntil(() -> states(e.report()).get("d") == InstanceState.AWAITED, READ_WITHIN_MILLIS))
                .isTrue();
        assertThat(states(e.report())).containsEntry("b", InstanceState.AWAITED);

        d.goOn();
        assertThat(time.runUntil(() -> states(e.report()).get("d") == InstanceState.ACKNOWLEDGED, READ_WITHIN_MILLIS))
                .isTrue();
        assertThat(states(e.report())).containsEntry("b", InstanceState.AWAITED);
    }

    @Test
    void withoutAReaderNothingIsRead() {
        b.hang();
        c.leave();
        awaitChange(e);
        time.run(2_000);
        assertThat(ensemble.readings().acknowledgementCount()).isZero();

        b.goOn();
        assertThat(e.awaitOrder("a", "b", "d", "e")).isTrue();
        e.report();
        time.run(2_000);
        assertThat(ensemble.readings().acknowledgementCount())
                .as("in no change")
                .isZero();
    }

    @Test
    void manyReadersShareOneReadingInHalfASecond() {
        b.hang();
        c.leave();
        awaitChange(e);
        for (int i = 0; i < 150; i++) {
            e.report();
            e.report();
            time.run(10);
        }
        assertThat(ensemble.readings().acknowledgementCount()).isBetween(2L, 4L);

        b.goOn();
        assertThat(e.awaitOrder("a", "b", "d", "e")).isTrue();
        time.run(1_000);
        long during = ensemble.readings().acknowledgementCount();
        time.run(20_000);
        assertThat(ensemble.readings().acknowledgementCount())
                .as("after the change")
                .isEqualTo(during);
    }

    @Test
    void aReadingOfAnEarlierChangeIsNotShown() {
        b.hang();
        c.leave();
        awaitChange(e);
        assertThat(time.runUntil(() -> states(e.report()).get("a") == InstanceState.ACKNOWLEDGED, READ_WITHIN_MILLIS))
                .isTrue();
        b.goOn();
        assertThat(e.awaitOrder("a", "b", "d", "e")).isTrue();
        time.run(1_000);
        b.hang();
        d.leave();
        awaitChange(e);

        assertThat(states(e.report()))
                .containsEntry("a", InstanceState.UNKNOWN)
                .containsEntry("b", InstanceState.UNKNOWN);
    }
}
