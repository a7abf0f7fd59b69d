// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import static io.github.discoveryzk.work.rules.Participants.keys;
import static io.github.discoveryzk.work.rules.Participants.participant;
import static io.github.discoveryzk.work.rules.Participants.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.work.rules.Participant.Id;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of balance and of the least movement, and of the tokens, in random histories. */
class RandomAssignmentsTest {

    private final Map<WorkKey, Map<Long, Id>> tokens = new HashMap<>();
    private List<Participant> participants = new ArrayList<>();
    private Assignment record = Assignment.NONE;
    private int names;

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    private void assign(boolean calm) {
        Assignment before = record;
        List<Participant> given =
                participants.stream().map(each -> released(each, record)).toList();
        record = Assignor.assign(before, given, calm, 0);
        assertThat(Assignor.assign(before, given, calm, 0))
                .as("L26: the same for all")
                .isEqualTo(record);
        assertThat(record == before || record.number() > before.number()).isTrue();
        record.holdings().forEach((key, holding) -> {
            Id known =
                    tokens.computeIfAbsent(key, any -> new HashMap<>()).putIfAbsent(holding.since(), holding.owner());
            assertThat(known).as("L26 Token: %s has one owner", key).isIn(null, holding.owner());
            assertThat(tokens.get(key).keySet()).allMatch(since -> since <= holding.since());
        });
    }

    private void settle() {
        for (int round = 0; round < 10; round++) {
            Assignment before = record;
            assign(true);
            if (record == before) {
                return;
            }
        }
        throw new AssertionError("L28: keys move for ever: " + record);
    }

    private static long moved(Assignment before, Assignment after) {
        return after.holdings().entrySet().stream()
                .filter(each -> before.holdings().containsKey(each.getKey())
                        && !before.holdings()
                                .get(each.getKey())
                                .owner()
                                .equals(each.getValue().owner()))
                .count();
    }

    private Map<Id, Long> loads() {
        Map<Id, Long> loads = new HashMap<>();
        participants.forEach(each -> loads.put(each.id(), 0L));
        record.holdings().values().forEach(each -> loads.merge(each.owner(), 1L, Long::sum));
        return loads;
    }

    private Participant joining(SortedSet<WorkKey> keys) {
        return participant("i" + names++, keys);
    }

    /** All offer all keys, so each leave and each join has a least movement. */
    @ParameterizedTest
    @MethodSource("seeds")
    void leavesAndJoinsMoveAsLittleAsPossible(long seed) {
        Random random = new Random(seed);
        SortedSet<WorkKey> keys = new TreeSet<>();
        for (int i = 1 + random.nextInt(40); i > 0; i--) {
            keys.add(new WorkKey("s" + random.nextInt(5), "k" + i));
        }
        participants.add(joining(keys));
        for (int step = 0; step < 12; step++) {
            Assignment before = record;
            if (participants.size() > 1 && random.nextBoolean()) {
                Id left =
                        participants.remove(random.nextInt(participants.size())).id();
                settle();
                before.holdings().forEach((key, holding) -> {
                    if (!holding.owner().equals(left)) {
                        assertThat(record.holdings()).as("L28: a leave").containsEntry(key, holding);
                    }
                });
            } else {
                participants.add(joining(keys));
                settle();
                assertThat(moved(before, record))
                        .as("L28: a join")
                        .isLessThanOrEqualTo(-Math.floorDiv(-keys.size(), participants.size()));
            }
            LongStream all = loads().values().stream().mapToLong(each -> each);
            Collection<Long> sorted = all.boxed().collect(Collectors.toCollection(TreeSet::new));
            assertThat(((TreeSet<Long>) sorted).last() - ((TreeSet<Long>) sorted).first())
                    .as("L27 Balance")
                    .isLessThanOrEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void keysStayInBalanceWithAnyOffers(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 15; step++) {
            change(random);
            if (random.nextInt(3) > 0) {
                assign(random.nextBoolean());
                continue;
            }
            settle();
            Assignment settled = record;
            participants.sort(
                    (one, other) -> other.id().entry().compareTo(one.id().entry()));
            settle();
            assertThat(record)
                    .as("L28: another order, as of another leader, moves nothing")
                    .isSameAs(settled);
            SortedSet<WorkKey> offered = new TreeSet<>();
            participants.forEach(each -> offered.addAll(each.keys()));
            assertThat(record.holdings().keySet()).as("L29 Live").isEqualTo(offered);
            assertInBalance();
        }
    }

    private void change(Random random) {
        SortedSet<WorkKey> some = keys("s", 20);
        some.removeIf(any -> random.nextInt(3) == 0);
        int chosen = random.nextInt(participants.size() + 1);
        if (chosen == participants.size()) {
            participants.add(joining(some));
        } else if (random.nextBoolean()) {
            participants.set(
                    chosen,
                    new Participant(
                            participants.get(chosen).id(),
                            some,
                            participants.get(chosen).released()));
        } else if (participants.size() > 1) {
            participants.remove(chosen);
        }
    }

    private void assertInBalance() {
        Map<Id, Long> loads = loads();
        record.holdings().forEach((key, holding) -> participants.stream()
                .filter(each -> each.keys().contains(key))
                .forEach(other -> assertThat(loads.get(holding.owner()) - loads.get(other.id()))
                        .as("L27 Balance: %s could move to %s", key, other.id())
                        .isLessThanOrEqualTo(1)));
    }
}
