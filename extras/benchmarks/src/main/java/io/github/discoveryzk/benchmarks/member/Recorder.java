// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.Serializable;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Records when the members of one process are notified of a change. Safe for use by several threads. */
@ThreadsAndClocks
public final class Recorder {

    /** The value that a member reports when it is notified that a property has changed, and not which value it has. */
    static final String ANY = "*";

    /** How many keys there are if members handle keys. */
    public static final int KEYS = 1_000;

    private final Map<String, Integer> keys = new HashMap<>();
    private long lastBegun;
    private volatile String leader = "";
    private volatile Round round = Round.of(-1, "", Set.of());

    /**
     * Starts to record.
     *
     * @param size the number of members that the change leads to
     * @param value the value of the property or of the shared data that the change leads to; empty if it does not matter
     * @param ids the members in this process that must be notified
     */
    public void begin(int size, String value, Collection<String> ids) {
        round = Round.of(size, value, Set.copyOf(ids));
    }

    /** Records that a member is notified which one is the eldest. */
    void lead(String id) {
        leader = id;
    }

    /** Returns the eldest member by the last notification; empty if the contestant has no order. */
    public String leader() {
        return leader;
    }

    /** Records that a member is notified that a change has begun. */
    void changing(String id) {
        round.changing.putIfAbsent(id, System.nanoTime());
    }

    /** Records that a member is notified of the number of members and the value of the property. */
    void notified(String id, int size, String value) {
        Round current = round;
        if (size == current.size && current.isExpected(value)) {
            current.record(id, System.nanoTime());
        }
    }

    /** Records that a member is notified that the shared data have a value. */
    void shown(String id, String value) {
        Round current = round;
        if (!value.isEmpty() && value.equals(current.value)) {
            current.record(id, System.nanoTime());
        }
    }

    /** Records that a member has a key. */
    void begun(String id) {
        count(id, 1);
    }

    /** Records that a member has ended a key. */
    void ended(String id) {
        count(id, -1);
    }

    private void count(String id, int change) {
        synchronized (keys) {
            keys.merge(id, change, Integer::sum);
            lastBegun = change > 0 ? System.nanoTime() : lastBegun;
            keys.notifyAll();
        }
    }

    /**
     * Waits until each key has a member, and no member has more than that.
     *
     * @return when the last key began, by {@link System#nanoTime}; {@link Long#MAX_VALUE} if it takes longer than the limit
     */
    public long awaitKeys(int most, long limitMillis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        synchronized (keys) {
            while (keys.values().stream().mapToInt(each -> each).sum() != KEYS
                    || keys.values().stream().anyMatch(each -> each > most)) {
                if (System.nanoTime() > end) {
                    return Long.MAX_VALUE;
                }
                keys.wait(limitMillis);
            }
            return lastBegun;
        }
    }

    /** Waits until all members have been notified, or the time is over. */
    public Notified await(long limitMillis) throws InterruptedException {
        Round current = round;
        boolean all = current.missing.await(limitMillis, TimeUnit.MILLISECONDS);
        long last = current.notified.values().stream().mapToLong(at -> at).max().orElse(Long.MIN_VALUE);
        long changing = current.notified.entrySet().stream()
                .filter(one -> current.changing.containsKey(one.getKey()))
                .mapToLong(one -> one.getValue() - current.changing.get(one.getKey()))
                .max()
                .orElse(0);
        return new Notified(all, last, changing);
    }

    /**
     * When the members were notified.
     *
     * @param complete whether all were
     * @param last when the last one was, by {@link System#nanoTime}; {@link Long#MIN_VALUE} for never
     * @param changingNanos the longest time between the announcement of the change and its result; 0 if none was announced
     */
    public record Notified(boolean complete, long last, long changingNanos) implements Serializable {

        /** What is known before a member has been notified. */
        public static final Notified NONE = new Notified(true, Long.MIN_VALUE, 0);

        public Notified and(Notified other) {
            return new Notified(
                    complete && other.complete,
                    Math.max(last, other.last),
                    Math.max(changingNanos, other.changingNanos));
        }
    }

    /** A change; the maps say when the members were notified that it has begun, and of its result. */
    private record Round(
            int size,
            String value,
            Set<String> expected,
            CountDownLatch missing,
            Map<String, Long> changing,
            Map<String, Long> notified) {

        static Round of(int size, String value, Set<String> expected) {
            return new Round(
                    size,
                    value,
                    expected,
                    new CountDownLatch(expected.size()),
                    new ConcurrentHashMap<>(),
                    new ConcurrentHashMap<>());
        }

        void record(String id, long nanos) {
            if (expected.contains(id) && notified.putIfAbsent(id, nanos) == null) {
                missing.countDown();
            }
        }

        boolean isExpected(String actual) {
            return value.isEmpty() || actual.equals(ANY) || actual.equals(value);
        }
    }
}
