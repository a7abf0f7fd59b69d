// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.discoveryzk.report.Change;
import io.github.discoveryzk.report.Countdown;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.sling.discovery.PropertyProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What reports say of each instance while a change is going on, and after it. */
class ReportedChangesTest {

    private static final String A = "a3f0c1d2-0000-4000-8000-00000000000a";
    private static final String B = "b3f0c1d2-0000-4000-8000-00000000000b";
    private static final String C = "c3f0c1d2-0000-4000-8000-00000000000c";
    private static final String D = "d3f0c1d2-0000-4000-8000-00000000000d";
    private static final String ADDRESS = "ZooKeeper zk1:2181, root /sling/discovery, cluster default";

    private final VirtualTime time = new VirtualTime();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time, "cluster");
    private long pids;
    private final VirtualInstance a = started(A, "author-a");
    private final VirtualInstance b = started(B, "author-b");
    private final VirtualInstance c = started(C, "author-c");

    @BeforeEach
    void settle() {
        settled(a, b, c);
    }

    private VirtualInstance started(String id, String name) {
        VirtualInstance instance = new VirtualInstance(id, ++pids, time, ensemble);
        PropertyProvider provider = property -> name;
        instance.instance().addPropertyProvider(provider, InstanceNames.PROPERTY);
        instance.instance().start();
        assertThat(instance.await(State.SETTLED)).isTrue();
        return instance;
    }

    private VirtualInstance guest(int number) {
        return started(String.format("e3f0c1d2-0000-4000-8000-%012d", number), "guest-" + number);
    }

    private static Instance row(VirtualInstance seenBy, String id) {
        TopologyReport report = seenBy.report();
        return Stream.of(report.clusters().get(0).instances(), report.outsiders(), report.recentlyLeft())
                .flatMap(List::stream)
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static InstanceStatus status(VirtualInstance seenBy, String id) {
        return row(seenBy, id).status();
    }

    private static String why(VirtualInstance seenBy, String id) {
        return seenBy.report().names().clause(status(seenBy, id).why());
    }

    private static String cause(VirtualInstance seenBy) {
        return seenBy.words(seenBy.report().change().orElseThrow().cause());
    }

    private static String lastCause(VirtualInstance seenBy) {
        return seenBy.words(
                seenBy.report().situation().lastChange().orElseThrow().cause());
    }

    private static List<String> labels(VirtualInstance seenBy, InstanceState... states) {
        return seenBy.report().concerned(states).stream()
                .map(each -> seenBy.report().names().label(each.id()))
                .toList();
    }

    private void assertStates(VirtualInstance seenBy, Map<String, InstanceState> expected) {
        expected.forEach(
                (id, state) -> assertThat(status(seenBy, id).state()).as(id).isEqualTo(state));
    }

    private void settled(VirtualInstance... instances) {
        assertThat(time.runUntil(
                        () -> Stream.of(instances).allMatch(each -> each.order().size() == instances.length), 60_000))
                .isTrue();
        time.run(1_000);
    }

    @Test
    void tellsTheGoneFromTheAwaitedAndTheAcknowledged() {
        VirtualInstance d = started(D, "author-d");
        settled(a, b, c, d);
        b.hang();
        c.kill();
        assertThat(time.runUntil(() -> a.state() == State.CHANGING, 60_000)).isTrue();
        time.run(2_000);

        assertStates(
                a,
                Map.of(
                        A, InstanceState.ACKNOWLEDGED,
                        B, InstanceState.AWAITED,
                        C, InstanceState.GONE,
                        D, InstanceState.ACKNOWLEDGED));
        assertThat(why(a, C)).isEqualTo("left because its session ended");
        assertThat(status(b, B).state()).isEqualTo(InstanceState.AWAITED);
        assertThat(status(b, B).listener()).contains(VirtualInstance.LISTENER);
        assertThat(cause(a)).isEqualTo("author-c left because its session ended");
        assertThat(labels(a, InstanceState.GONE)).containsExactly("author-c");
        assertThat(labels(a, InstanceState.AWAITED)).containsExactly("author-b");
        assertThat(labels(a, InstanceState.ACKNOWLEDGED)).containsExactly("author-a", "author-d");
        assertThat(a.report().sentence()).startsWith("waiting for author-b");
        assertThat(a.report().status().countdown()).isPresent();

        assertThat(time.runUntil(() -> status(a, B).listener().isPresent(), 20_000))
                .isTrue();
        assertThat(status(a, B).listener()).contains(VirtualInstance.LISTENER);
    }

    @Test
    void aLeaderWhoseViewIsOverWasTheLeader() {
        assertThat(row(b, A).leader()).isTrue();
        b.hang();
        a.kill();
        assertThat(time.runUntil(() -> c.state() == State.CHANGING, 60_000)).isTrue();
        time.run(2_000);

        assertThat(row(c, A).leader()).isFalse();
        assertThat(row(c, A).wasLeader()).isTrue();
        assertThat(row(c, A).status().state()).isEqualTo(InstanceState.GONE);
    }

    @Test
    void theLastChangeTellsItsCauseAndHowLongItTook() {
        c.kill();
        assertThat(a.awaitOrder(A, B)).isTrue();

        Change.Settled last = a.report().situation().lastChange().orElseThrow();
        assertThat(lastCause(a)).isEqualTo("author-c left because its session ended");
        assertThat(last.number()).isEqualTo(a.report().view().orElseThrow().number());
        assertThat(last.tookMillis()).isBetween(1L, 20_000L);
        assertThat(last.settledMillis())
                .isEqualTo(a.report().view().orElseThrow().sinceMillis());
    }

    @Test
    void theLastChangeOfTheSameViewIsWhatInterruptedIt() {
        long number = c.report().view().orElseThrow().number();
        c.store().stall(0, 8_000);
        assertThat(time.runUntil(() -> c.state() == State.CHANGING || c.state() == State.CUT_OFF, 60_000))
                .isTrue();
        c.store().stall(0, 0);
        assertThat(time.runUntil(() -> c.state() == State.SETTLED, 60_000)).isTrue();
        assertThat(c.report().view().orElseThrow().number()).isEqualTo(number);
        assertThat(lastCause(c)).isEqualTo("the lease is over because the store has not replied in time");
    }

    @Test
    void anInstanceThatLeftIsRememberedForAWhile() {
        a.leave();
        assertThat(b.awaitOrder(B, C)).isTrue();
        time.run(1_000);

        Instance gone = row(b, A);
        assertThat(gone.position()).isZero();
        assertThat(gone.wasLeader()).isTrue();
        assertThat(gone.status().state()).isEqualTo(InstanceState.GONE);
        assertThat(gone.name()).contains("author-a");
        assertThat(b.report().generatedMillis() - gone.status().sinceMillis().getAsLong())
                .isBetween(0L, 10_000L);
        assertThat(why(b, A)).isEqualTo("stopped");
        assertThat(why(c, A)).as("of an instance that reads no leave records").isEqualTo("stopped");

        long revision = b.report().revision();
        time.run(300_000);
        assertThat(b.report().recentlyLeft()).isEmpty();
        assertThat(b.report().revision()).isGreaterThan(revision);
    }

    /** The first reads the leave records, the last knows the cause of the view only. */
    @Test
    void aLostInstanceIsAProblemOfTheOthersForAnHourOrUntilItIsBack() {
        VirtualInstance d = started(D, "author-d");
        settled(a, b, c, d);
        c.kill();
        assertThat(d.awaitOrder(A, B, D)).isTrue();
        time.run(1_000_000);
        for (VirtualInstance each : List.of(a, b, d)) {
            assertThat(each.report().problems())
                    .singleElement()
                    .asString()
                    .contains("author-c: left because its session");
            assertThat(Health.of(each.report()).status()).isEqualTo(Health.Severity.WARN);
        }

        assertThat(started(C, "author-c").awaitOrder(A, B, D, C)).isTrue();
        time.run(1_000);
        for (VirtualInstance each : List.of(a, b, d)) {
            assertThat(each.report().problems()).isEmpty();
        }

        d.kill();
        assertThat(a.awaitOrder(A, B, C)).isTrue();
        time.run(3_500_000);
        assertThat(a.report().problems()).hasSize(1);
        time.run(100_000);
        assertThat(a.report().problems()).isEmpty();
    }

    @Test
    void anInstanceThatLeavesIsNoProblemAndForgottenWhenItIsBack() {
        VirtualInstance d = started(D, "author-d");
        settled(a, b, c, d);
        c.leave();
        b.instance().operator().stepDown();
        assertThat(d.awaitOrder(A, D, B)).isTrue();
        time.run(1_000);

        assertThat(a.report().problems()).isEmpty();
        assertThat(d.report().problems()).isEmpty();
        assertThat(a.report().recentlyLeft()).extracting(Instance::id).containsExactly(C);
        assertThat(lastCause(a)).contains("author-b joined");
    }

    @Test
    void excludedAndRefusedInstancesAreProblemsOfTheOthers() {
        b.hang();
        started(D, "author-d");
        VirtualInstance twin = new VirtualInstance(A, ++pids, time, ensemble);
        PropertyProvider copied = property -> "author-copy";
        twin.instance().addPropertyProvider(copied, InstanceNames.PROPERTY);
        twin.instance().start();
        assertThat(twin.await(State.REFUSED)).isTrue();
        assertThat(a.awaitOrder(A, C, D)).isTrue();
        time.run(1_000);

        assertThat(a.report().problems())
                .anyMatch(each -> each.contains("author-b: was excluded because it did not acknowledge")
                        && each.contains(VirtualInstance.LISTENER))
                .anyMatch(
                        each -> each.startsWith("process 5 on host host-5") && each.contains("has the id of author-a"))
                .hasSize(2);
        assertThat(b.report().problems()).as("is not settled").isEmpty();
    }

    @Test
    void manyLostInstancesAreOneSentence() {
        List<VirtualInstance> guests =
                IntStream.range(0, 14).mapToObj(this::guest).toList();
        guests.forEach(VirtualInstance::kill);
        assertThat(b.awaitOrder(A, B, C)).isTrue();
        time.run(1_000);

        assertThat(a.report().problems())
                .singleElement()
                .asString()
                .contains("guest-", " and 2 more: left because its session ended");
    }

    @Test
    void manyThatAreExcludedAreOneSentence() {
        List<VirtualInstance> guests =
                IntStream.range(0, 14).mapToObj(this::guest).toList();
        time.run(1_000); // All have settled.
        guests.forEach(VirtualInstance::hang);
        c.leave();
        assertThat(b.awaitOrder(A, B)).isTrue();

        assertThat(lastCause(b))
                .containsOnlyOnce("excluded: no acknowledgement within the settle timeout")
                .contains(" and 2 more excluded");
    }

    @Test
    void excludedIsKnownWithoutTheHistoryUntilTheListenersReturn() {
        b.hang();
        c.leave();
        assertThat(a.awaitOrder(A)).isTrue();
        time.run(2_000);

        assertThat(status(a, B).state()).isEqualTo(InstanceState.EXCLUDED);
        assertThat(status(a, B).listener()).contains(VirtualInstance.LISTENER);
        assertThat(status(b, B).state()).isEqualTo(InstanceState.EXCLUDED);
        assertThat(b.state()).isEqualTo(State.EXCLUDED);
        assertThat(cause(b)).startsWith("this instance was excluded");
        assertThat(labels(b, InstanceState.GONE)).containsExactly("author-c");
        assertThat(status(b, A).state()).isEqualTo(InstanceState.MOVED_ON);
        assertThat(ensemble.readings().count()).isZero();

        started(C, "author-c");
        assertThat(a.awaitOrder(A, C)).isTrue();
        time.run(4_000_000);
        assertThat(b.state()).isEqualTo(State.EXCLUDED);
        assertThat(status(b, B).state()).isEqualTo(InstanceState.EXCLUDED);

        b.goOn();
        assertThat(a.awaitOrder(A, C, B)).isTrue();
        assertThat(b.await(State.SETTLED)).isTrue();
    }

    @Test
    void theInstanceThatIsAwaitedCountsDownAsTheOthersDo() {
        c.hang();
        b.leave();
        assertThat(time.runUntil(() -> a.report().status().countdown().isPresent(), 20_000))
                .isTrue();

        Countdown ofOthers = a.report().status().countdown().orElseThrow();
        assertThat(c.report().status().countdown()).hasValueSatisfying(countdown -> {
            assertThat(countdown.what()).isEqualTo(ofOthers.what());
            assertThat(countdown.atMillis()).isCloseTo(ofOthers.atMillis(), within(200L));
        });
    }

    @Test
    void anInstanceAloneIsNotExcluded() {
        a.hang();
        b.leave();
        c.leave();
        assertThat(a.await(State.CHANGING)).isTrue();
        time.run(1_000);

        assertThat(a.report().sentence()).contains("waiting for listener");
        assertThat(a.report().status().countdown()).isEmpty();
    }

    @Test
    void anInstanceWithoutAConnectionShowsWhatItKnewThenNothing() {
        a.instance().describe(ADDRESS, List::of);
        a.store().cut(20);
        assertThat(a.await(State.SUSPENDED)).isTrue();
        assertThat(a.report().change()).isEmpty();
        assertThat(status(a, B).state()).isEqualTo(InstanceState.SETTLED);
        assertThat(why(a, B)).contains("as last known");
        assertThat(row(a, A).leader()).isTrue();
        Countdown lease = a.report().status().countdown().orElseThrow();
        assertThat(lease.what()).isEqualTo("the lease ends in");

        assertThat(a.await(State.CUT_OFF)).isTrue();
        assertThat(a.report().status().sinceMillis()).isEqualTo(lease.atMillis());
        assertStates(a, Map.of(A, InstanceState.CUT_OFF, B, InstanceState.UNKNOWN));
        assertThat(labels(a, InstanceState.GONE)).isEmpty();
        assertThat(cause(a)).contains("lease is over");
        assertThat(row(a, A).wasLeader()).isTrue();
        assertThat(List.of(
                        a.report().sentence(),
                        a.words(a.report().recent().transitions().get(0).reasons())))
                .allSatisfy(text -> assertThat(text).contains("ZooKeeper zk1:2181", "check whether the servers run"));

        a.store().restore();
        assertThat(a.await(State.SETTLED)).isTrue();
        assertThat(a.report().problems()).isEmpty();
        assertThat(a.report().recent().transitions())
                .extracting(TopologyReport.ExplainedState::state)
                .startsWith(State.SETTLED)
                .contains(State.SUSPENDED, State.CUT_OFF);
    }

    @Test
    void aRefusedInstanceSeesTheMembersOfTheEstablishedView() {
        VirtualInstance twin = new VirtualInstance(B, ++pids, time, ensemble);
        twin.instance().start();
        assertThat(twin.await(State.REFUSED)).isTrue();

        assertThat(twin.report().outsiders())
                .filteredOn(Instance::local)
                .singleElement()
                .satisfies(own -> assertThat(own.status().state()).isEqualTo(InstanceState.REFUSED));
        assertThat(twin.report().outsiders())
                .filteredOn(each -> !each.local())
                .hasSize(3)
                .allSatisfy(each -> assertThat(each.status().state()).isEqualTo(InstanceState.MOVED_ON));
        assertThat(twin.report().outsiders())
                .filteredOn(Instance::leader)
                .extracting(Instance::id)
                .containsExactly(A);
        assertThat(cause(twin)).isEqualTo("this instance was started");
    }

    @Test
    void beforeTheFirstAnswerTheAddressIsNamed() {
        VirtualInstance lonely = new VirtualInstance(D, ++pids, time, ensemble);
        lonely.instance().describe(ADDRESS, List::of);
        lonely.store().cut(20);
        lonely.instance().start();
        time.run(3_000);

        assertThat(lonely.state()).isEqualTo(State.CONNECTING);
        assertThat(lonely.report().view()).isEmpty();
        assertThat(lonely.report().clusters()).isEmpty();
        assertThat(lonely.report().sentence())
                .contains("ZooKeeper zk1:2181")
                .contains("no answer from")
                .doesNotContain("void");
    }

    @Test
    void sentencesNameInstancesByTheirNames() {
        String joined = "author-c joined";

        assertThat(b.report().sentence()).contains("leader author-a").doesNotContain(A);
        assertThat(b.words(b.report().view().orElseThrow().established().cause()))
                .isEqualTo(joined);
        assertThat(b.words(b.report().recent().events().get(0).details())).isEqualTo(joined);
        assertThat(b.report().names().byId()).isEqualTo(Map.of(A, "author-a", B, "author-b", C, "author-c"));
    }
}
