// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.Health.Severity;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.spi.Request;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What moves each metric, on virtual time. */
class MetricsTest extends VirtualCluster {

    private static Map<String, Double> metrics(VirtualInstance instance) {
        return Metric.flat(instance.instance().reporter().metrics());
    }

    private static double metric(VirtualInstance instance, String name) {
        return metrics(instance).get(name);
    }

    @Test
    void nothingIsCountedBeforeTheStart() {
        Map<String, Double> all = metrics(instance("a"));
        assertThat(all.values()).containsOnly(0.0);
        assertThat(all)
                .containsKeys(
                        "settled", "events_total.TOPOLOGY_CHANGED", "requests_total.renew", "changing_seconds.count");
    }

    @Test
    void theLeaderAndAFollower() {
        List<VirtualInstance> both = cluster("a", "b");
        time.run(5_000);
        for (VirtualInstance each : both) {
            assertThat(metrics(each))
                    .containsEntry("settled", 1.0)
                    .containsEntry("leader", each == both.get(0) ? 1.0 : 0.0)
                    .containsEntry("members", 2.0)
                    .containsEntry("events_total.TOPOLOGY_INIT", 1.0)
                    .containsEntry("leader_changes_total", 0.0)
                    .containsEntry("reconnects_total", 0.0);
            long token = each.report().view().orElseThrow().established().token();
            assertThat(metric(each, "token")).isEqualTo(token);
            assertThat(metric(each, "view_age_seconds")).isBetween(4.0, 10.0);
            assertThat(metric(each, "lease_left_seconds")).isBetween(0.5, 2.0);
            assertThat(metric(each, "round_trip_seconds")).isBetween(0.002, 0.02);
        }
        assertThat(metric(both.get(0), "requests_total.renew")).isGreaterThan(1);
        assertThat(metric(both.get(1), "requests_total.probelease")).isGreaterThan(1);
        assertThat(metric(both.get(1), "requests_total.renew")).isZero();
    }

    @Test
    void aChangeOfTheLeader() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        VirtualInstance c = all.get(2);
        all.get(0).leave();
        assertThat(c.awaitOrder("b", "c")).isTrue();
        assertThat(metrics(c))
                .containsEntry("leader_changes_total", 1.0)
                .containsEntry("members", 2.0)
                .containsEntry("events_total.TOPOLOGY_CHANGING", 1.0)
                .containsEntry("events_total.TOPOLOGY_CHANGED", 1.0)
                .containsEntry("changes_total", 1.0)
                .containsEntry("changing_seconds.count", 1.0)
                .containsEntry("changing_seconds.bucket.0.01", 0.0)
                .containsEntry("changing_seconds.bucket.1.0", 1.0)
                .containsEntry("changing_seconds.bucket.+Inf", 1.0);
        assertThat(metric(c, "changing_seconds.sum")).isBetween(0.01, 1.0);
        assertThat(metrics(c).keySet()).anyMatch(name -> name.startsWith("changes_total."));
    }

    @Test
    void anOutage() {
        VirtualInstance a = settled("a");
        a.store().cut(1_500);
        assertThat(a.await(State.CUT_OFF)).isTrue();
        assertThat(metrics(a))
                .containsEntry("settled", 0.0)
                .containsEntry("leader", 0.0)
                .containsEntry("lease_left_seconds", 0.0);
        assertThat(metrics(a)).containsEntry("changes_total", 1.0);
        a.store().restore();
        assertThat(a.await(State.SETTLED)).isTrue();
        assertThat(metrics(a)).containsEntry("reconnects_total", 1.0);
        assertThat(metric(a, "request_failures_total")).isPositive();
    }

    @Test
    void aRejectedRequestIsAFailureOfItsKind() {
        VirtualInstance a = settled("a");
        a.store().deny(Set.of(Request.Renew.class));
        time.run(2_000);
        assertThat(metric(a, "request_failures_total.renew")).isPositive();
        assertThat(metric(a, "request_failures_total.probe")).isZero();
    }

    @Test
    void findingsByTheirConcern() {
        VirtualInstance a = settled("a");
        a.instance().describe("", () -> List.of(new Finding(Concern.SERVERS, Severity.WARN, "one of three is down")));
        assertThat(metrics(a)).containsEntry("findings.SERVERS", 1.0).containsEntry("findings.ACCESS", 0.0);
    }

    @Test
    void anExcludedMember() {
        List<VirtualInstance> both = cluster("a", "b");
        both.get(1).hang();
        settled("c");
        assertThat(both.get(0).awaitOrder("a", "c")).isTrue();
        assertThat(metric(both.get(0), "excluded_members")).isEqualTo(1);
        both.get(1).goOn();
        assertThat(both.get(0).awaitOrder("a", "c", "b")).isTrue();
        assertThat(metric(both.get(0), "excluded_members")).isZero();
    }

    @Test
    void theLongestCallOfAListener() {
        VirtualInstance a = settled("a");
        String name = "listener_longest_call_seconds." + VirtualInstance.class.getName();
        assertThat(metric(a, name)).isZero();
        a.hang();
        settled("b");
        time.run(1_000);
        assertThat(metric(a, name)).isBetween(1.0, 10.0);
        assertThat(metric(a, "listener_longest_call_seconds")).isEqualTo(metric(a, name));
    }

    @Test
    void thePauseOfAProcess() {
        VirtualInstance a = settled("a");
        time.run(3_000);
        assertThat(metric(a, "longest_pause_seconds")).isLessThan(0.1);
        a.pause();
        time.run(7_000);
        a.resume();
        time.run(1_000);
        assertThat(metric(a, "longest_pause_seconds")).isBetween(5.0, 7.0);
    }
}
