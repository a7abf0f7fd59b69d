// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import static io.github.discoveryzk.work.rules.Participants.id;
import static io.github.discoveryzk.work.rules.Participants.key;
import static io.github.discoveryzk.work.rules.Participants.keys;
import static io.github.discoveryzk.work.rules.Participants.participant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.discoveryzk.work.rules.Assignment.Holding;
import io.github.discoveryzk.work.rules.Participant.Id;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is stored is what is read, and has its limits. */
class StoredRecordsTest {

    /** The limit of shared data. */
    private static final int BYTES = 64 * 1024;

    @Test
    void aRecordIsReadAsItWasWritten() {
        Holding moving = new Holding(id("x"), 55, Optional.of(id("y")), Optional.of(id("z")));
        Holding resting = new Holding(id("y"), 41, Optional.empty(), Optional.empty());
        Assignment record = new Assignment(57, new TreeMap<>(Map.of(key("feeds/a"), moving, key("feeds/b"), resting)));
        assertThat(Assignment.decoded(Assignment.KIND.of(record.encoded()))).isEqualTo(record);
        assertThat(record.encoded())
                .containsEntry("feeds", Map.of("a", "0 55 1 2", "b", "1 41 - -"))
                .containsEntry("", Map.of("number", "57", "0", "e-x m-x x", "1", "e-y m-y y", "2", "e-z m-z z"));
        assertThat(Assignment.decoded(Assignment.NONE.encoded())).isEqualTo(Assignment.NONE);
    }

    @Test
    void aParticipantIsReadAsItWasWritten() {
        Participant participant = new Participant(
                new Id("entry", "node", "an id with blanks"),
                keys("feeds/a", "feeds/b"),
                new TreeMap<>(Map.of(key("feeds/b"), 41L, key("other/c"), 7L)));
        assertThat(participant.encoded())
                .containsEntry("feeds", Map.of("a", "+", "b", "+41"))
                .containsEntry("other", Map.of("c", "7"));
        assertThat(Participant.decoded("entry", "an id with blanks", Participant.KIND.of(participant.encoded())))
                .isEqualTo(participant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0 x - -", "1 5 - -", "0 5"})
    void aRecordThatMakesNoSenseIsRefused(String holding) {
        Map<String, String> about = Map.of("number", "1", "0", "e-x m-x x");
        assertThatThrownBy(() -> Assignment.decoded(Map.of("", about, "a", Map.of("1", holding))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> Assignment.decoded(Map.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Participant.decoded("entry", "x", Map.of("a", Map.of("1", "+"))))
                .hasMessageContaining("member node");
        assertThatThrownBy(() -> Participant.decoded("entry", "x", Map.of("a", Map.of("1", "maybe"))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Assignment.decoded(Map.of("", Map.of("number", "1", "0", "e-x"))))
                .hasMessageContaining("'e-x'");
    }

    /** Each of 1,000 keys is being handed over, and was elsewhere before. */
    private static Assignment full(SortedSet<WorkKey> keys) {
        List<Id> ids = IntStream.range(0, 60)
                .mapToObj(i -> new Id(
                        "0123456789ab",
                        String.format("m-%016x-%010d", i, i),
                        "f47ac10b-58cc-4372-a567-" + (100_000_000_000L + i)))
                .toList();
        TreeMap<WorkKey, Holding> holdings = new TreeMap<>();
        keys.forEach(key -> holdings.put(
                key,
                new Holding(
                        ids.get(holdings.size() % 60),
                        100_000,
                        Optional.of(ids.get((holdings.size() + 20) % 60)),
                        Optional.of(ids.get((holdings.size() + 40) % 60)))));
        return new Assignment(100_000, holdings);
    }

    /** Counts as shared data does: texts with two bytes each, and one for what follows. */
    private static int bytes(Map<String, Map<String, String>> value) {
        return value.entrySet().stream()
                .mapToInt(set -> set.getKey().length()
                        + 6
                        + set.getValue().entrySet().stream()
                                .mapToInt(each ->
                                        each.getKey().length() + each.getValue().length() + 6)
                                .sum())
                .sum();
    }

    @Test
    void thousandKeysStayBelowTheLimit() {
        SortedSet<WorkKey> keys = IntStream.range(0, 1_000)
                .mapToObj(i -> new WorkKey("imports of the shop", String.format("import-of-product-feed-no-%05d", i)))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(WorkKey.fitting(List.of(), keys)).hasSize(1_000);
        assertThat(bytes(full(keys).encoded())).isLessThan(BYTES);
        Participant all = new Participant(
                id("x"), keys, new TreeMap<>(keys.stream().collect(Collectors.toMap(key -> key, key -> 100_000L))));
        assertThat(bytes(all.encoded())).isLessThan(BYTES);
    }

    @Test
    void keysWithLongNamesAreFewer() {
        SortedSet<WorkKey> keys = IntStream.range(0, 1_000)
                .mapToObj(i -> new WorkKey("s", "x".repeat(95) + String.format("%05d", i)))
                .collect(Collectors.toCollection(TreeSet::new));
        SortedSet<WorkKey> fitting = WorkKey.fitting(List.of(), keys);
        assertThat(fitting.size()).isBetween(400, 500);
        assertThat(bytes(full(fitting).encoded())).isBetween(BYTES * 8 / 10, BYTES);
        assertThat(bytes(participant("x", fitting).encoded())).isLessThan(BYTES);
        assertThat(WorkKey.fitting(fitting, keys("a", 50))).hasSizeLessThan(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb"})
    void namesAreThoseOfSharedData(String name) {
        assertThatThrownBy(() -> new WorkKey(name, "a")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WorkKey("a", name)).isInstanceOf(IllegalArgumentException.class);
    }
}
