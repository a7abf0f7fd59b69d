// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import io.github.discoveryzk.model.DataAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The name of a piece of work: that of its set, and its own. */
public record WorkKey(String set, String key) implements Comparable<WorkKey> {

    /** Assignments are for so many keys; deciding and reading them takes milliseconds. */
    public static final int MOST = 1_000;

    /** What a record has beside each name: numbers, and what encloses them. The rest of its 64 kB is for the names of members. */
    private static final int BESIDE_NAME = 24;

    private static final int MOST_CHARS = 56_000;

    private static final Comparator<WorkKey> ORDER =
            Comparator.comparing(WorkKey::set).thenComparing(WorkKey::key);

    /** @throws IllegalArgumentException if a name has not 1 to 100 bytes in UTF-8, or has control characters */
    public WorkKey {
        DataAddress.checked(set);
        DataAddress.checked(key);
    }

    @Override
    public int compareTo(WorkKey other) {
        return ORDER.compare(this, other);
    }

    /** Returns the first ones of these keys in their order, as many as a record has room for beside those that it has. */
    static SortedSet<WorkKey> fitting(Collection<WorkKey> present, Collection<WorkKey> more) {
        SortedSet<WorkKey> fitting = new TreeSet<>();
        Set<String> sets = new HashSet<>();
        int count = present.size();
        int chars = present.stream().mapToInt(each -> each.chars(sets)).sum();
        for (WorkKey each : new TreeSet<>(more)) {
            count++;
            chars += each.chars(sets);
            if (count > MOST || chars > MOST_CHARS) {
                return fitting;
            }
            fitting.add(each);
        }
        return fitting;
    }

    /** Returns how long it is in a record, with the name of its set if that is the first key of the set. */
    private int chars(Set<String> sets) {
        return key.length() + BESIDE_NAME + (sets.add(set) ? set.length() + BESIDE_NAME : 0);
    }

    /** Returns it for display. */
    @Override
    public String toString() {
        return set + "/" + key;
    }
}
