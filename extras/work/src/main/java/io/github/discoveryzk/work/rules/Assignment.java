// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.work.rules.Participant.Id;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Who has which key: one record for all sets.
 *
 * @param number greater than that of each earlier record
 */
public record Assignment(long number, SortedMap<WorkKey, Holding> holdings) {

    /** What there is before the first record. */
    public static final Assignment NONE = new Assignment(0, new TreeMap<>());

    /** The kind of a record: for each set its keys with their holdings, in which numbers stand for participants. */
    public static final DataKind<Map<String, Map<String, String>>> KIND = DataKind.mapOf(DataKind.mapOf(DataKind.TEXT));

    /** Beside the sets, whose names are not empty. */
    private static final String ABOUT = "";

    private static final String NUMBER = "number";
    private static final String NO_ONE = "-";

    public Assignment {
        holdings = Collections.unmodifiableSortedMap(new TreeMap<>(holdings));
    }

    /**
     * The place of a key.
     *
     * @param owner who has it
     * @param since the number of the record that gave it the key, which is the token of the ownership
     * @param next who is given it when the owner has released it
     * @param home who had it when the members had been the same for a while, if that was another instance than the owner
     */
    public record Holding(Id owner, long since, Optional<Id> next, Optional<Id> home) {

        /** Returns who has the key once it is handed over. */
        Id target() {
            return next.orElse(owner);
        }

        Holding withNext(Optional<Id> other) {
            return new Holding(owner, since, other.filter(each -> !each.equals(owner)), home);
        }

        /** Returns this holding without an earlier place of the key. */
        Holding atHome() {
            return new Holding(owner, since, next, Optional.empty());
        }

        private Stream<Id> ids() {
            return Stream.of(Optional.of(owner), next, home).flatMap(Optional::stream);
        }
    }

    /** Says whether a participant has the key under this number. */
    public boolean names(WorkKey key, Id owner, long since) {
        Holding holding = holdings.get(key);
        return holding != null && holding.owner().equals(owner) && holding.since() == since;
    }

    /** Says whether a participant has any key. */
    public boolean hasOwner(Id owner) {
        return holdings.values().stream().anyMatch(each -> each.owner().equals(owner));
    }

    /** Returns the record as it is stored. */
    public Map<String, Map<String, String>> encoded() {
        Map<String, Map<String, String>> all = new TreeMap<>();
        Map<Id, String> numbers = new LinkedHashMap<>();
        holdings.forEach((key, holding) -> {
            holding.ids().forEach(id -> numbers.putIfAbsent(id, String.valueOf(numbers.size())));
            String words = numbers.get(holding.owner()) + " " + holding.since() + " "
                    + holding.next().map(numbers::get).orElse(NO_ONE) + " "
                    + holding.home().map(numbers::get).orElse(NO_ONE);
            all.computeIfAbsent(key.set(), set -> new TreeMap<>()).put(key.key(), words);
        });
        Map<String, String> about = new TreeMap<>();
        about.put(NUMBER, String.valueOf(number));
        numbers.forEach((id, given) -> about.put(given, id.toString()));
        all.put(ABOUT, about);
        return all;
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static Assignment decoded(Map<String, Map<String, String>> value) {
        Map<String, String> about = value.getOrDefault(ABOUT, Map.of());
        Map<String, Id> ids = new TreeMap<>();
        about.forEach((word, text) -> {
            if (!word.equals(NUMBER)) {
                ids.put(word, Id.parse(text));
            }
        });
        SortedMap<WorkKey, Holding> holdings = new TreeMap<>();
        value.forEach((set, words) -> {
            if (!set.equals(ABOUT)) {
                words.forEach((key, text) -> holdings.put(new WorkKey(set, key), holding(text, ids)));
            }
        });
        return new Assignment(Long.parseLong(about.getOrDefault(NUMBER, "")), holdings);
    }

    private static Holding holding(String text, Map<String, Id> ids) {
        String[] words = text.split(" ");
        if (words.length < 4 || !ids.containsKey(words[0])) {
            throw new IllegalArgumentException("'" + text + "' names no owner");
        }
        return new Holding(
                ids.get(words[0]),
                Long.parseLong(words[1]),
                Optional.ofNullable(ids.get(words[2])),
                Optional.ofNullable(ids.get(words[3])));
    }
}
