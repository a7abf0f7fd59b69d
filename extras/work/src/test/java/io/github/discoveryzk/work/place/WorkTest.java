// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.work.rules.Assignment;
import io.github.discoveryzk.work.rules.Participant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who is given which key, and what is said of a key that has to wait. */
class WorkTest extends WorkingCluster {

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
    void keysMayChangeAtAnyTime() {
        WorkingInstance a = start("a", "k0", "k1");
        until(() -> count(a) == 2);
        a.offer("s", "k1", "k2");
        until(() -> a.running.keySet().equals(Set.of("s/k1", "s/k2")));
        assertThat(a.calls).containsOnlyOnce("end s/k0", "begin s/k1", "begin s/k2");
        until(() -> a.work.owners("s").equals(Map.of("k1", "a", "k2", "a")));
    }

    @Test
    void aDeletedTreeIsFilledAgain() {
        startThree();
        ensemble.deleteEverything();
        until(() -> all.stream().mapToInt(WorkingCluster::count).sum() == 6
                && all.get(0).work.owners("s").size() == 6
                && all.stream().allMatch(WorkingInstance::isSettled));
        time.run(60_000);
        assertThat(all.stream().mapToInt(WorkingCluster::count).sum()).isEqualTo(6);
    }

    @Test
    void aParticipantThatCannotBeReadKeepsItsKeys() {
        startThree();
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
    void keysWithoutAnOwnerAreNamed() {
        WorkingInstance a = start("a");
        a.offer("s", IntStream.range(0, 1_002).mapToObj(i -> "k" + i).toArray(String[]::new));
        until(() -> count(a) == 1_000);
        until(() -> !a.work.section().findings().isEmpty());
        assertThat(a.work.section().findings()).singleElement().satisfies(each -> assertThat(each.sentence())
                .isEqualTo("Keys that this instance offers have no owner: 2; there are more than 1000 keys."));
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
}
