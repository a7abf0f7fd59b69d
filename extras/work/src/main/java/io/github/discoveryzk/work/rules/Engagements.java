// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import io.github.discoveryzk.work.rules.Assignment.Holding;
import io.github.discoveryzk.work.rules.Participant.Id;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the agent of an instance has begun and ended, and what follows from a record. Numbers are those of records that gave a key.
 *
 * @param running what has begun and not ended
 * @param ended the last number of each key that has ended: it never begins again
 */
public record Engagements(Id self, SortedMap<WorkKey, Long> running, SortedMap<WorkKey, Long> ended) {

    public Engagements {
        running = Collections.unmodifiableSortedMap(new TreeMap<>(running));
        ended = Collections.unmodifiableSortedMap(new TreeMap<>(ended));
    }

    /** Returns those of an agent that has begun nothing. */
    public static Engagements of(Id self) {
        return new Engagements(self, new TreeMap<>(), new TreeMap<>());
    }

    /** Returns the same with another stay in the cluster; what runs is no longer that of this agent. */
    public Engagements as(Id other) {
        return new Engagements(other, running, ended);
    }

    /** Returns what to begin: the record gives it to this agent, which can handle it and is not to hand it over. */
    public SortedMap<WorkKey, Long> beginnings(Assignment record, Set<WorkKey> able) {
        SortedMap<WorkKey, Long> all = waiting(record);
        all.keySet().removeIf(key -> !mayRun(record, key, able));
        return all;
    }

    /** Returns what runs and must end. */
    public SortedSet<WorkKey> endings(Assignment record, Set<WorkKey> able) {
        SortedSet<WorkKey> all = new TreeSet<>(running.keySet());
        all.removeIf(key -> record.names(key, self, running.get(key)) && mayRun(record, key, able));
        return all;
    }

    /** Says whether a key of this agent may run here. */
    private static boolean mayRun(Assignment record, WorkKey key, Set<WorkKey> able) {
        return able.contains(key) && record.holdings().get(key).next().isEmpty();
    }

    /** Returns what the record gives to this agent, and has neither begun nor ended. */
    private SortedMap<WorkKey, Long> waiting(Assignment record) {
        SortedMap<WorkKey, Long> all = new TreeMap<>();
        record.holdings().forEach((key, holding) -> {
            if (holding.owner().equals(self) && !running.containsKey(key) && !hasEnded(key, holding)) {
                all.put(key, holding.since());
            }
        });
        return all;
    }

    private boolean hasEnded(WorkKey key, Holding holding) {
        return Long.valueOf(holding.since()).equals(ended.get(key));
    }

    public Engagements begin(WorkKey key, long since) {
        SortedMap<WorkKey, Long> next = new TreeMap<>(running);
        next.put(key, since);
        return new Engagements(self, next, ended);
    }

    /** Records that a key has ended. That is irrevocable. */
    public Engagements end(WorkKey key) {
        SortedMap<WorkKey, Long> left = new TreeMap<>(running);
        SortedMap<WorkKey, Long> next = new TreeMap<>(ended);
        next.put(key, left.remove(key));
        return new Engagements(self, left, next);
    }

    /** Gives up what the record gives to this agent and what it is not to begin. */
    public Engagements decline(Assignment record, Set<WorkKey> able) {
        SortedMap<WorkKey, Long> next = new TreeMap<>(ended);
        waiting(record).forEach((key, since) -> {
            if (!mayRun(record, key, able)) {
                next.put(key, since);
            }
        });
        return new Engagements(self, running, next);
    }

    /** Returns what the entry of this agent says: what it can handle, and what of the record it has ended. */
    public Participant participant(Assignment record, SortedSet<WorkKey> able) {
        SortedMap<WorkKey, Long> released = new TreeMap<>(ended);
        released.keySet().removeIf(key -> !record.names(key, self, ended.get(key)));
        return new Participant(self, WorkKey.fitting(Set.of(), able), released);
    }
}
