// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.protocol.Protocol;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.spi.Request;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.sling.discovery.TopologyEvent;
import org.junit.jupiter.api.Test;

/** The actions of operators on a cluster, and the reactions of an instance to its own problems and those of its store. */
class SupervisionTest extends VirtualCluster {

    private static final long SOON_MILLIS = 1_000;

    @Test
    void steppingDownIsNotALossOfThePlace() {
        VirtualInstance a = cluster("a", "b").get(0);
        for (int i = 0; i < 10; i++) {
            assertThat(a.instance().operator().stepDown().sentence()).contains("a steps down");
            assertThat(a.awaitOrder("b", "a")).isTrue();
        }
        assertThat(a.report().recent().transitions())
                .extracting(TopologyReport.ExplainedState::state)
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
    void anUnknownOrAmbiguousInstanceIsNotEvicted() {
        List<VirtualInstance> ab = cluster("a", "b");
        assertThat(ab.get(0).instance().operator().evict("x")).satisfies(fails("no instance is evicted", "x"));
        assertThat(ab.get(0).instance().operator().evict("a")).satisfies(fails("no instance is evicted"));

        VirtualInstance copy = started("b");
        assertThat(copy.await(State.REFUSED)).isTrue();
        for (VirtualInstance each : List.of(ab.get(0), ab.get(1), copy)) {
            assertThat(each.instance().operator().evict("b")).satisfies(fails("choose one of the nodes m-"));
        }
        time.run(20_000);
        assertThat(ab.get(0).order()).containsExactly("a", "b");
        assertThat(copy.state()).isEqualTo(State.REFUSED);
    }

    @Test
    void anInstanceThatIsGoneForGoodCanBeDismissed() {
        List<VirtualInstance> ab = cluster("a", "b");
        VirtualInstance a = ab.get(0);
        ab.get(1).kill();
        assertThat(a.awaitOrder("a")).isTrue();
        time.run(100);
        assertThat(a.report().problems()).anyMatch(each -> each.startsWith("missing from the view: b"));
        long revision = a.report().revision();

        Operator.Result dismissed = a.instance().operator().evict("b");
        time.run(100);
        assertThat(dismissed).isEqualTo(new Operator.Result(true, "b has left already; a does not report it any more"));
        assertThat(a.report().problems()).isEmpty();
        assertThat(a.report().recentlyLeft()).isEmpty();
        assertThat(a.report().revision()).isGreaterThan(revision);
        assertThat(a.instance().operator().evict("b")).satisfies(fails("no instance is evicted", "b"));
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
                    .extracting(TopologyReport.ExplainedState::state)
                    .doesNotContain(State.QUARANTINED);
        }
    }

    @Test
    void aStoreThatHasRegressedIsReportedAndTokensGrowOverIt() {
        List<VirtualInstance> ab = cluster("a", "b");
        EstablishedView old = ensemble.view().orElseThrow();
        ab.get(0).instance().operator().stepDown();
        assertThat(ab.get(1).awaitOrder("b", "a")).isTrue();
        long highest = ensemble.view().orElseThrow().number();

        ensemble.restore(old, true);

        assertThat(time.runUntil(() -> ensemble.view().orElseThrow().number() > highest, 60_000))
                .isTrue();
        ab.forEach(each -> assertThat(each.await(State.SETTLED)).isTrue());
        EstablishedView now = ensemble.view().orElseThrow();
        assertThat(now.token()).as("no earlier leader had it").isGreaterThan(highest);
        assertThat(Reason.sentence(now.cause())).contains("the store had regressed to view " + old.number());
        assertThat(ab.get(0).report().problems())
                .anyMatch(problem -> problem.contains("shows view " + old.number())
                        && problem.contains("although view " + highest + " was established"));
    }

    @Test
    void aPublicationThatWasOvertakenIsNotDelayedNextTime() {
        VirtualInstance a =
                new VirtualInstance("a", 77, time, ensemble, new VirtualInstance.Traits(Protocol.SETTLING, 1, 100));
        a.instance().start();
        assertThat(a.await(State.SETTLED)).isTrue();
        VirtualInstance b = instance("b");
        b.stepInAfter(1);
        b.instance().start();
        assertThat(a.awaitOrder("a", "b")).isTrue();
        for (int i = 0; i < 10; i++) {
            VirtualInstance guest = started("guest");
            assertThat(a.awaitOrder("a", "b", "guest")).isTrue();
            guest.leave();
            assertThat(a.awaitOrder("a", "b")).isTrue();
        }
        assertThat(ensemble.history())
                .extracting(entry -> entry.difference().head().publisher())
                .as("a is overtaken")
                .endsWith("b", "b", "b", "b", "b");

        b.leave();
        assertThat(time.runUntil(() -> a.order().equals(List.of("a")), SOON_MILLIS))
                .isTrue();
    }

    @Test
    void aRequestThatWasRejectedOnAnEarlierConnectionIsRepeatedSoon() {
        VirtualInstance a = cluster("a", "b").get(0);
        a.store().deny(Set.of(Request.Update.class));
        a.instance().addPropertyProvider(name -> "new", "p");
        time.run(24_000);
        a.store().deny(Set.of());
        time.run(SOON_MILLIS);
        assertThat(property(a)).as("the longest rest lasts 10 s").isNull();

        a.store().cut(0);
        time.run(10);
        a.store().restore();
        time.run(SOON_MILLIS);
        assertThat(property(a)).isEqualTo("new");
    }

    private static String property(VirtualInstance of) {
        return of.instance().getTopology().getLocalInstance().getProperty("p");
    }

    @Test
    void aSuccessorThatMayNotReadTheLeaseStaysSettledSaysSoAndSucceeds() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        VirtualInstance b = all.get(1);
        List<TopologyEvent> before = List.copyOf(b.events());
        b.store().deny(Set.of(Request.ProbeLease.class));
        time.run(100 * VirtualInstance.SESSION_TIMEOUT);
        assertThat(b.events()).isEqualTo(before);
        assertThat(b.report().problems())
                .containsExactly("the store rejected the request to probelease for instance b: access is denied");
        all.get(0).kill();
        assertThat(b.awaitOrder("b", "c")).isTrue();
        assertThat(all.get(2).awaitOrder("b", "c")).isTrue();

        b.store().deny(Set.of());
        started("d");
        all.get(2).leave();
        assertThat(b.awaitOrder("b", "d")).isTrue();
        assertThat(b.report().problems()).noneMatch(problem -> problem.contains("rejected"));
    }

    private static Consumer<Operator.Result> fails(String... words) {
        return result -> {
            assertThat(result.success()).isFalse();
            assertThat(result.sentence()).contains(words);
        };
    }
}
