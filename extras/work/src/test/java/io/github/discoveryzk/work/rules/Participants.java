// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import io.github.discoveryzk.work.rules.Participant.Id;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Participants and keys in few words. */
final class Participants {

    private Participants() {}

    static Id id(String instance) {
        return new Id("e-" + instance, "m-" + instance, instance);
    }

    /** Returns a key {@code set/key}. */
    static WorkKey key(String text) {
        String[] parts = text.split("/");
        return new WorkKey(parts[0], parts[1]);
    }

    static SortedSet<WorkKey> keys(String... texts) {
        return Arrays.stream(texts).map(Participants::key).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns so many keys of a set. */
    static SortedSet<WorkKey> keys(String set, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new WorkKey(set, String.format("k%03d", i)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static Participant participant(String instance, SortedSet<WorkKey> keys) {
        return new Participant(id(instance), keys, new TreeMap<>());
    }

    /** Returns participants that offer the same keys. */
    static List<Participant> all(SortedSet<WorkKey> keys, String... instances) {
        return Stream.of(instances).map(each -> participant(each, keys)).toList();
    }

    /** Returns the participant once it has released what it is to hand over. */
    static Participant released(Participant participant, Assignment record) {
        TreeMap<WorkKey, Long> released = new TreeMap<>();
        record.holdings().forEach((key, holding) -> {
            if (holding.owner().equals(participant.id())
                    && (holding.next().isPresent() || !participant.keys().contains(key))) {
                released.put(key, holding.since());
            }
        });
        return new Participant(participant.id(), participant.keys(), released);
    }
}
