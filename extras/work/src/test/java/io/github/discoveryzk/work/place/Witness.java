// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.Laws;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.work.Ownership;
import io.github.discoveryzk.work.rules.Assignment;
import io.github.discoveryzk.work.rules.Assignment.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Observes all workers and the store: one worker at a time handles a key, unless the member node of another one has gone and its ownership is over;
 * tokens grow, a number has one owner, and what is written with an ownership is written while the record names it.
 */
final class Witness {

    private static final DataAddress RECORD = new DataAddress(Work.SCOPE, Work.ASSIGNMENTS, false);

    private final MemoryEnsemble ensemble;
    private final Map<String, List<Working>> workers = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>();
    private Assignment record = Assignment.NONE;
    final List<LawBroken> broken = new ArrayList<>();

    /** Keeps what breaks: a call of a worker must not throw it. */
    final Laws laws = new Laws(broken::add);

    int begun;

    /** How many writes with an ownership had an effect. */
    int fenced;

    /** A call of {@code begin} whose {@code end} has not returned. */
    private static final class Working {
        private final WorkingInstance worker;
        private final String node;
        private final Ownership ownership;
        private boolean excused;

        private Working(WorkingInstance worker, Ownership ownership) {
            this.worker = worker;
            this.node = worker.node();
            this.ownership = ownership;
            this.excused = worker.isExcused();
        }
    }

    Witness(MemoryEnsemble ensemble) {
        this.ensemble = ensemble;
        ensemble.onDataWrite((write, replaced, version) -> written(write));
    }

    /** Says whether a member node is in the store. */
    boolean isLive(String node) {
        return ensemble.members().stream().anyMatch(each -> each.node().equals(node));
    }

    void begun(WorkingInstance worker, String key, Ownership ownership) {
        begun++;
        List<Working> others = workers.computeIfAbsent(key, any -> new ArrayList<>());
        Working beginning = new Working(worker, ownership);
        if (beginning.excused && !isLive(beginning.node)) {
            // Its server still answers, and others have the key already.
            others.add(beginning);
            return;
        }
        others.forEach(each -> laws.check(
                !isLive(each.node) && (each.excused || !each.ownership.isHeld()),
                Laws.ONE_WORKER,
                () -> key + " begins at " + worker.id + " and runs at " + each.worker.id));
        long before = tokens.getOrDefault(key, 0L);
        long token = ownership.token();
        laws.check(
                token > before, Laws.WORKS_TOKEN, () -> key + " at " + worker.id + ": " + token + " after " + before);
        tokens.put(key, token);
        others.add(beginning);
    }

    void ended(String key, Ownership ownership) {
        workers.get(key).removeIf(each -> each.ownership == ownership);
    }

    /** What runs at an instance may be held although its member node goes. */
    void excuse(WorkingInstance worker) {
        workers.values()
                .forEach(all ->
                        all.stream().filter(each -> each.worker == worker).forEach(each -> each.excused = true));
    }

    private void written(DataStore.Write write) {
        if (write.address().equals(RECORD)) {
            write.next().ifPresent(next -> written(next.value()));
        } else if (write.address().name().equals(WorkingInstance.PROGRESS)) {
            long token = write.next().orElseThrow().token().orElseThrow();
            OptionalLong given = record.holdings().entrySet().stream()
                    .filter(each -> each.getKey().toString().equals(write.key()))
                    .mapToLong(each -> each.getValue().since())
                    .findFirst();
            fenced++;
            laws.check(
                    given.equals(OptionalLong.of(token)),
                    Laws.FENCE,
                    () -> write.key() + " is written with " + token + " and was given with " + given);
        }
    }

    private void written(Object value) {
        Assignment next;
        try {
            next = Assignment.decoded(Assignment.KIND.of(value));
        } catch (IllegalArgumentException e) {
            return; // A test has written it.
        }
        laws.check(next.number() > record.number(), Laws.WORKS_TOKEN, () -> next + " after " + record);
        next.holdings()
                .forEach((key, now) -> laws.check(
                        isRight(record.holdings().get(key), now, next.number()),
                        Laws.WORKS_TOKEN,
                        () -> key + " has " + now + " in " + next.number() + " after "
                                + record.holdings().get(key)));
        record = next;
    }

    private static boolean isRight(Holding before, Holding now, long number) {
        return now.since() == number
                || before != null
                        && now.since() == before.since()
                        && now.owner().equals(before.owner());
    }
}
