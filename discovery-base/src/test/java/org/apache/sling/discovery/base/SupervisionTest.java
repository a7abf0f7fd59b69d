// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.sling.discovery.commons.leader.LeaderLease;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.commons.report.State;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.spi.Request;
import org.junit.jupiter.api.Test;

/** The actions of operators on a cluster, and the reactions of an instance to its own problems and those of its store. */
class SupervisionTest extends VirtualCluster {

    private static long token(VirtualInstance leader) {
        return LeaderLease.of(leader.instance().getTopology()).orElseThrow().token();
    }

    private String cause() {
        return ensemble.view().map(view -> Reason.sentence(view.cause())).orElse("");
    }

    @Test
    void anInstanceThatStepsDownRejoinsAtTheEnd() {
        List<VirtualInstance> abc = cluster("a", "b", "c");
        long token = token(abc.get(0));

        assertThat(abc.get(0).instance().operator().stepDown()).satisfies(succeeds("a steps down"));

        for (VirtualInstance each : abc) {
            assertThat(each.awaitOrder("b", "c", "a")).isTrue();
        }
        assertThat(ensemble.history())
                .anyMatch(entry -> entry.difference().head().cause().contains(Reason.of(ReasonCode.STEPPED_DOWN, "a")));
        assertThat(token(abc.get(1))).isGreaterThan(token);
        assertThat(abc.get(0).state()).isEqualTo(State.SETTLED);
    }

    @Test
    void steppingDownIsNotALossOfThePlace() {
        VirtualInstance a = cluster("a", "b").get(0);
        for (int i = 0; i < 10; i++) {
            a.instance().operator().stepDown();
            assertThat(a.awaitOrder("b", "a")).isTrue();
        }
        assertThat(a.report().recent().transitions())
                .extracting(TopologyReport.Status::state)
                .doesNotContain(State.QUARANTINED);
    }

    @Test
    void anInstanceThatCannotReadItsOwnRecordForAWhileStillStepsDown() {
        List<VirtualInstance> ab = cluster("a", "b");
        VirtualInstance a = ab.get(0);
        ensemble.deny(Set.of(Request.Delete.class));
        a.instance().operator().stepDown();
        a.store().cannotRead(member -> member.instanceId().equals("a"));
        assertThat(time.runUntil(() -> a.report().sentence().contains("cannot read its own record"), 10_000))
                .isTrue();
        a.store().cannotRead(member -> false);
        ensemble.deny(Set.of());

        assertThat(ab.get(1).awaitOrder("b", "a")).isTrue();
        assertThat(a.awaitOrder("b", "a")).isTrue();
    }

    @Test
    void anEvictedInstanceIsNamedWithTheEvictor() {
        List<VirtualInstance> abc = cluster("a", "b", "c");

        assertThat(abc.get(2).instance().operator().evict("b"))
                .satisfies(succeeds("b (node m-", "is being evicted by c"));

        assertThat(abc.get(0).awaitOrder("a", "c", "b")).isTrue();
        assertThat(ensemble.history())
                .anyMatch(entry ->
                        entry.difference().head().cause().contains(Reason.of(ReasonCode.EVICTED_BY, "b", "c")));
    }

    @Test
    void anUnknownOrAmbiguousInstanceIsNotEvicted() {
        List<VirtualInstance> ab = cluster("a", "b");
        assertThat(ab.get(0).instance().operator().evict("x")).satisfies(fails("no instance is evicted", "x"));
        assertThat(ab.get(0).instance().operator().evict("a")).satisfies(fails("no instance is evicted"));

        started("b").await(State.REFUSED);
        assertThat(ab.get(0).instance().operator().evict("b")).satisfies(fails("choose one of the nodes m-"));
        time.run(20_000);
        assertThat(ab.get(0).order()).containsExactly("a", "b");
    }

    @Test
    void repeatedLossesOfThePlaceLeadToQuarantine() {
        VirtualInstance b = cluster("a", "b").get(1);
        for (int i = 0; i < 6; i++) {
            assertThat(b.awaitOrder("a", "b")).isTrue();
            b.store().abandonSession();
            time.run(100);
        }

        assertThat(b.await(State.QUARANTINED)).isTrue();
        assertThat(b.report().sentence()).contains("lost its seniority 6 times", "in 10 s");
        time.run(3_000);
        assertThat(b.report().sentence()).as("counts down").contains("in 7 s");
        assertThat(b.words(b.report().status().reasons()))
                .as("does not count itself")
                .doesNotContain(" s;", "in 7 s");
        assertThat(b.report().status().countdown()).hasValueSatisfying(countdown -> {
            assertThat(countdown.what()).isEqualTo("it announces itself again in");
            assertThat(countdown.atMillis() - b.report().generatedMillis()).isBetween(6_001L, 7_000L);
        });
        assertThat(b.awaitOrder("a", "b")).isTrue();
    }

    @Test
    void repeatedDeletionOfTheClusterIsNotALossOfThePlace() {
        List<VirtualInstance> ab = cluster("a", "b");
        for (int i = 0; i < 10; i++) {
            ensemble.deleteEverything();
            time.run(100);
        }
        for (VirtualInstance each : ab) {
            assertThat(each.await(State.SETTLED)).isTrue();
            assertThat(each.report().recent().transitions())
                    .extracting(TopologyReport.Status::state)
                    .doesNotContain(State.QUARANTINED);
        }
    }

    /** The store loses three views, and the instance that published one of them remembers it. */
    @Test
    void tokensGrowOverARestoredStore() {
        List<VirtualInstance> ab = cluster("a", "b");
        EstablishedView old = ensemble.view().orElseThrow();
        VirtualInstance c = started("c");
        assertThat(c.awaitOrder("a", "b", "c")).isTrue();
        c.leave();
        assertThat(ab.get(1).awaitOrder("a", "b")).isTrue();
        ab.get(0).instance().operator().stepDown();
        assertThat(ab.get(1).awaitOrder("b", "a")).isTrue();
        long highest = ensemble.view().orElseThrow().number();

        ensemble.restore(old, true);

        assertThat(time.runUntil(() -> ensemble.view().orElseThrow().number() > highest, 60_000))
                .isTrue();
        assertThat(ab.get(0).await(State.SETTLED)).isTrue();
        assertThat(ab.get(1).await(State.SETTLED)).isTrue();
        EstablishedView now = ensemble.view().orElseThrow();
        assertThat(now.token()).as("no earlier leader had it").isGreaterThan(highest);
        assertThat(cause()).contains("the store had regressed to view " + old.number());
        assertThat(ab.get(0).report().problems())
                .anyMatch(problem -> problem.contains("shows view " + old.number())
                        && problem.contains("although view " + highest + " was established"));
    }

    @Test
    void aRefusedPublicationIsReportedUntilAnotherSucceeds() {
        VirtualInstance a = cluster("a").get(0);
        ensemble.deny(Set.of(Request.Publish.class));
        VirtualInstance b = started("b");
        for (VirtualInstance each : List.of(a, b)) {
            assertThat(time.runUntil(
                            () -> each.report()
                                    .problems()
                                    .contains("the store rejected the request to publish for instance "
                                            + each.report().localInstanceId() + ": access is denied"),
                            60_000))
                    .isTrue();
        }

        ensemble.deny(Set.of());
        assertThat(a.awaitOrder("a", "b")).isTrue();
        assertThat(b.awaitOrder("a", "b")).isTrue();
        assertThat(a.report().problems()).isEmpty();
        assertThat(b.report().problems()).isEmpty();
    }

    /** The view alone is overwritten, and no live instance has seen the earlier one. */
    @Test
    void tokensGrowOverAnOverwrittenView() {
        List<VirtualInstance> ab = cluster("a", "b");
        EstablishedView old = ensemble.view().orElseThrow();
        VirtualInstance c = started("c");
        assertThat(c.awaitOrder("a", "b", "c")).isTrue();
        long highest = ensemble.history().get(ensemble.history().size() - 1).number();
        ab.forEach(VirtualInstance::kill);
        c.kill();
        time.run(20_000);

        ensemble.restore(old, false);

        VirtualInstance d = started("d");
        assertThat(d.awaitOrder("d")).isTrue();
        assertThat(token(d)).isGreaterThan(highest);
    }

    private static Consumer<Operator.Result> succeeds(String... words) {
        return result -> {
            assertThat(result.success()).isTrue();
            assertThat(result.sentence()).contains(words);
        };
    }

    private static Consumer<Operator.Result> fails(String... words) {
        return result -> {
            assertThat(result.success()).isFalse();
            assertThat(result.sentence()).contains(words);
        };
    }
}
