// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import io.github.discoveryzk.work.NotOwnerException;
import io.github.discoveryzk.work.Ownership;
import io.github.discoveryzk.work.rules.Assignment;
import io.github.discoveryzk.work.rules.Participant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work on instances on virtual time. */
class WorkTest {

    private static final String[] KEYS =
            IntStream.range(0, 6).mapToObj(i -> "k" + i).toArray(String[]::new);

    private final VirtualTime time = new VirtualTime();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time, "cluster");
    private final Witness witness = new Witness(ensemble);
    private final List<WorkingInstance> all = new ArrayList<>();
    private long goneAt;

    private WorkingInstance start(String id, String... keys) {
        WorkingInstance started = new WorkingInstance(id, all.size() + 1, time, ensemble, witness);
        all.add(started);
        started.offer("s", keys);
        until(started::isSettled);
        return started;
    }

    private void until(BooleanSupplier condition) {
        assertThat(time.runUntil(condition, 120_000)).isTrue();
    }

    private static int count(WorkingInstance instance) {
        return instance.running.size();
    }

    private <T> T result(CompletionStage<T> stage) {
        until(() -> stage.toCompletableFuture().isDone());
        return stage.toCompletableFuture().join();
    }

    @Test
    void theFirstHandlesAllAndOthersTakePartWhenItIsCalm() {
        WorkingInstance a = start("a", KEYS);
        until(() -> count(a) == 6);
        WorkingInstance b = start("b", KEYS);
        WorkingInstance c = start("c", KEYS);
        time.run(WorkingInstance.BALANCE_DELAY - 5_000);
        assertThat(count(a)).as("too early for a balance").isEqualTo(6);
        until(() -> count(a) == 2 && count(b) == 2 && count(c) == 2);
        assertThat(a.calls.stream().filter(each -> each.startsWith("end"))).hasSize(4);
        assertThat(b.work.owners("s")).hasSize(6).containsValues("a", "b", "c");
        assertThat(b.work.owners("other")).isEmpty();
        int before = witness.begun;
        time.run(600_000);
        assertThat(witness.begun).as("nothing moves any more").isEqualTo(before);
    }

    private void three() {
        start("a", KEYS);
        start("b", KEYS);
        start("c", KEYS);
        until(() -> all.stream().allMatch(each -> count(each) == 2));
        time.run(1_000);
    }

    @Test
    void anInstanceObjectsToBeingStoppedWhileItsKeysHaveNoOtherPlace() {
        WorkingInstance a = start("a", "k0", "only");
        until(() -> count(a) == 2);
        assertThat(a.work.section().objections()).singleElement().asString().contains("offers: 2, such as s/k0");
        WorkingInstance b = start("b", "k0");
        until(() -> a.work.section().objections().toString().contains("offers: 1, such as s/only"));
        a.slow.put("s/k0", 10_000L);
        until(() -> a.work.section().objections().toString().contains("hands over: 1, such as s/k0"));
        until(() -> count(b) == 1);
        assertThat(b.work.section().objections()).isEmpty();
    }

    @Test
    void aContainerIsReadyOnceTheStoreHasWhatItOffers() {
        WorkingInstance a = start("a", KEYS);
        until(() -> count(a) == 6);
        WorkingInstance b = start("b", KEYS);
        b.instance.describeParts(() -> List.of(b.work.section()), false);
        until(b::isSettled);
        Reporter reporter = b.instance.reporter();
        assertThat(reporter.startup().sentence()).contains("still reading");
        until(() -> reporter.startup().isReady());
        assertThat(b.instance
                        .data()
                        .map(Work.SCOPE, Work.PARTICIPANTS, Participant.KIND)
                        .entries()
                        .values())
                .anyMatch(each -> each.writer().equals("b"));
        time.run(600_000);
        assertThat(reporter.startup().isReady()).isTrue();
    }

    @Test
    void theEndOfTheLeaderMovesItsKeysOnly() {
        three();
        Set<String> ofB = Set.copyOf(all.get(1).running.keySet());
        Set<String> ofC = Set.copyOf(all.get(2).running.keySet());
        all.get(0).kill();
        until(() -> count(all.get(1)) == 3 && count(all.get(2)) == 3);
        assertThat(all.get(1).running.keySet()).containsAll(ofB);
        assertThat(all.get(2).running.keySet()).containsAll(ofC);
        assertThat(all.get(1).calls).noneMatch(each -> each.startsWith("end"));
        assertThat(all.get(2).calls).noneMatch(each -> each.startsWith("end"));
    }

    @Test
    void anOwnerThatIsCutOffEndsItsWorkBeforeOthersBeginIt() {
        three();
        WorkingInstance cut = all.get(2);
        List<Ownership> held = List.copyOf(cut.running.values());
        assertThat(held).allMatch(Ownership::isHeld);
        held.forEach(Ownership::check);
        cut.store.cut(10);
        time.run(WorkingInstance.SESSION_TIMEOUT * 2 / 3 - 500);
        assertThat(count(cut)).as("as long as the lease lasts").isEqualTo(2);
        until(() -> count(cut) == 0);
        assertThat(witness.isLive(cut.node())).as("its session has not ended").isTrue();
        assertThat(held).noneMatch(Ownership::isHeld);
        assertThatThrownBy(held.get(0)::check)
                .isInstanceOf(NotOwnerException.class)
                .hasMessageContaining("of set s with token " + held.get(0).token());
        until(() -> count(all.get(0)) == 3 && count(all.get(1)) == 3);
        cut.store.restore();
        until(() -> count(cut) == 2);
    }

    @Test
    void anOwnerThatComesBackInTimeBeginsWithAnotherToken() {
        three();
        WorkingInstance cut = all.get(2);
        Map<String, Ownership> held = Map.copyOf(cut.running);
        cut.store.cut(10);
        until(() -> count(cut) == 0);
        cut.store.restore();
        until(() -> count(cut) == 2);
        cut.running.forEach((key, now) -> {
            assertThat(now.isHeld()).isTrue();
            assertThat(held.values()).noneMatch(before -> before.token() == now.token());
        });
    }

    @Test
    void aHangingEndDelaysItsOwnKeyOnly() {
        WorkingInstance a = start("a", KEYS);
        until(() -> count(a) == 6);
        KEYS_OF_A_THAT_END_SLOWLY.forEach(key -> a.slow.put(key, 60_000L));
        WorkingInstance b = start("b", KEYS);
        List<String> shown = new ArrayList<>();
        List<Finding> findings = new ArrayList<>();
        List<Integer> counts = new ArrayList<>();
        Map<String, Double> metrics = new TreeMap<>();
        List<Double> awaited = new ArrayList<>();
        time.after(WorkingInstance.BALANCE_DELAY + 20_000, () -> {
            counts.add(count(b));
            a.work.section().content().rows().forEach(row -> shown.add(row.get(4)));
            findings.addAll(a.work.section().findings());
            metrics.putAll(Metric.flat(a.work.section().metrics()));
            awaited.add(Metric.flat(b.work.section().metrics()).get("work_awaited_keys"));
        });
        until(() -> count(b) == 3);
        assertThat(counts).containsExactly(2);
        assertThat(metrics).containsEntry("work_keys", 4.0);
        assertThat(metrics).containsEntry("work_hanging_calls", 1.0);
        assertThat(metrics).containsEntry("work_handed_over_total", 2.0);
        assertThat(awaited).containsExactly(1.0);
        assertThat(shown).anySatisfy(each -> assertThat(each)
                .startsWith("being handed over from a to b, waits for end of the worker of a for ")
                .endsWith(" s"));
        assertThat(findings).singleElement().satisfies(each -> assertThat(each.sentence())
                .startsWith("Keys that wait for end of the worker of a: 1, such as s/k0, for ")
                .endsWith(" s; no other instance handles them before."));
        assertThat(a.isSettled()).isTrue();
        assertThat(count(a)).isEqualTo(3);
        assertThat(b.work.section().content().sentences())
                .containsExactly(
                        "6 keys, each with one owner. If this instance stops, 3 of them move: s/k0, s/k1, s/k2.");
    }

    /** The first keys of a set are handed over. */
    private static final List<String> KEYS_OF_A_THAT_END_SLOWLY = List.of("s/k0");

    @Test
    void aKeyThatCannotBeginIsGivenBackAndTriedLater() {
        WorkingInstance a = start("a", "k");
        a.failing.add("s/k");
        WorkingInstance b = start("b");
        until(() -> a.calls.contains("begin s/k"));
        until(() -> !a.work.section().findings().isEmpty());
        assertThat(a.work.section().findings()).singleElement().satisfies(each -> assertThat(each.sentence())
                .startsWith("Keys that could not begin here: 1, such as s/k; "));
        b.offer("s", "k");
        until(() -> count(b) == 1);
        b.kill();
        a.failing.clear();
        until(() -> count(a) == 1);
        assertThat(a.work.section().findings()).isEmpty();
    }

    @Test
    void attemptsToBeginBecomeRare() {
        WorkingInstance a = start("a", "k");
        a.failing.add("s/k");
        time.run(3_600_000);
        assertThat(a.calls.size()).isBetween(12, 30);
    }

    @Test
    void aWorkerThatGoesGivesItsKeysToOthers() {
        three();
        WorkingInstance b = all.get(1);
        CompletableFuture<Void> removed = b.withdraw("s");
        result(removed);
        assertThat(count(b)).isZero();
        until(() -> count(all.get(0)) == 3 && count(all.get(2)) == 3);
        b.offer("s", KEYS);
        until(() -> all.stream().allMatch(each -> count(each) == 2));
    }

    @Test
    void keysMayChangeAtAnyTime() {
        WorkingInstance a = start("a", "k0", "k1");
        until(() -> count(a) == 2);
        a.offer("s", "k1", "k2");
        until(() -> a.running.keySet().equals(Set.of("s/k1", "s/k2")));
        assertThat(a.calls).containsOnlyOnce("end s/k0", "begin s/k1", "begin s/k2");
        until(() -> a.work.owners("s").equals(Map.of("k1", "a", "k2", "a")));
    }

    @Test
    void aBundleThatStopsHandsOverFirst() {
        three();
        WorkingInstance c = all.get(2);
        c.slow.put(c.running.keySet().iterator().next(), 10_000L);
        int before = witness.begun;
        CompletableFuture<Void> closed = c.work.close();
        until(closed::isDone);
        assertThat(count(c)).isZero();
        until(() -> count(all.get(0)) == 3 && count(all.get(1)) == 3);
        assertThat(witness.begun).isEqualTo(before + 2);
        assertThat(c.work.section().content().rows()).hasSize(6);
    }

    @Test
    void aBundleThatStartsAgainWaitsForWhatStillEnds() {
        WorkingInstance a = start("a", "k");
        until(() -> count(a) == 1);
        a.slow.put("s/k", 20_000L);
        a.restartWork();
        a.offer("s", "k");
        until(() -> a.calls.equals(List.of("begin s/k", "end s/k", "begin s/k")));
    }

    @Test
    void anInstanceThatStepsDownBeginsAgain() {
        three();
        all.get(0).instance.operator().stepDown();
        until(() ->
                all.get(0).calls.stream().filter(each -> each.startsWith("end")).count() == 6);
        until(() -> all.stream().allMatch(each -> count(each) == 2));
    }

    /** Returns how many keys the others have when the member node of an instance goes. */
    private int placedWhenItGoes(WorkingInstance leaver, Runnable leave) {
        String node = leaver.node();
        List<Integer> placed = new ArrayList<>();
        ensemble.onMembership(() -> {
            if (placed.isEmpty() && !witness.isLive(node)) {
                goneAt = time.now();
                placed.add(all.stream()
                        .filter(each -> each != leaver)
                        .mapToInt(WorkTest::count)
                        .sum());
            }
        });
        leave.run();
        until(() -> !placed.isEmpty());
        return placed.get(0);
    }

    @Test
    void aStepDownHandsOverFirst() {
        three();
        WorkingInstance a = all.get(0);
        a.slow.put(a.running.keySet().iterator().next(), 2_000L);
        assertThat(placedWhenItGoes(a, a.instance.operator()::stepDown)).isEqualTo(6);
        until(() -> all.stream().allMatch(each -> count(each) == 2));
    }

    @Test
    void aHangingEndDelaysAStepDownForAWhile() {
        three();
        WorkingInstance a = all.get(0);
        a.slow.put(a.running.keySet().iterator().next(), 30_000L);
        long start = time.now();
        assertThat(placedWhenItGoes(a, a.instance.operator()::stepDown)).isEqualTo(5);
        assertThat(goneAt - start).isBetween(5_000L, 6_000L);
        until(() -> all.stream().allMatch(each -> count(each) == 2));
    }

    @Test
    void aCleanStopHandsOverFirst() {
        three();
        WorkingInstance b = all.get(1);
        assertThat(placedWhenItGoes(b, b::stop)).isEqualTo(6);
        assertThat(b.calls.stream().filter(each -> each.startsWith("end"))).hasSize(2);
    }

    @Test
    void aRollingRestartMovesEachKeyAtMostTwice() {
        String[] keys = IntStream.range(0, 30).mapToObj(i -> "k" + i).toArray(String[]::new);
        List<WorkingInstance> members = new ArrayList<>();
        List.of("a", "b", "c").forEach(id -> members.add(start(id, keys)));
        until(() -> members.stream().allMatch(each -> count(each) == 10));
        members.forEach(each -> each.calls.clear());
        for (int i = 0; i < 3; i++) {
            WorkingInstance stopped = members.get(i);
            String node = stopped.node();
            stopped.stop();
            until(() -> !witness.isLive(node));
            members.set(i, start(stopped.id, keys));
        }
        until(() -> members.stream().allMatch(each -> count(each) == 10));
        Map<String, Integer> moves = new TreeMap<>();
        all.stream()
                .flatMap(each -> each.calls.stream())
                .filter(each -> each.startsWith("begin"))
                .forEach(each -> moves.merge(each, 1, Integer::sum));
        assertThat(moves).hasSize(30);
        assertThat(moves.values()).allMatch(each -> each <= 2);
    }

    @Test
    void aDeletedTreeIsFilledAgain() {
        three();
        ensemble.deleteEverything();
        until(() -> all.stream().mapToInt(WorkTest::count).sum() == 6
                && all.get(0).work.owners("s").size() == 6
                && all.stream().allMatch(WorkingInstance::isSettled));
        time.run(60_000);
        assertThat(all.stream().mapToInt(WorkTest::count).sum()).isEqualTo(6);
    }

    @Test
    void aParticipantThatCannotBeReadKeepsItsKeys() {
        three();
        WorkingInstance c = all.get(2);
        Set<String> ofC = Set.copyOf(c.running.keySet());
        SharedMap<Map<String, Map<String, String>>> participants =
                all.get(0).instance.data().map(Work.SCOPE, Work.PARTICIPANTS, Participant.KIND);
        Map.Entry<String, Versioned<Map<String, Map<String, String>>>> entry =
                participants.entries().entrySet().stream()
                        .filter(each -> each.getValue().writer().equals("c"))
                        .findFirst()
                        .orElseThrow();
        Map<String, Map<String, String>> ofAnotherVersion = Map.of("", Map.of("version", "2"));
        assertThat(result(participants.replace(entry.getKey(), Optional.of(entry.getValue()), ofAnotherVersion)))
                .isInstanceOf(Written.Done.class);
        all.get(1).kill();
        until(() -> count(all.get(0)) == 4);
        assertThat(all.get(0).work.owners("s").values().stream().filter("c"::equals))
                .hasSize(2);
        assertThat(c.running.keySet()).isEqualTo(ofC);
    }

    @Test
    void whatAZombieWritesIsRefusedByTheStore() {
        three();
        WorkingInstance zombie = all.get(2);
        Map.Entry<String, Ownership> held = zombie.running.entrySet().iterator().next();
        SharedMap<Long> progress = zombie.instance.data().map("app", "progress", DataKind.NUMBER);
        assertThat(result(progress.replace("k", Optional.empty(), 1L, held.getValue())))
                .isInstanceOf(Written.Done.class);
        zombie.pause();
        until(() -> count(all.get(0)) == 3 && count(all.get(1)) == 3);
        WorkingInstance heir = all.stream()
                .filter(each -> each.running.containsKey(held.getKey()) && each != zombie)
                .findFirst()
                .orElseThrow();
        SharedMap<Long> read = heir.instance.data().map("app", "progress", DataKind.NUMBER);
        Optional<Versioned<Long>> found = result(read.read("k"));
        assertThat(found.map(Versioned::value)).hasValue(1L);
        assertThat(result(read.replace("k", found, 2L, heir.running.get(held.getKey()))))
                .isInstanceOf(Written.Done.class);
        zombie.resume();
        Optional<Versioned<Long>> late = result(read.read("k"));
        assertThat(result(progress.replace("k", late, 0L, held.getValue()))).isInstanceOf(Written.Refused.class);
    }

    /** It learns of nothing for half a minute, so that all its writes reach the store. */
    @Test
    void eachWriteOfAZombieIsRefusedByTheStoreItself() {
        three();
        WorkingInstance zombie = all.get(2);
        Ownership held = zombie.running.values().iterator().next();
        zombie.excuse(30_000);
        zombie.store.stall(0, 30_000);
        assertThat(all.get(0).instance.operator().evict("c").success()).isTrue();
        until(() -> count(all.get(0)) == 3 && count(all.get(1)) == 3);
        SharedMap<Long> progress = zombie.instance.data().map("app", "progress", DataKind.NUMBER);
        List<CompletionStage<Written<Long>>> writes = IntStream.range(0, 100)
                .mapToObj(i -> progress.replace("k" + i, Optional.empty(), 1L, held))
                .toList();
        time.run(20_000);
        assertThat(writes).as("they are on their way back").noneMatch(each -> each.toCompletableFuture()
                .isDone());
        assertThat(writes).allMatch(each -> result(each) instanceof Written.Refused);
    }

    @Test
    void aFormerOwnerThatIsAMemberIsRefusedToo() {
        WorkingInstance a = start("a", "k0", "k1");
        until(() -> count(a) == 2);
        Map<String, Ownership> held = Map.copyOf(a.running);
        WorkingInstance b = start("b", "k0", "k1");
        until(() -> count(b) == 1);
        SharedMap<Long> progress = a.instance.data().map("app", "progress", DataKind.NUMBER);
        held.forEach((key, ownership) -> assertThat(
                        result(progress.replace(ownership.key(), Optional.empty(), 1L, ownership)))
                .as(key)
                .isInstanceOf(a.running.containsKey(key) ? Written.Done.class : Written.Refused.class));
    }

    @Test
    void theFenceSurvivesChangesOfOtherKeys() {
        WorkingInstance a = start("a", "k0");
        until(() -> count(a) == 1);
        Ownership held = a.running.get("s/k0");
        SharedMap<Long> progress = a.instance.data().map("app", "progress", DataKind.NUMBER);
        Optional<Versioned<Long>> last = Optional.empty();
        for (int i = 1; i <= 5; i++) {
            a.offer(
                    "s",
                    IntStream.rangeClosed(0, i).mapToObj(each -> "k" + each).toArray(String[]::new));
            time.run(7);
            Written<Long> written = result(progress.replace("k", last, (long) i, held));
            assertThat(written).isInstanceOf(Written.Done.class);
            last = ((Written.Done<Long>) written).now();
        }
        assertThat(last.orElseThrow().token()).hasValue(held.token());
    }

    @Test
    void keysWithoutAnOwnerAreNamed() {
        WorkingInstance a = start("a");
        a.offer("s", IntStream.range(0, 1_002).mapToObj(i -> "k" + i).toArray(String[]::new));
        until(() -> count(a) == 1_000);
        until(() -> !a.work.section().findings().isEmpty());
        assertThat(a.work.section().findings()).singleElement().satisfies(each -> assertThat(each.sentence())
                .isEqualTo("Keys that this instance offers have no owner: 2; there are more than 1000 keys."));
    }

    @Test
    void aBundleThatStopsBeforeItsInstanceIsAMemberIsNotWaitedFor() {
        WorkingInstance a = new WorkingInstance("a", 1, time, ensemble, witness);
        assertThat(a.work.close()).isCompleted();
    }

    @Test
    void aRecordThatCannotBeUsedIsNamedAndChangesNothing() {
        WorkingInstance a = start("a", "k");
        until(() -> count(a) == 1);
        var record = a.instance.data().value(Work.SCOPE, Work.ASSIGNMENTS, Assignment.KIND);
        result(record.update(any -> new TreeMap<>(Map.of("s", Map.of("k", "?")))));
        until(() -> !a.work.section().findings().isEmpty());
        assertThat(a.work.section().findings().get(0).sentence()).contains("cannot be used");
        time.run(10_000);
        assertThat(count(a)).isEqualTo(1);
    }

    @AfterEach
    void nothingBroke() {
        assertThat(witness.broken).isEmpty();
    }
}
