// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What moves, and what moves first, when a worker, a bundle or an instance goes. */
class HandOverTest extends WorkingCluster {

    private long goneAt;

    @Test
    void theEndOfTheLeaderMovesItsKeysOnly() {
        startThree();
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
    void aWorkerThatGoesGivesItsKeysToOthers() {
        startThree();
        WorkingInstance b = all.get(1);
        CompletableFuture<Void> removed = b.withdraw("s");
        result(removed);
        assertThat(count(b)).isZero();
        until(() -> count(all.get(0)) == 3 && count(all.get(2)) == 3);
        b.offer("s", KEYS);
        until(() -> all.stream().allMatch(each -> count(each) == 2));
    }

    @Test
    void aBundleThatStopsHandsOverFirst() {
        startThree();
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
    void aBundleThatStopsBeforeItsInstanceIsAMemberIsNotWaitedFor() {
        WorkingInstance a = new WorkingInstance("a", 1, time, ensemble, witness);
        assertThat(a.work.close()).isCompleted();
    }

    @Test
    void anInstanceThatStepsDownBeginsAgain() {
        startThree();
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
                        .mapToInt(WorkingCluster::count)
                        .sum());
            }
        });
        leave.run();
        until(() -> !placed.isEmpty());
        return placed.get(0);
    }

    @Test
    void aStepDownHandsOverFirst() {
        startThree();
        WorkingInstance a = all.get(0);
        a.slow.put(a.running.keySet().iterator().next(), 2_000L);
        assertThat(placedWhenItGoes(a, a.instance.operator()::stepDown)).isEqualTo(6);
        until(() -> all.stream().allMatch(each -> count(each) == 2));
    }

    @Test
    void aHangingEndDelaysAStepDownForAWhile() {
        startThree();
        WorkingInstance a = all.get(0);
        a.slow.put(a.running.keySet().iterator().next(), 30_000L);
        long start = time.now();
        assertThat(placedWhenItGoes(a, a.instance.operator()::stepDown)).isEqualTo(5);
        assertThat(goneAt - start).isBetween(5_000L, 6_000L);
        until(() -> all.stream().allMatch(each -> count(each) == 2));
    }

    @Test
    void aCleanStopHandsOverFirst() {
        startThree();
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
}
