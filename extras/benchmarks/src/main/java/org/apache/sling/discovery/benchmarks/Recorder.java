// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Records when the members of one process are told of a change. Safe for use by several threads. */
@ThreadsAndClocks
final class Recorder {

    /** The value that a member reports when it is told that a property has changed, and not which value it has. */
    static final String ANY = "*";

    private volatile Optional<String> leader = Optional.empty();
    private volatile Round round = new Round(-1, Optional.empty(), Set.of());

    /**
     * Starts to record.
     *
     * @param size the number of members that the change leads to
     * @param value the value of the property that the change leads to; empty if the property does not matter
     * @param ids the members in this process that must be told
     */
    void begin(int size, Optional<String> value, Collection<String> ids) {
        round = new Round(size, value, Set.copyOf(ids));
    }

    /** Records that a member is told which one is the eldest. */
    void lead(String id) {
        leader = Optional.of(id);
    }

    /** Returns the eldest member, as it was told last; empty if the contestant has no order. */
    Optional<String> leader() {
        return leader;
    }

    /** Records that a member is told that a change has begun. */
    void changing(String id) {
        round.changing.putIfAbsent(id, System.nanoTime());
    }

    /** Records that a member is told the number of members and the value of the property. */
    void told(String id, int size, String value) {
        Round current = round;
        if (size == current.size && current.isExpected(value) && current.expected.contains(id)) {
            if (current.told.putIfAbsent(id, System.nanoTime()) == null) {
                current.missing.countDown();
            }
        }
    }

    /** Waits until all members have been told, or the time is over. */
    Told await(long limitMillis) throws InterruptedException {
        Round current = round;
        boolean all = current.missing.await(limitMillis, TimeUnit.MILLISECONDS);
        long last = current.told.values().stream().mapToLong(at -> at).max().orElse(Long.MIN_VALUE);
        long changing = current.told.entrySet().stream()
                .filter(one -> current.changing.containsKey(one.getKey()))
                .mapToLong(one -> one.getValue() - current.changing.get(one.getKey()))
                .max()
                .orElse(0);
        return new Told(all, last, changing);
    }

    /**
     * What the members were told.
     *
     * @param complete whether all were told
     * @param last when the last one was told, by {@link System#nanoTime}; {@link Long#MIN_VALUE} for never
     * @param changingNanos the longest time between the announcement of the change and its result; 0 if none was announced
     */
    record Told(boolean complete, long last, long changingNanos) {
        Told and(Told other) {
            return new Told(
                    complete && other.complete,
                    Math.max(last, other.last),
                    Math.max(changingNanos, other.changingNanos));
        }
    }

    private static final class Round {
        private final int size;
        private final Optional<String> value;
        private final CountDownLatch missing;
        private final Set<String> expected;
        private final Map<String, Long> changing = new ConcurrentHashMap<>();
        private final Map<String, Long> told = new ConcurrentHashMap<>();

        Round(int size, Optional<String> value, Set<String> expected) {
            this.size = size;
            this.value = value;
            this.expected = expected;
            this.missing = new CountDownLatch(expected.size());
        }

        boolean isExpected(String actual) {
            return value.isEmpty() || actual.equals(ANY) || actual.equals(value.get());
        }
    }
}
