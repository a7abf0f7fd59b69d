// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import io.github.discoveryzk.data.DataKind;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A member that handles keys, as its entry in the store says. One that this instance cannot read offers nothing and has released nothing, so it
 * keeps its keys and is given none.
 *
 * @param keys what it can handle
 * @param released what it has ended, by the number that had given it the key
 */
public record Participant(Id id, SortedSet<WorkKey> keys, SortedMap<WorkKey, Long> released) {

    /** The kind of an entry: for each set its keys and what the participant says of them. */
    public static final DataKind<Map<String, Map<String, String>>> KIND = DataKind.mapOf(DataKind.mapOf(DataKind.TEXT));

    /** Beside the sets, whose names are not empty. */
    private static final String ABOUT = "";

    private static final String NODE = "node";
    private static final String OFFERED = "+";

    public Participant {
        keys = Collections.unmodifiableSortedSet(new TreeSet<>(keys));
        released = Collections.unmodifiableSortedMap(new TreeMap<>(released));
    }

    /**
     * Who that is: one stay of one agent in the cluster. An id that is gone never returns, as neither the node of a member nor the entry of an
     * agent does: a bundle that starts again has another entry.
     *
     * @param entry the key of its entry
     * @param node its member node
     */
    public record Id(String entry, String node, String instanceId) {

        static Id parse(String text) {
            String[] parts = text.split(" ", 3);
            if (parts.length < 3) {
                throw new IllegalArgumentException("'" + text + "' is not a participant");
            }
            return new Id(parts[0], parts[1], parts[2]);
        }

        /** Says whether the other one is a stay of the same instance, perhaps a later one. */
        boolean isSameInstance(Id other) {
            return instanceId.equals(other.instanceId);
        }

        @Override
        public String toString() {
            return entry + " " + node + " " + instanceId;
        }
    }

    /** Returns a participant that keeps what it has and is given nothing. */
    public static Participant silent(Id id) {
        return new Participant(id, new TreeSet<>(), new TreeMap<>());
    }

    /** Returns this participant so that it is given nothing. */
    public Participant withoutKeys() {
        return new Participant(id, new TreeSet<>(), released);
    }

    boolean hasReleased(WorkKey key, long since) {
        return Long.valueOf(since).equals(released.get(key));
    }

    /** Returns its entry: a sign for each key that it offers, and the number of what it has released. */
    public Map<String, Map<String, String>> encoded() {
        Map<String, Map<String, String>> all = new TreeMap<>();
        all.put(ABOUT, Map.of(NODE, id.node()));
        keys.forEach(
                key -> all.computeIfAbsent(key.set(), set -> new TreeMap<>()).put(key.key(), OFFERED));
        released.forEach((key, since) -> all.computeIfAbsent(key.set(), set -> new TreeMap<>())
                .merge(key.key(), String.valueOf(since), (offered, number) -> offered + number));
        return all;
    }

    /**
     * Reads an entry.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static Participant decoded(String entry, String instanceId, Map<String, Map<String, String>> value) {
        SortedSet<WorkKey> keys = new TreeSet<>();
        SortedMap<WorkKey, Long> released = new TreeMap<>();
        value.forEach((set, words) -> words.forEach((name, word) -> {
            if (!set.equals(ABOUT)) {
                WorkKey key = new WorkKey(set, name);
                String number = word.startsWith(OFFERED) ? word.substring(OFFERED.length()) : word;
                if (word.startsWith(OFFERED)) {
                    keys.add(key);
                }
                if (!number.isEmpty()) {
                    released.put(key, Long.valueOf(number));
                }
            }
        }));
        String node = value.getOrDefault(ABOUT, Map.of()).get(NODE);
        if (node == null) {
            throw new IllegalArgumentException("the member node is missing");
        }
        return new Participant(new Id(entry, node, instanceId), keys, released);
    }

    /** Returns what an entry says; empty if it cannot be read. */
    public static Optional<Participant> read(String entry, String instanceId, Map<String, Map<String, String>> value) {
        try {
            return Optional.of(decoded(entry, instanceId, value));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
