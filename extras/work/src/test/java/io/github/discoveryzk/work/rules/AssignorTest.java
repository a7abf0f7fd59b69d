// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import static io.github.discoveryzk.work.rules.Participants.all;
import static io.github.discoveryzk.work.rules.Participants.id;
import static io.github.discoveryzk.work.rules.Participants.key;
import static io.github.discoveryzk.work.rules.Participants.keys;
import static io.github.discoveryzk.work.rules.Participants.participant;
import static io.github.discoveryzk.work.rules.Participants.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.work.rules.Assignment.Holding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AssignorTest {

    private Assignment record = Assignment.NONE;

    private void assign(boolean calm, List<Participant> participants) {
        record = Assignor.assign(record, participants, calm, 1);
    }

    /** Assigns until nothing should change; each participant releases what it is asked for. */
    private void settle(List<Participant> participants) {
        for (int round = 0; round < 3; round++) {
            assign(
                    true,
                    participants.stream().map(each -> released(each, record)).toList());
        }
    }

    private String owner(String key) {
        return record.holdings().get(key(key)).owner().instanceId();
    }

    private Map<String, Long> loads() {
        return record.holdings().values().stream()
                .collect(Collectors.groupingBy(each -> each.owner().instanceId(), TreeMap::new, Collectors.counting()));
    }

    @Test
    void freeKeysAreSpreadOverAllSetsAndWithinEach() {
        SortedSet<WorkKey> keys = keys("a/1", "a/2", "b/1", "b/2", "c/1", "d/1");
        assign(false, all(keys, "x", "y"));
        assertThat(loads()).isEqualTo(Map.of("x", 3L, "y", 3L));
        assertThat(owner("a/1")).isEqualTo("x");
        assertThat(owner("a/2")).isEqualTo("y");
        assertThat(List.of(owner("b/1"), owner("b/2"))).containsExactlyInAnyOrder("x", "y");
        assertThat(List.of(owner("c/1"), owner("d/1"))).containsExactlyInAnyOrder("x", "y");
    }

    @Test
    void tenSetsOfOneKeyDoNotAllGoToTheMostSenior() {
        SortedSet<WorkKey> keys = new TreeSet<>();
        for (int i = 0; i < 10; i++) {
            keys.add(new WorkKey("set" + i, "only"));
        }
        assign(false, all(keys, "x", "y"));
        assertThat(loads()).isEqualTo(Map.of("x", 5L, "y", 5L));
    }

    @Test
    void keysWithFewCandidatesComeFirst() {
        Participant all = participant("x", keys("a/1", "a/2"));
        Participant one = participant("y", keys("a/1"));
        assign(false, List.of(all, one));
        assertThat(owner("a/2")).isEqualTo("x");
        assertThat(owner("a/1")).isEqualTo("y");
    }

    @Test
    void nothingMovesForABalanceBeforeItIsCalm() {
        SortedSet<WorkKey> keys = keys("a", 4);
        assign(false, all(keys, "x"));
        Assignment before = record;
        assign(false, all(keys, "x", "y"));
        assertThat(record).isSameAs(before);
        assign(true, all(keys, "x", "y"));
        assertThat(record.number()).isEqualTo(2);
        assertThat(loads()).as("y has to wait").isEqualTo(Map.of("x", 4L));
        assertThat(record.holdings().values().stream()
                        .filter(each -> each.next().equals(Optional.of(id("y")))))
                .hasSize(2);
    }

    @Test
    void aReleasedKeyGoesToWhomItWasPromised() {
        SortedSet<WorkKey> keys = keys("a", 3);
        List<Participant> both = all(keys, "x", "y");
        assign(false, all(keys, "x"));
        assign(true, both);
        Assignment asked = record;
        assign(false, both);
        assertThat(record).as("x has not released it").isSameAs(asked);
        assign(false, List.of(released(both.get(0), record), both.get(1)));
        assertThat(loads()).isEqualTo(Map.of("x", 2L, "y", 1L));
        assertThat(record.holdings().values())
                .filteredOn(each -> each.owner().equals(id("y")))
                .containsExactly(new Holding(id("y"), 3, Optional.empty(), Optional.empty()));
    }

    @Test
    void aPromiseToOneWhoIsGoneIsWithdrawn() {
        SortedSet<WorkKey> keys = keys("a", 2);
        assign(false, all(keys, "x"));
        assign(true, all(keys, "x", "y"));
        assertThat(record.holdings().values()).anyMatch(each -> each.next().isPresent());
        assign(false, all(keys, "x"));
        assertThat(record.holdings().values()).noneMatch(each -> each.next().isPresent());
        assertThat(record.holdings().values()).allMatch(each -> each.since() == 1);
    }

    @Test
    void anEarlierReleaseFreesNothing() {
        SortedSet<WorkKey> keys = keys("a/1");
        assign(false, all(keys, "x"));
        Participant late = new Participant(id("x"), keys, new TreeMap<>(Map.of(key("a/1"), 7L)));
        Assignment before = record;
        assign(true, List.of(late, participant("y", keys)));
        assertThat(record).isSameAs(before);
    }

    @Test
    void aSilentParticipantKeepsItsKeysAndIsGivenNone() {
        SortedSet<WorkKey> keys = keys("a", 6);
        assign(false, all(keys, "x"));
        assign(true, List.of(Participant.silent(id("x")), participant("y", keys)));
        assertThat(loads()).isEqualTo(Map.of("x", 6L));
        assertThat(record.holdings().values()).noneMatch(each -> each.next().isPresent());
        assign(true, List.of(Participant.silent(id("y")), participant("z", keys)));
        assertThat(loads()).as("x is gone").isEqualTo(Map.of("z", 6L));
    }

    @Test
    void aKeyWithoutAnOfferIsForgottenOnceItsOwnerHasReleasedIt() {
        assign(false, all(keys("a/1"), "x"));
        Participant without = participant("x", keys());
        assign(false, List.of(without));
        assertThat(record.holdings()).hasSize(1);
        assign(false, List.of(released(without, record)));
        assertThat(record.holdings()).isEmpty();
        assign(false, all(keys("a/1"), "x"));
        assertThat(record.holdings().get(key("a/1")).since()).isEqualTo(3);
    }

    @Test
    void numbersFollowTheViewsAndNeverRepeat() {
        record = Assignor.assign(record, all(keys("a/1"), "x"), false, 40);
        assertThat(record.number()).isEqualTo(40);
        record = Assignor.assign(record, all(keys("a/1"), "y"), false, 40);
        assertThat(record.number()).isEqualTo(41);
        assertThat(record.holdings().get(key("a/1")).since()).isEqualTo(41);
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 10, 30})
    void aRollingRestartInAnyOrderMovesEachKeyAtMostTwice(int count) {
        SortedSet<WorkKey> keys = keys("feeds", count);
        Random random = new Random(count);
        List<Participant> members = new ArrayList<>(List.of(restarted("a0", keys), restarted("b0", keys)));
        members.add(restarted("c0", keys));
        settle(members);
        for (int restart = 1; restart <= 100; restart++) {
            Map<WorkKey, Integer> moves = new TreeMap<>();
            List<Participant> order = new ArrayList<>(members);
            Collections.shuffle(order, random);
            for (Participant each : order) {
                List<Participant> now = new ArrayList<>(members);
                now.replaceAll(member -> member == each ? released(each.withoutKeys(), record) : member);
                move(moves, () -> assign(false, now));
                members.remove(each);
                move(moves, () -> assign(false, members));
                members.add(restarted(each.id().instanceId() + restart, keys));
                move(moves, () -> assign(false, members));
            }
            move(moves, () -> settle(members));
            assertThat(loads().values()).allMatch(each -> each == count / 3 || each == count / 3 + 1);
            assertThat(moves.values()).as("restart %s", restart).allMatch(each -> each <= 2);
        }
    }

    private void move(Map<WorkKey, Integer> moves, Runnable decision) {
        Assignment before = record;
        decision.run();
        count(before, moves);
    }

    private static Participant restarted(String name, SortedSet<WorkKey> keys) {
        return new Participant(
                new Participant.Id("e-" + name, "m-" + name, name.substring(0, 1)), keys, new TreeMap<>());
    }

    private void count(Assignment before, Map<WorkKey, Integer> moves) {
        record.holdings().forEach((key, holding) -> {
            if (!before.holdings().get(key).owner().equals(holding.owner())) {
                moves.merge(key, 1, Integer::sum);
            }
        });
    }

    @Test
    void keysBeyondTheLimitAreLeftOut() {
        SortedSet<WorkKey> many = keys("a", 999);
        many.addAll(keys("b", 10));
        assign(false, all(many, "x"));
        assertThat(record.holdings()).hasSize(WorkKey.MOST).containsKey(key("b/k000"));
        SortedSet<WorkKey> others = new TreeSet<>(many);
        others.addAll(keys("A", 10));
        assign(false, all(others, "x"));
        assertThat(record.holdings()).as("what has a place keeps it").doesNotContainKey(key("A/k000"));
        SortedSet<WorkKey> fewer = keys("b", 10);
        List<Participant> left = List.of(released(participant("x", fewer), record));
        assign(false, left);
        assertThat(record.holdings().keySet()).as("there is room again").isEqualTo(fewer);
    }
}
