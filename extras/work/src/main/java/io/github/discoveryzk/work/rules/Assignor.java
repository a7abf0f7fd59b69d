// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import io.github.discoveryzk.work.rules.Assignment.Holding;
import io.github.discoveryzk.work.rules.Participant.Id;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Decides who has which key. What has a place stays there. A key without an owner goes back to the instance that had it when the members had been
 * the same for a while, or else to the participant with the fewest keys of all sets. If the members have been the same for a while, keys are
 * handed over until no single one brings two loads closer.
 */
public final class Assignor {

    private final Map<Id, Participant> participants;
    private final long number;

    /** By key, in the order of seniority. */
    private final SortedMap<WorkKey, List<Id>> candidates = new TreeMap<>();

    private final Map<Id, Set<WorkKey>> offers = new HashMap<>();
    private final Map<WorkKey, Holding> result = new HashMap<>();

    /** What each participant has, or is to have. */
    private final Map<Id, SortedSet<WorkKey>> targets = new HashMap<>();

    private final Map<Id, Map<String, Integer>> loadsOfSet = new HashMap<>();

    private Assignor(List<Participant> participants, long number) {
        this.participants = participants.stream()
                .collect(Collectors.toMap(
                        Participant::id, Function.identity(), (one, other) -> one, LinkedHashMap::new));
        this.number = number;
        participants.forEach(each -> {
            offers.put(each.id(), new HashSet<>(each.keys()));
            each.keys().forEach(key -> candidates
                    .computeIfAbsent(key, any -> new ArrayList<>())
                    .add(each.id()));
        });
    }

    /**
     * Returns those whom the record names and the list does not. They may have been given a key since the list was read: who decides asks the
     * store for them before.
     */
    public static Set<Id> missing(Assignment record, List<Participant> participants) {
        Set<Id> listed = participants.stream().map(Participant::id).collect(Collectors.toSet());
        return record.holdings().values().stream()
                .map(Holding::owner)
                .filter(each -> !listed.contains(each))
                .collect(Collectors.toSet());
    }

    /**
     * Returns the next record, or the given one if nothing changes.
     *
     * @param participants in the order of seniority; who is not among them is gone
     * @param calm whether keys may be handed over for a balance
     * @param atLeast the least number of the next record
     */
    public static Assignment assign(Assignment record, List<Participant> participants, boolean calm, long atLeast) {
        return new Assignor(participants, Math.max(record.number() + 1, atLeast)).next(record, calm);
    }

    private Assignment next(Assignment record, boolean calm) {
        record.holdings().forEach((key, holding) -> {
            if (!isFree(key, holding)) {
                put(key, holding.withNext(holding.next().filter(each -> isCandidate(key, each))));
            }
        });
        SortedSet<WorkKey> free = new TreeSet<>(candidates.keySet());
        free.removeAll(result.keySet());
        WorkKey.fitting(result.keySet(), free).stream()
                .sorted(Comparator.<WorkKey>comparingInt(
                                key -> candidates.get(key).size())
                        .thenComparing(Comparator.naturalOrder()))
                .forEach(key -> put(
                        key, given(key, Optional.ofNullable(record.holdings().get(key)))));
        while (calm && moveOne()) {
            // Each move brings two loads closer, so this ends.
        }
        if (calm) {
            result.replaceAll((key, holding) -> holding.atHome());
        }
        return result.equals(record.holdings()) ? record : new Assignment(number, new TreeMap<>(result));
    }

    private boolean isFree(WorkKey key, Holding holding) {
        Participant owner = participants.get(holding.owner());
        return owner == null || owner.hasReleased(key, holding.since());
    }

    private boolean isCandidate(WorkKey key, Id id) {
        return offers.getOrDefault(id, Set.of()).contains(key);
    }

    private void put(WorkKey key, Holding holding) {
        Holding before = result.put(key, holding);
        if (before != null) {
            targets.get(before.target()).remove(key);
            loadsOfSet.get(before.target()).merge(key.set(), -1, Integer::sum);
        }
        targets.computeIfAbsent(holding.target(), id -> new TreeSet<>()).add(key);
        loadsOfSet.computeIfAbsent(holding.target(), id -> new HashMap<>()).merge(key.set(), 1, Integer::sum);
    }

    private int load(Id id) {
        return targets.getOrDefault(id, new TreeSet<>()).size();
    }

    private int load(Id id, String set) {
        return loadsOfSet.getOrDefault(id, Map.of()).getOrDefault(set, 0);
    }

    /** Gives a free key to whom it was to be handed over, or else back to where it was, or else to the least loaded candidate. */
    private Holding given(WorkKey key, Optional<Holding> before) {
        Optional<Id> promised = before.flatMap(Holding::next).filter(each -> isCandidate(key, each));
        if (promised.isPresent()) {
            return new Holding(promised.get(), number, Optional.empty(), Optional.empty());
        }
        Optional<Id> home = before.map(each -> each.home().orElse(each.owner()));
        Id chosen = home.flatMap(each -> candidates.get(key).stream()
                        .filter(each::isSameInstance)
                        .findFirst())
                .orElseGet(() -> leastLoaded(key));
        return new Holding(chosen, number, Optional.empty(), home.filter(each -> !each.isSameInstance(chosen)));
    }

    private Id leastLoaded(WorkKey key) {
        return candidates.get(key).stream()
                .min(Comparator.<Id>comparingInt(this::load).thenComparingInt(each -> load(each, key.set())))
                .orElseThrow();
    }

    private boolean moveOne() {
        List<Id> lightFirst = participants.keySet().stream()
                .sorted(Comparator.comparingInt(this::load))
                .toList();
        for (Id to : lightFirst) {
            for (int i = lightFirst.size() - 1; i >= 0 && load(lightFirst.get(i)) - load(to) > 1; i--) {
                Optional<WorkKey> moved = best(lightFirst.get(i), to);
                if (moved.isPresent()) {
                    move(moved.get(), to);
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns what is best moved: what was at home there, then what was at home elsewhere, and what its set has more of. */
    private Optional<WorkKey> best(Id from, Id to) {
        Map<WorkKey, Integer> ranks = new HashMap<>();
        return targets.getOrDefault(from, new TreeSet<>()).stream()
                .filter(key -> isCandidate(key, to) && isMovable(key))
                .min(Comparator.comparingInt(key -> ranks.computeIfAbsent(
                        key,
                        any -> awayFromHome(key, to) * WorkKey.MOST * 2
                                + load(to, key.set())
                                - load(from, key.set()))));
    }

    private int awayFromHome(WorkKey key, Id to) {
        return result.get(key)
                .home()
                .map(home -> home.instanceId().equals(to.instanceId()) ? 0 : 1)
                .orElse(2);
    }

    /** Its owner can be asked for it: it offers the key, or does not have it yet. */
    private boolean isMovable(WorkKey key) {
        Holding holding = result.get(key);
        return holding.since() == number || isCandidate(key, holding.owner());
    }

    private void move(WorkKey key, Id to) {
        Holding holding = result.get(key);
        put(
                key,
                holding.since() == number
                        ? new Holding(to, number, Optional.empty(), holding.home())
                        : holding.withNext(Optional.of(to)));
    }
}
