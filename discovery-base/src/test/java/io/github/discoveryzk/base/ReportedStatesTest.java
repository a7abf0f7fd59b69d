// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the report of an instance says in each state. */
class ReportedStatesTest extends VirtualCluster {

    @Test
    void joining() {
        VirtualInstance a = cluster("a").get(0);
        a.hang();
        VirtualInstance b = started("b");
        assertThat(b.await(State.JOINING)).isTrue();
        assertThat(a.await(State.CHANGING)).isTrue();

        assertThat(b.report().view()).isEmpty();
        assertThat(b.report().sentence()).isNotEmpty();
        assertThat(a.report().outsiders()).singleElement().satisfies(outsider -> {
            assertThat(outsider.id()).isEqualTo("b");
            assertThat(a.words(outsider.status().why())).contains("waits to be admitted to the next view");
        });
    }

    @Test
    void settled() {
        List<VirtualInstance> all = cluster("a", "b");
        TopologyReport report = all.get(1).report();

        assertThat(report.state()).isEqualTo(State.SETTLED);
        assertThat(report.sentence()).contains("2 instances", "leader a");
        assertThat(report.view()).hasValueSatisfying(view -> {
            assertThat(view.current()).isTrue();
            assertThat(view.leaderId()).isEqualTo("a");
            assertThat(view.established().token()).isLessThan(view.number());
            assertThat(all.get(1).words(view.established().cause())).isEqualTo("b joined");
        });
        assertThat(report.clusters()).singleElement().satisfies(cluster -> {
            assertThat(cluster.instances())
                    .extracting(TopologyReport.Instance::id)
                    .containsExactly("a", "b");
            assertThat(cluster.instances())
                    .extracting(TopologyReport.Instance::local)
                    .containsExactly(false, true);
            assertThat(cluster.instances().get(0).process().pid()).isEqualTo(1);
        });
        assertThat(report.outsiders()).isEmpty();
        assertThat(report.problems()).isEmpty();
    }

    @Test
    void aViewIsCurrentOnlyInAStateThatHoldsIt() {
        VirtualInstance a = instance("a");
        a.callDirectly();
        List<TopologyReport> seen = new ArrayList<>();
        a.instance().addListener(event -> seen.add(a.report()));
        a.instance().start();
        assertThat(a.await(State.SETTLED)).isTrue();
        settled("b").leave();
        assertThat(time.runUntil(() -> seen.size() > 4, 60_000)).isTrue();

        assertThat(seen).noneMatch(each -> each.view()
                .filter(view -> view.current() && !each.state().isHolding())
                .isPresent());
    }

    @Test
    void anInstanceThatSteppedDownIsShownOnceAsGoneAndOnceAsJoining() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        all.get(2).hang();
        VirtualInstance a = all.get(0);
        a.instance().operator().stepDown();
        assertThat(time.runUntil(() -> a.report().outsiders().size() == 1, 20_000))
                .isTrue();
        TopologyReport report = a.report();

        assertThat(report.clusters().get(0).instances().get(0).status().state()).isEqualTo(InstanceState.GONE);
        assertThat(report.outsiders().get(0).status().state()).isEqualTo(InstanceState.JOINING);
        assertThat(report.concerned(InstanceState.GONE)).hasSize(1);
        assertThat(report.concerned(InstanceState.JOINING)).hasSize(1);
    }

    @Test
    void refused() {
        VirtualInstance holder = cluster("a", "b").get(0);
        VirtualInstance clone = started("a");
        assertThat(clone.await(State.REFUSED)).isTrue();
        time.run(10_000);

        assertThat(clone.state()).isEqualTo(State.REFUSED);
        assertThat(clone.report().sentence()).contains("instance id a", "process 1", "host-1", "/home/1");
        assertThat(clone.events()).isEmpty();
        assertThat(holder.report().outsiders()).singleElement().satisfies(outsider -> {
            assertThat(outsider.id()).isEqualTo("a");
            assertThat(outsider.process().pid()).isEqualTo(3);
            assertThat(outsider.process().home()).isEqualTo("/home/3");
            assertThat(holder.words(outsider.status().why())).contains("refused", "process 1", "host-1");
        });
        assertThat(holder.order()).containsExactly("a", "b");

        holder.leave();
        assertThat(clone.awaitOrder("b", "a")).isTrue();
    }
}
