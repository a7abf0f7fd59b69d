// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * When a server without data may start, and whether it may vote. A vote without data counts for data that was never seen, so at most
 * one such server may vote beside a complete ensemble; two of them would be a majority that loses everything.
 *
 * <p>An empty server votes only if all servers are empty, or if an ensemble that does not list it yet grows by it alone. In any other
 * case it starts without a vote, and gets its data from the leader first.
 */
record Joining(Step step, String sentence) {
    /** What to do next. */
    enum Step {
        /** Wait, and answer as EMPTY. */
        STAY_EMPTY,
        /** Wait, and answer as FORMING. */
        FORM,
        /** Wait, and answer as GROWING. */
        GROW,
        /** Start. It may vote. */
        START,
        /**
         * Start when that was right for longer than a server needs to start, during which it does not answer. It may vote.
         */
        JOIN,
        /** Start. It may not vote before it has synced. */
        START_WITHOUT_VOTE
    }

    private static final Set<Kind> JOINS = Set.of(Kind.NOT_SERVING, Kind.FORMING, Kind.MUTE);
    private static final Set<Kind> RUNS = Set.of(Kind.NOT_SERVING, Kind.FOLLOWER, Kind.LEADER);

    /**
     * Decides the next step.
     *
     * @param id the id of this server
     * @param stage how this server answers now: EMPTY, FORMING or GROWING
     * @param others the answers of all other entries, by id
     */
    static Joining decide(int id, Kind stage, Map<Integer, Answer> others) {
        Map<Integer, Answer> sorted = new TreeMap<>(others);
        if (others.isEmpty()) {
            return new Joining(Step.START, "It starts with an empty data folder.");
        } else if (stage == Kind.GROWING) {
            return growing(sorted);
        } else if (sorted.values().stream().anyMatch(Answer::serves)) {
            return beside(id, sorted);
        } else if (any(sorted, each -> each.kind() == Kind.GROWING)) {
            return joiner(id, sorted);
        }
        return stage == Kind.FORMING ? forming(sorted) : empty(sorted);
    }

    /** This server has all data, so its vote is right; it has no quorum alone, and its answer lets another join. */
    private static Joining growing(Map<Integer, Answer> others) {
        return any(others, each -> RUNS.contains(each.kind()))
                ? new Joining(Step.START, "The ensemble of one grows.")
                : new Joining(
                        Step.GROW,
                        "The ensemble of one grows, and this server waits for one of the servers "
                                + names(others, any -> true) + ". Start one of their containers with the same list.");
    }

    private static Joining beside(int id, Map<Integer, Answer> others) {
        boolean listed = others.values().stream()
                .anyMatch(each -> each.serves() && each.members().contains(id));
        return listed
                ? new Joining(
                        Step.START_WITHOUT_VOTE,
                        "Its data folder is empty; it takes part after it has synced from the leader.")
                : joiner(id, others);
    }

    /** The ensemble does not know this server yet; one joins at a time. */
    private static Joining joiner(int id, Map<Integer, Answer> others) {
        Map<Integer, Answer> joining = new TreeMap<>(others);
        joining.entrySet()
                .removeIf(each -> !(JOINS.contains(each.getValue().kind())
                        || (each.getValue().kind() == Kind.EMPTY && each.getKey() < id)));
        return joining.isEmpty()
                ? new Joining(
                        Step.JOIN,
                        "It joins an ensemble that does not list it yet, and serves when the containers of that ensemble have"
                                + " the same list.")
                : new Joining(
                        Step.STAY_EMPTY,
                        "Refused for now: server " + names(joining, any -> true)
                                + " is joining, and only one server may join at a time. This server waits until the other one"
                                + " serves.");
    }

    private static Joining empty(Map<Integer, Answer> others) {
        Predicate<Answer> waits = each -> each.kind() == Kind.EMPTY || each.kind() == Kind.FORMING;
        if (!any(others, waits.negate())) {
            return new Joining(Step.FORM, "All data folders are empty: a new ensemble forms.");
        } else if (any(others, each -> RUNS.contains(each.kind()))) {
            return new Joining(
                    Step.START_WITHOUT_VOTE,
                    "Its data folder is empty, and the others have no quorum: it takes part after a majority of servers with"
                            + " data has elected a leader.");
        }
        return new Joining(
                Step.STAY_EMPTY,
                "Its data folder is empty. The first start of an ensemble needs all its servers, and no answer came from server "
                        + names(others, waits.negate()) + ". Start that container.");
    }

    /** The others may still wait for this answer, so it is given until none of them is behind. */
    private static Joining forming(Map<Integer, Answer> others) {
        return any(others, each -> each.kind() == Kind.EMPTY || each.kind() == Kind.MUTE)
                ? new Joining(Step.FORM, "A new ensemble forms.")
                : new Joining(Step.START, "A new ensemble starts.");
    }

    private static boolean any(Map<Integer, Answer> answers, Predicate<Answer> condition) {
        return answers.values().stream().anyMatch(condition);
    }

    private static String names(Map<Integer, Answer> answers, Predicate<Answer> condition) {
        return answers.entrySet().stream()
                .filter(each -> condition.test(each.getValue()))
                .map(each -> String.valueOf(each.getKey()))
                .collect(Collectors.joining(", "));
    }
}
