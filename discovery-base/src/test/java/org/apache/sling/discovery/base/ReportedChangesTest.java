// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.commons.report.Change;
import org.apache.sling.discovery.commons.report.Change.Concerned;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.testing.memory.MemoryEnsemble;
import org.apache.sling.discovery.testing.time.VirtualTime;
import org.junit.jupiter.api.Test;

/** What reports say of each instance while a change is going on, and after it. */
class ReportedChangesTest {

    private static final String A = "a3f0c1d2-0000-4000-8000-00000000000a";
    private static final String B = "b3f0c1d2-0000-4000-8000-00000000000b";
    private static final String C = "c3f0c1d2-0000-4000-8000-00000000000c";
    private static final String D = "d3f0c1d2-0000-4000-8000-00000000000d";

    private final VirtualTime time = new VirtualTime();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time);
    private long pids;
    private final VirtualInstance a = started(A, "author-a");
    private final VirtualInstance b = started(B, "author-b");
    private VirtualInstance c = started(C, "author-c");

    private VirtualInstance started(String id, String name) {
        VirtualInstance instance = new VirtualInstance(id, ++pids, time, ensemble);
        PropertyProvider provider = property -> name;
        instance.instance().addPropertyProvider(provider, InstanceNames.PROPERTY);
        instance.instance().start();
        assertThat(instance.await(State.SETTLED)).isTrue();
        return instance;
    }

    private static Instance row(VirtualInstance seenBy, String id) {
        return all(seenBy.report())
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<Instance> all(TopologyReport report) {
        return Stream.of(
                        report.clusters().stream().flatMap(cluster -> cluster.instances().stream()),
                        report.outsiders().stream(),
                        report.recentlyLeft().stream())
                .flatMap(each -> each);
    }

    private static InstanceStatus status(VirtualInstance seenBy, String id) {
        return row(seenBy, id).status();
    }

    private static Change change(VirtualInstance seenBy) {
        return seenBy.report().change().orElseThrow();
    }

    private static List<String> labels(List<Concerned> concerned) {
        return concerned.stream().map(Concerned::label).toList();
    }

    private void settled(VirtualInstance... instances) {
        assertThat(time.runUntil(
                        () -> Stream.of(instances).allMatch(each -> each.order().size() == instances.length), 60_000))
                .isTrue();
        time.run(1_000);
    }

    @Test
    void noInstanceIsAwaitedWhileTheViewIsCurrent() {
        settled(a, b, c);

        assertThat(a.report().change()).isEmpty();
        assertThat(all(a.report())).hasSize(3).allSatisfy(instance -> {
            assertThat(instance.status().state()).isEqualTo(InstanceState.SETTLED);
            assertThat(instance.wasLeader()).isFalse();
        });
        assertThat(row(b, A).leader()).isTrue();
    }

    @Test
    void tellsTheGoneFromTheAwaitedAndTheAcknowledged() {
        VirtualInstance d = started(D, "author-d");
        settled(a, b, c, d);
        b.hang();
        c.kill();
        assertThat(time.runUntil(() -> a.state() == State.CHANGING, 60_000)).isTrue();
        time.run(2_000);

        assertThat(status(a, A).state()).isEqualTo(InstanceState.ACKNOWLEDGED);
        assertThat(status(a, B).state()).isEqualTo(InstanceState.AWAITED);
        assertThat(status(a, C).state()).isEqualTo(InstanceState.GONE);
        assertThat(status(a, C).reason()).isEqualTo("left because its session ended");
        assertThat(status(a, D).state()).isEqualTo(InstanceState.ACKNOWLEDGED);
        assertThat(status(b, B).state()).isEqualTo(InstanceState.AWAITED);
        assertThat(status(b, B).listener()).contains(VirtualInstance.LISTENER);
        assertThat(change(a).cause()).isEqualTo("author-c (c3f0c1d2) left because its session ended");
        assertThat(labels(change(a).gone())).containsExactly("author-c (c3f0c1d2)");
        assertThat(labels(change(a).awaited())).containsExactly("author-b (b3f0c1d2)");
        assertThat(labels(change(a).acknowledged())).containsExactly("author-a (a3f0c1d2)", "author-d (d3f0c1d2)");
        assertThat(change(a).next()).startsWith("waiting for author-b (b3f0c1d2)");
        assertThat(change(a).countdown()).isPresent();
    }

    @Test
    void theListenerOfAnotherInstanceIsNamedOnceItIsPublished() {
        settled(a, b, c);
        b.hang();
        c.leave();
        assertThat(time.runUntil(() -> status(a, B).listener().isPresent(), 20_000))
                .isTrue();

        assertThat(status(a, B).state()).isEqualTo(InstanceState.AWAITED);
        assertThat(status(a, B).listener()).contains(VirtualInstance.LISTENER);
        assertThat(status(a, C).reason()).isEqualTo("stopped");
    }

    @Test
    void anAcknowledgementThatArrivesIsARevisionThoughTheSentenceStays() {
        VirtualInstance d = started(D, "author-d");
        settled(a, b, c, d);
        a.hang();
        c.hang();
        d.leave();
        assertThat(time.runUntil(() -> a.state() == State.CHANGING, 60_000)).isTrue();
        time.run(500);
        assertThat(status(a, C).state()).isEqualTo(InstanceState.AWAITED);
        String sentence = a.report().sentence();
        long before = a.report().revision();
        c.goOn();
        assertThat(time.runUntil(() -> status(a, C).state() == InstanceState.ACKNOWLEDGED, 1_000))
                .isTrue();

        assertThat(a.report().sentence()).isEqualTo(sentence);
        assertThat(a.report().revision()).isGreaterThan(before);
    }

    @Test
    void aLeaderWhoseViewIsOverWasTheLeader() {
        settled(a, b, c);
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
        settled(a, b, c);
        c.kill();
        assertThat(a.awaitOrder(A, B)).isTrue();

        Change.Settled last = a.report().lastChange().orElseThrow();
        assertThat(last.cause()).isEqualTo("author-c (c3f0c1d2) left because its session ended");
        assertThat(last.number()).isEqualTo(a.report().view().orElseThrow().number());
        assertThat(last.tookMillis()).isBetween(1L, 20_000L);
        assertThat(last.settledMillis())
                .isEqualTo(a.report().view().orElseThrow().sinceMillis());
    }

    @Test
    void anInstanceThatLeftIsRememberedForAWhile() {
        settled(a, b, c);
        a.leave();
        assertThat(b.awaitOrder(B, C)).isTrue();
        time.run(1_000);

        Instance gone = row(b, A);
        assertThat(gone.position()).isZero();
        assertThat(gone.wasLeader()).isTrue();
        assertThat(gone.status().state()).isEqualTo(InstanceState.GONE);
        assertThat(gone.status().reason()).isEqualTo("stopped");
        assertThat(gone.label()).isEqualTo("author-a (a3f0c1d2)");
        assertThat(b.report().generatedMillis() - gone.status().sinceMillis().getAsLong())
                .isBetween(0L, 10_000L);
        assertThat(row(c, A).status().reason())
                .as("of an instance that reads no departure notes")
                .isEqualTo("stopped");

        long revision = b.report().revision();
        time.run(300_000);
        assertThat(b.report().recentlyLeft()).isEmpty();
        assertThat(b.report().revision()).isGreaterThan(revision);
    }

    @Test
    void anInstanceThatIsBackIsNotRememberedAsGone() {
        settled(a, b, c);
        b.instance().standDown();
        assertThat(a.awaitOrder(A, C, B)).isTrue();

        assertThat(a.report().recentlyLeft()).isEmpty();
        assertThat(a.report().lastChange().orElseThrow().cause()).contains("author-b (b3f0c1d2) joined");
    }

    /** The first reads the departure notes, the last knows the cause of the view only. */
    @Test
    void aLostInstanceIsAProblemOfTheOthersUntilItIsBack() {
        VirtualInstance d = started(D, "author-d");
        settled(a, b, c, d);
        c.kill();
        assertThat(d.awaitOrder(A, B, D)).isTrue();
        time.run(1_000_000);

        for (VirtualInstance each : List.of(a, b, d)) {
            assertThat(each.report().problems())
                    .singleElement()
                    .asString()
                    .contains("author-c (c3f0c1d2): left because its session");
            assertThat(Health.of(each.report()).status()).isEqualTo(Health.Status.WARN);
        }
        assertThat(started(C, "author-c").awaitOrder(A, B, D, C)).isTrue();
        time.run(1_000);
        for (VirtualInstance each : List.of(a, b, d)) {
            assertThat(each.report().problems()).isEmpty();
        }
    }

    @Test
    void aLostInstanceIsAProblemForAnHour() {
        settled(a, b, c);
        c.kill();
        assertThat(a.awaitOrder(A, B)).isTrue();
        time.run(3_500_000);
        assertThat(a.report().problems()).hasSize(1);
        time.run(100_000);
        assertThat(a.report().problems()).isEmpty();
    }

    @Test
    void anInstanceThatLeavesIsNoProblem() {
        VirtualInstance d = started(D, "author-d");
        settled(a, b, c, d);
        c.leave();
        b.instance().standDown();
        assertThat(d.awaitOrder(A, D, B)).isTrue();
        time.run(1_000);

        assertThat(a.report().problems()).isEmpty();
        assertThat(d.report().problems()).isEmpty();
    }

    @Test
    void leftOutAndRefusedInstancesAreProblemsOfTheOthers() {
        settled(a, b, c);
        b.hang();
        started(D, "author-d");
        VirtualInstance twin = new VirtualInstance(A, ++pids, time, ensemble);
        twin.instance().start();
        assertThat(twin.await(State.REFUSED)).isTrue();
        assertThat(a.awaitOrder(A, C, D)).isTrue();
        time.run(1_000);

        assertThat(a.report().problems())
                .anyMatch(each -> each.contains("author-b (b3f0c1d2): was left out because it did not acknowledge")
                        && each.contains(VirtualInstance.LISTENER))
                .anyMatch(each -> each.contains("its instance id is held by process 1"))
                .hasSize(2);
        assertThat(b.report().problems()).as("is not settled").isEmpty();
    }

    @Test
    void manyLostInstancesAreOneSentence() {
        settled(a, b, c);
        List<VirtualInstance> guests = IntStream.range(0, 14)
                .mapToObj(i -> started(String.format("e3f0c1d2-0000-4000-8000-%012d", i), "guest-" + i))
                .toList();
        guests.forEach(VirtualInstance::kill);
        assertThat(b.awaitOrder(A, B, C)).isTrue();
        time.run(1_000);

        assertThat(a.report().problems())
                .singleElement()
                .asString()
                .contains("guest-", " and 2 more: left because its session ended");
    }

    @Test
    void manyThatAreLeftOutAreOneSentence() {
        settled(a, b, c);
        List<VirtualInstance> guests = IntStream.range(0, 14)
                .mapToObj(i -> started(String.format("e3f0c1d2-0000-4000-8000-%012d", i), "guest-" + i))
                .toList();
        time.run(1_000); // All have settled.
        guests.forEach(VirtualInstance::hang);
        c.leave();
        assertThat(b.awaitOrder(A, B)).isTrue();

        assertThat(b.report().lastChange().orElseThrow().cause())
                .containsOnlyOnce("left out: no acknowledgement within the settle timeout")
                .contains(" and 2 more left out");
    }

    @Test
    void instancesThatLeaveDoNotDisplaceALostOne() {
        settled(a, b, c);
        c.kill();
        assertThat(a.awaitOrder(A, B)).isTrue();
        for (int i = 0; i < 25; i++) {
            started(String.format("e3f0c1d2-0000-4000-8000-%012d", i), "guest-" + i)
                    .leave();
            assertThat(a.awaitOrder(A, B)).isTrue();
        }

        assertThat(a.report().problems()).singleElement().asString().contains("author-c");
    }

    @Test
    void onlyAFewThatLeftAreRemembered() {
        settled(a, b, c);
        for (int i = 0; i < 25; i++) {
            VirtualInstance guest = started(String.format("e3f0c1d2-0000-4000-8000-%012d", i), "guest-" + i);
            guest.leave();
            assertThat(a.awaitOrder(A, B, C)).isTrue();
        }

        assertThat(a.report().recentlyLeft()).hasSize(20);
        assertThat(a.report().recentlyLeft().get(0).name()).contains("guest-24");
    }

    @Test
    void leftOutIsKnownWithoutTheHistory() {
        settled(a, b, c);
        b.hang();
        c.leave();
        assertThat(a.awaitOrder(A)).isTrue();
        time.run(2_000);

        assertThat(a.report().history().entries()).isEmpty();
        assertThat(status(a, B).state()).isEqualTo(InstanceState.LEFT_OUT);
        assertThat(status(a, B).listener()).contains(VirtualInstance.LISTENER);
        assertThat(status(b, B).state()).isEqualTo(InstanceState.LEFT_OUT);
        assertThat(b.state()).isEqualTo(State.LEFT_OUT);
        assertThat(change(b).cause()).startsWith("this instance was left out");
        assertThat(labels(change(b).gone())).containsExactly("author-c (c3f0c1d2)");
        assertThat(row(b, A).status().state()).isEqualTo(InstanceState.MOVED_ON);
        assertThat(ensemble.readings()).isZero();
    }

    @Test
    void anInstanceIsLeftOutUntilItsListenersReturn() {
        settled(a, b, c);
        b.hang();
        c.leave();
        assertThat(a.awaitOrder(A)).isTrue();
        c = started(C, "author-c");
        assertThat(a.awaitOrder(A, C)).isTrue();
        time.run(4_000_000);
        assertThat(b.state()).isEqualTo(State.LEFT_OUT);
        assertThat(status(b, B).state()).isEqualTo(InstanceState.LEFT_OUT);

        b.goOn();
        assertThat(a.awaitOrder(A, C, B)).isTrue();
        assertThat(b.await(State.SETTLED)).isTrue();
    }

    @Test
    void theInstanceThatIsAwaitedCountsDownAsTheOthersDo() {
        settled(a, b, c);
        c.hang();
        b.leave();
        assertThat(time.runUntil(() -> a.report().status().countdown().isPresent(), 20_000))
                .isTrue();

        assertThat(change(c).countdown()).hasValueSatisfying(countdown -> {
            assertThat(countdown.what())
                    .isEqualTo(change(a).countdown().orElseThrow().what());
            assertThat(countdown.atMillis())
                    .isCloseTo(change(a).countdown().orElseThrow().atMillis(), within(200L));
        });
        assertThat(c.report().status().countdown()).isPresent();
    }

    @Test
    void anInstanceAloneIsNotLeftOut() {
        settled(a, b, c);
        a.hang();
        b.leave();
        c.leave();
        assertThat(a.await(State.CHANGING)).isTrue();
        time.run(1_000);

        assertThat(a.report().sentence()).contains("waiting for listener");
        assertThat(change(a).countdown()).isEmpty();
    }

    @Test
    void aCutOffInstanceKnowsNothingOfTheOthers() {
        settled(a, b, c);
        a.store().cut(20);
        assertThat(a.await(State.CUT_OFF)).isTrue();

        assertThat(status(a, A).state()).isEqualTo(InstanceState.CUT_OFF);
        assertThat(status(a, B).state()).isEqualTo(InstanceState.UNKNOWN);
        assertThat(change(a).gone()).isEmpty();
        assertThat(change(a).cause()).contains("lease is over");
        assertThat(row(a, A).wasLeader()).isTrue();
    }

    @Test
    void aConnectionThatIsLostLeavesTheMembersAsLastKnown() {
        settled(a, b, c);
        a.store().cut(20);
        assertThat(a.await(State.SUSPENDED)).isTrue();

        assertThat(a.report().change()).isEmpty();
        assertThat(status(a, B).state()).isEqualTo(InstanceState.SETTLED);
        assertThat(status(a, B).reason()).contains("as last known");
        assertThat(row(a, A).leader()).isTrue();
    }

    @Test
    void aRefusedInstanceSeesTheMembersOfTheEstablishedView() {
        settled(a, b, c);
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
        assertThat(twin.report().change().orElseThrow().cause()).isEqualTo("this instance was started");
        assertThat(twin.report().ifStopped()).isEmpty();
    }

    @Test
    void beforeTheFirstAnswerTheAddressIsNamed() {
        VirtualInstance lonely = new VirtualInstance(D, ++pids, time, ensemble);
        lonely.instance().describe("ZooKeeper zk1:2181, root /sling/discovery, cluster default", List::of);
        lonely.store().cut(20);
        lonely.instance().start();
        time.run(3_000);

        assertThat(lonely.state()).isEqualTo(State.CONNECTING);
        assertThat(lonely.report().sentence())
                .contains("ZooKeeper zk1:2181")
                .contains("no server answers")
                .doesNotContain("void");
    }

    @Test
    void aCutOffInstanceNamesTheAddressAndWhatToCheck() {
        a.instance().describe("ZooKeeper zk1:2181, root /sling/discovery, cluster default", List::of);
        settled(a, b, c);
        a.store().cut(20);
        assertThat(a.await(State.CUT_OFF)).isTrue();

        assertThat(a.report().sentence()).contains("ZooKeeper zk1:2181", "check whether the servers run");
        assertThat(a.report().recent().transitions().get(0).sentence()).contains("ZooKeeper zk1:2181");
        assertThat(a.report().problems())
                .singleElement()
                .asString()
                .contains("ZooKeeper zk1:2181", "check whether the servers run");

        a.store().restore();
        assertThat(a.await(State.SETTLED)).isTrue();
        assertThat(a.report().problems()).isEmpty();
    }

    @Test
    void tellsWhoLeadsIfThisInstanceStops() {
        settled(a, b, c);
        a.instance().describeLeaseUsers(() -> List.of("com.example.jobs"));

        assertThat(a.report().ifStopped()).hasValueSatisfying(then -> {
            assertThat(then.leads()).isTrue();
            assertThat(then.leaderId()).contains(B);
            assertThat(then.leaseUsers()).containsExactly("com.example.jobs");
            assertThat(then.sentence())
                    .isEqualTo("if this instance stops, author-b (b3f0c1d2) leads; the lease is used here by"
                            + " com.example.jobs");
        });
        assertThat(b.report().ifStopped()).hasValueSatisfying(then -> {
            assertThat(then.leads()).isFalse();
            assertThat(then.leaderId()).contains(A);
            assertThat(then.leaseUsers()).isEmpty();
        });
    }

    @Test
    void sentencesNameInstancesByTheirNames() {
        settled(a, b, c);

        assertThat(b.report().sentence()).contains("leader author-a (a3f0c1d2)").doesNotContain(A);
        assertThat(b.report().view().orElseThrow().leader()).isEqualTo("author-a (a3f0c1d2)");
        assertThat(b.report().view().orElseThrow().cause()).isEqualTo("author-c (c3f0c1d2) joined");
        assertThat(b.report().recent().events().get(0).details()).isEqualTo("author-c (c3f0c1d2) joined");
        assertThat(b.report().names().byId()).isEqualTo(Map.of(A, "author-a", B, "author-b", C, "author-c"));
    }
}
