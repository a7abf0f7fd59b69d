// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import io.github.discoveryzk.work.rules.Assignment.Holding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A state of a store and of the agents around it. What an agent has seen may be of any earlier time, and a node may vanish while its agent works
 * on. Two of the agents decide, as if both were leaders: safety rests on comparing and on releases alone.
 *
 * @param chain all records that were written; the last one is in the store
 * @param entries what is in the store of the participants, by agent
 */
record World(
        List<Assignment> chain, SortedSet<Integer> live, SortedMap<Integer, Participant> entries, List<Agent> agents) {

    private static final int DECIDERS = 2;

    /**
     * What bounds a world.
     *
     * @param chain how many records there are at most
     * @param gone how many nodes vanish at most
     */
    record Bounds(int agents, SortedSet<WorkKey> keys, int chain, int gone) {}

    /**
     * An agent.
     *
     * @param seen how many records of the chain it has seen
     * @param list the participants as it has read them last; only those who decide do
     */
    record Agent(Engagements work, int seen, List<Participant> list) {
        Agent with(Engagements next) {
            return new Agent(next, seen, list);
        }
    }

    static World of(Bounds bounds) {
        List<Agent> all = new ArrayList<>();
        SortedSet<Integer> live = new TreeSet<>();
        IntStream.range(0, bounds.agents()).forEach(n -> {
            all.add(new Agent(Engagements.of(Participants.id("" + n)), 1, List.of()));
            live.add(n);
        });
        return new World(List.of(Assignment.NONE), live, new TreeMap<>(), all);
    }

    private World with(int n, Agent agent) {
        List<Agent> next = new ArrayList<>(agents);
        next.set(n, agent);
        return new World(chain, live, entries, List.copyOf(next));
    }

    private World with(Assignment next) {
        List<Assignment> longer = new ArrayList<>(chain);
        longer.add(next);
        return new World(List.copyOf(longer), live, entries, agents);
    }

    private World withEntry(int n, Participant entry) {
        SortedMap<Integer, Participant> next = new TreeMap<>(entries);
        next.put(n, entry);
        return new World(chain, live, next, agents);
    }

    private World without(int n) {
        SortedSet<Integer> left = new TreeSet<>(live);
        left.remove(n);
        SortedMap<Integer, Participant> next = new TreeMap<>(entries);
        next.remove(n);
        return new World(chain, left, next, agents);
    }

    /** Returns what may happen from outside, by name: a node vanishes, work ends. */
    Map<String, World> disturbances(Bounds bounds) {
        Map<String, World> all = new LinkedHashMap<>();
        for (int n : live) {
            if (bounds.agents() - live.size() < bounds.gone()) {
                all.put("vanish " + n, without(n));
            }
            Agent agent = agents.get(n);
            for (WorkKey key : agent.work.running().keySet()) {
                all.put("end " + key + " at " + n, with(n, agent.with(agent.work.end(key))));
            }
        }
        return all;
    }

    /** Returns what happens sooner or later, by name. */
    Map<String, World> steps(Bounds bounds) {
        Map<String, World> all = new LinkedHashMap<>();
        for (int n = 0; n < agents.size(); n++) {
            Agent agent = agents.get(n);
            if (agent.seen < chain.size()) {
                all.put("see at " + n, with(n, new Agent(agent.work, agent.seen + 1, agent.list)));
            }
            work(n, agent, bounds, all);
            if (n < DECIDERS && live.contains(n)) {
                decide(n, agent, bounds, all);
            }
        }
        return all;
    }

    /** Begins and declines what the record says that was seen last, stops what must end, and tells the store. */
    private void work(int n, Agent agent, Bounds bounds, Map<String, World> all) {
        Assignment record = chain.get(agent.seen - 1);
        Engagements work = agent.work.decline(record, bounds.keys());
        for (Map.Entry<WorkKey, Long> each :
                work.beginnings(record, bounds.keys()).entrySet()) {
            work = work.begin(each.getKey(), each.getValue());
        }
        if (!work.equals(agent.work)) {
            all.put("follow at " + n, with(n, agent.with(work)));
        }
        for (WorkKey key : agent.work.endings(record, bounds.keys())) {
            all.put("stop " + key + " at " + n, with(n, agent.with(agent.work.end(key))));
        }
        Participant entry = agent.work.participant(record, bounds.keys());
        if (live.contains(n) && !entry.equals(entries.get(n))) {
            all.put("tell by " + n, withEntry(n, entry));
        }
    }

    /** Decides by a list that may be old, and compares and sets. */
    private void decide(int n, Agent agent, Bounds bounds, Map<String, World> all) {
        List<Participant> present = List.copyOf(entries.values());
        if (!present.equals(agent.list)) {
            all.put("look at " + n, with(n, new Agent(agent.work, agent.seen, present)));
        }
        if (agent.seen == chain.size() && chain.size() < bounds.chain()) {
            Assignment record = chain.get(chain.size() - 1);
            List<Participant> list = new ArrayList<>(agent.list);
            Assignor.missing(record, list).forEach(missing -> present.stream()
                    .filter(each -> each.id().equals(missing))
                    .forEach(list::add));
            for (boolean calm : new boolean[] {false, true}) {
                Assignment next = Assignor.assign(record, list, calm, 0);
                if (next != record) {
                    all.put((calm ? "balance by " : "assign by ") + n, with(next));
                }
            }
        }
    }

    /** Returns the law that is broken. */
    Optional<String> broken(Bounds bounds) {
        for (WorkKey key : bounds.keys()) {
            if (workers(key) > 1) {
                return Optional.of("L25 One worker: " + key);
            }
            for (int i = 1; i < chain.size(); i++) {
                Holding before = chain.get(i - 1).holdings().get(key);
                Holding now = chain.get(i).holdings().get(key);
                if (before != null && now != null && isWrong(before, now)) {
                    return Optional.of("L26 Token: " + key);
                }
            }
        }
        return Optional.empty();
    }

    private long workers(WorkKey key) {
        return live.stream()
                .filter(n -> agents.get(n).work.running().containsKey(key))
                .count();
    }

    private static boolean isWrong(Holding before, Holding now) {
        return now.since() < before.since()
                || now.since() == before.since() && !now.owner().equals(before.owner());
    }

    /** Returns the law that is broken when nothing more happens by itself although there may be more records. */
    Optional<String> unfinished(Bounds bounds) {
        return bounds.keys().stream()
                .filter(key -> chain.size() < bounds.chain() && live.contains(0) && workers(key) != 1)
                .map(key -> "L29 Live: " + key)
                .findFirst();
    }
}
