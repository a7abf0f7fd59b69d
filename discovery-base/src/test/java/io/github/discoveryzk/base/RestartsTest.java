// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.Reporter.Restart;
import io.github.discoveryzk.report.Startup;
import io.github.discoveryzk.report.Startup.Stage;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a container is ready, whether it may be stopped, and in which order containers are restarted. */
class RestartsTest extends VirtualCluster {

    /** A part of a container as another bundle describes it. */
    private static final class Part implements AddedSection {
        private Startup startup = Startup.OVER;
        private List<String> objections = List.of();
        private Map<String, String> late = Map.of();
        private Optional<String> why = Optional.empty();

        @Override
        public Content content() {
            return new Content("", List.of(), List.of(), List.of());
        }

        @Override
        public Startup startup() {
            return startup;
        }

        @Override
        public List<String> objections() {
            return objections;
        }

        @Override
        public Map<String, String> lateRestarts() {
            return late;
        }

        @Override
        public Optional<String> whyUnreachable() {
            return why;
        }
    }

    private final Part part = new Part();

    private Reporter describe(VirtualInstance instance, boolean started) {
        instance.instance().describeParts(() -> List.of(part, broken()), started);
        return instance.instance().reporter();
    }

    /** Says nothing, and changes nothing. */
    private static AddedSection broken() {
        return () -> {
            throw new IllegalStateException("broken");
        };
    }

    @Test
    void anInstanceHasStartedOnceItHasBeenSettledAndThatIsFinal() {
        VirtualInstance a = instance("a");
        Reporter reporter = describe(a, false);
        part.startup = new Startup(Stage.STARTING, "The server waits.");
        assertThat(reporter.startup()).isEqualTo(part.startup);
        a.instance().start();
        assertThat(a.await(State.SETTLED)).isTrue();
        assertThat(reporter.startup().isReady()).isFalse();
        part.startup = Startup.OVER;
        assertThat(reporter.startup()).isEqualTo(Startup.OVER);

        part.startup = new Startup(Stage.STARTING, "The server waits.");
        a.store().cut(20);
        assertThat(a.await(State.CUT_OFF)).isTrue();
        assertThat(reporter.startup()).isEqualTo(Startup.OVER);
    }

    @Test
    void whatFoundsSomethingLetsTheNextContainerStart() {
        Reporter reporter = describe(instance("a"), false);
        assertThat(reporter.startup().stage()).isEqualTo(Stage.STARTING);
        assertThat(reporter.startup().sentence()).isNotEmpty();
        part.startup = new Startup(Stage.FOUNDING, "The first start needs b.");
        assertThat(reporter.startup()).isEqualTo(part.startup).matches(Startup::isReady);
        assertThat(describe(instance("b"), true).startup()).isEqualTo(Startup.OVER);
    }

    @Test
    void aContainerMayBeStoppedWhenNothingIsGoingOnAndNoPartObjects() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        Reporter reporter = describe(all.get(0), false);
        assertThat(reporter.objections()).isEmpty();
        part.objections = List.of("The quorum would be lost.");
        assertThat(reporter.objections()).containsExactly("The quorum would be lost.");
        part.objections = List.of();
        all.get(1).hang();
        all.get(2).instance().leave();
        assertThat(all.get(0).await(State.CHANGING)).isTrue();
        assertThat(reporter.objections()).singleElement().asString().contains("No view is settled here");
    }

    @Test
    void whatHasComeSinceTheBeginNeedsNoRestart() {
        List<VirtualInstance> all = cluster("a", "b");
        VirtualInstance b = restart(all.get(1), "b");
        VirtualInstance a = restart(all.get(0), "a");
        VirtualInstance c = settled("c");
        Reporter reporter = describe(b, false);
        assertThat(order(reporter)).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(reporter.restartOrder()).extracting(Restart::why).containsOnly(Restart.DONE);

        c.kill();
        assertThat(a.awaitOrder("b", "a")).isTrue();
        assertThat(order(reporter)).as("only what is gone").containsExactly("c");
    }

    @Test
    void aContainerWithoutAServerDoesNotKnowWhetherThoseOfOthersMayBeStopped() {
        List<VirtualInstance> all = cluster("a", "b");
        all.get(0).instance().addPropertyProvider(name -> "127.0.0.1:2181", Instance.SERVER_PROPERTY);
        Reporter reporter = describe(all.get(1), false);
        time.run(2_000);
        assertThat(reporter.restartOrder()).extracting(Restart::instanceId).containsExactly("b", "a");
        assertThat(reporter.restartOrder().get(1).why()).contains("see on its page");
        assertThat(describe(all.get(0), false).restartOrder().get(1).why()).doesNotContain("see on its page");
        part.late = Map.of("a", "its server leads");
        assertThat(reporter.restartOrder().get(1).why()).endsWith("its server leads");
    }

    @Test
    void aContainerWithoutAServerNamesTheOneThatHasLeftWithAServer() {
        List<VirtualInstance> all = cluster("a", "b", "c", "d");
        all.subList(0, 2)
                .forEach(each -> each.instance().addPropertyProvider(name -> "address", Instance.SERVER_PROPERTY));
        time.run(2_000);
        assertThat(order(describe(all.get(3), false))).containsExactly("d", "c", "b", "a");
        all.get(2).instance().leave();
        assertThat(all.get(3).awaitOrder("a", "b", "d")).isTrue();
        assertThat(all.get(3).report().problems()).isEmpty();

        all.get(0).instance().leave();
        assertThat(all.get(3).awaitOrder("b", "d")).isTrue();
        assertThat(all.get(3).report().problems())
                .singleElement()
                .asString()
                .startsWith("The container of a has left, and with it perhaps a ZooKeeper server: ");
        assertThat(all.get(1).report().problems()).as("has a server").isEmpty();
    }

    /** A restart ends what the others wait for. */
    @Test
    void aContainerWithAListenerThatHangsMayBeStopped() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        all.forEach(each -> each.follow(new SettlingPolicy(60_000, 0, 200, SuspendedPolicy.LEASE)));
        all.get(1).hang();
        all.get(2).instance().leave();
        assertThat(all.get(1).await(State.CHANGING)).isTrue();
        Reporter hanging = describe(all.get(1), false);
        assertThat(hanging.objections()).isNotEmpty();
        time.run(6_000);
        assertThat(all.get(1).state()).isEqualTo(State.CHANGING);
        assertThat(hanging.objections()).isEmpty();
        assertThat(describe(all.get(0), false).objections()).isNotEmpty();
    }

    @Test
    void aPartThatKnowsWhyNoStoreAnswersSaysSoInPlaceOfTheClient() {
        VirtualInstance a = cluster("a", "b").get(0);
        Reporter reporter = describe(a, false);
        a.store().cut(10);
        assertThat(a.await(State.SUSPENDED)).isTrue();
        assertThat(reporter.objections()).singleElement().asString().startsWith("The store does not answer: ");
        assertThat(a.await(State.CUT_OFF)).isTrue();
        part.why = Optional.of("Two of three servers are down.");
        assertThat(reporter.report().sentence()).isEqualTo("no view is current: Two of three servers are down.");
    }

    @ParameterizedTest
    @CsvSource({
        "'a,b,c', 0, ''",
        "'a,b,c', 2, ''",
        "'a,b,c', 3, 'the cluster has 2 of the 3 members that minInstances wants'",
        "'a,b', 5, 'the cluster has 1 of the 5 members that minInstances wants'",
        "a, 3, ''",
    })
    void membersThatStayAreEnoughOrThereAreNone(String members, int minInstances, String objection) {
        VirtualInstance a = cluster(members.split(",")).get(0);
        a.waitFor(minInstances);
        assertThat(String.join(" ", describe(a, false).objections()))
                .contains(objection)
                .matches(text -> text.isEmpty() == objection.isEmpty());
    }

    @Test
    void theLeaderIsLastAndWhatLeadsElsewhereBeforeIt() {
        List<VirtualInstance> all = cluster("a", "b", "c", "d");
        Reporter reporter = describe(all.get(1), false);
        assertThat(reporter.restartOrder()).extracting(Restart::instanceId).containsExactly("d", "c", "b", "a");
        part.late = Map.of("c", "its server leads");
        assertThat(reporter.restartOrder()).extracting(Restart::instanceId).containsExactly("d", "b", "c", "a");
        assertThat(reporter.restartOrder().get(2).why()).isEqualTo("its server leads");
        assertThat(reporter.restartOrder().get(3).why()).contains("leads the cluster");

        part.late = Map.of("a", "its server leads");
        assertThat(reporter.restartOrder()).extracting(Restart::instanceId).containsExactly("d", "c", "b", "a");
        assertThat(reporter.restartOrder().get(3).why())
                .isEqualTo("it leads the cluster, and hands over once if it is last; its server leads");
    }

    @Test
    void aRestartThatHasBegunGoesOnWithTheOthers() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        Reporter reporter = describe(all.get(0), false);
        assertThat(order(reporter)).containsExactly("c", "b", "a");
        restart(all.get(2), "c");
        assertThat(order(reporter)).containsExactly("b", "a");
        time.run(500_000);
        restart(all.get(1), "b");
        assertThat(order(reporter)).as("c belongs to the same restart").containsExactly("a");
        time.run(600_001);
        assertThat(order(reporter)).containsExactly("b", "c", "a");
    }

    @Test
    void aRestartThatHasBegunGoesOnAfterAnOutage() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        Reporter reporter = describe(all.get(0), false);
        List<VirtualInstance> now = List.of(all.get(0), all.get(1), restart(all.get(2), "c"));
        now.forEach(each -> each.store().cut(30));
        time.run(2 * VirtualInstance.SESSION_TIMEOUT);
        assertThat(all.get(0).state()).isEqualTo(State.CUT_OFF);
        now.forEach(each -> each.store().restore());
        time.run(20_000);
        assertThat(all.get(0).order()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(order(reporter)).containsExactlyInAnyOrder("a", "b");

        restart(all.get(1), "b");
        assertThat(order(reporter)).as("what came before the outage counts").containsExactly("a");
    }

    @Test
    void aRestartBeginsSoonAfterALoss() {
        List<VirtualInstance> all = cluster("a", "b", "c", "d");
        Reporter reporter = describe(all.get(0), false);
        all.get(3).kill();
        assertThat(all.get(0).awaitOrder("a", "b", "c")).isTrue();
        restart(all.get(2), "c");
        assertThat(order(reporter)).containsExactly("d", "b", "a");
    }

    @Test
    void aRestartThatHasReachedAllIsOver() {
        List<VirtualInstance> all = cluster("a", "b");
        VirtualInstance b = restart(all.get(1), "b");
        all.get(0).instance().leave();
        assertThat(b.awaitOrder("b")).isTrue();
        Reporter other = describe(b, false);
        assertThat(order(other)).containsExactly("a");
        assertThat(other.restartOrder().get(0).why()).contains("start it again");
        VirtualInstance a = settled("a");
        Reporter reporter = describe(a, false);
        assertThat(order(reporter)).containsExactly("a", "b");
        assertThat(reporter.restartOrder()).extracting(Restart::why).containsOnly(Restart.DONE);
        restart(a, "a");
        assertThat(order(describe(b, false))).as("another restart has begun").containsExactly("b");
        time.run(600_001);
        assertThat(describe(b, false).restartOrder()).extracting(Restart::why).doesNotContain(Restart.DONE);
    }

    @Test
    void whatIsLeftOutComesFirst() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        Reporter reporter = describe(all.get(0), false);
        all.get(1).hang();
        all.get(2).instance().leave();
        assertThat(all.get(0).await(State.CHANGING)).isTrue();
        assertThat(all.get(0).await(State.SETTLED)).isTrue();
        assertThat(order(reporter)).containsExactly("b", "a");
        assertThat(reporter.restartOrder().get(0).why()).contains("left out");
        assertThat(order(describe(all.get(1), false)))
                .as("b knows that c is gone")
                .doesNotContain("c");
        assertThat(all.get(1).report().concerned(InstanceState.MOVED_ON))
                .as("b knows who leads without it")
                .filteredOn(Instance::leader)
                .extracting(Instance::id)
                .containsExactly("a");
    }

    @Test
    void whatHasCrashedIsStartedFirst() {
        List<VirtualInstance> all = cluster("a", "b", "c");
        Reporter reporter = describe(all.get(0), false);
        all.get(1).kill();
        assertThat(all.get(0).awaitOrder("a", "c")).isTrue();
        assertThat(order(reporter)).containsExactly("b", "c", "a");
        assertThat(reporter.restartOrder().get(0).why()).isEqualTo("it is gone: start it again");
        assertThat(all.get(0).report().crashed()).extracting(Instance::id).containsExactly("b");
        assertThat(Health.advice(all.get(0).report())).contains(Reason.of(ReasonCode.LOOK_AFTER, List.of("b")));

        settled("b");
        assertThat(order(reporter)).containsExactly("b", "c", "a");
        assertThat(reporter.restartOrder().get(0).why()).isEmpty();
        assertThat(Health.advice(all.get(0).report())).isEmpty();
    }

    @Test
    void aCopyThatWaitsForTheIdIsAReasonNotToStop() {
        List<VirtualInstance> all = cluster("a", "b");
        VirtualInstance copy = started("b");
        assertThat(copy.await(State.REFUSED)).isTrue();
        assertThat(describe(all.get(1), false).objections())
                .singleElement()
                .asString()
                .contains("has the id of this instance and would take its place");
        Reporter other = describe(all.get(0), false);
        assertThat(other.objections()).isEmpty();
        assertThat(other.restartOrder()).extracting(Restart::why).anyMatch(why -> why.contains("waits for its id"));
        assertThat(Health.advice(all.get(0).report())).contains(Reason.of(ReasonCode.STOP_COPY, 3, "host-3"));
        assertThat(all.get(0).report().problems())
                .anyMatch(each -> each.startsWith("process 3 on host host-3, home /home/3, has the id of b"));
    }

    private VirtualInstance restart(VirtualInstance instance, String id) {
        instance.instance().leave();
        time.run(1_000);
        return settled(id);
    }

    private List<String> order(Reporter reporter) {
        reporter.restartOrder();
        time.run(1_000);
        return reporter.restartOrder().stream().map(Restart::instanceId).toList();
    }
}
