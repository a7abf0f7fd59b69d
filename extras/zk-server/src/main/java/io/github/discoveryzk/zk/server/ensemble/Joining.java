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
 *
 * @param founds whether no server with data has answered: what it awaits comes with the first start of others
 */
record Joining(Step step, boolean founds, String sentence) {
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
     * @param servers the list
     * @param id the id of this server
     * @param stage how this server answers now: EMPTY, FORMING or GROWING
     * @param others the answers of all other entries, by id
     */
    static Joining decide(Servers servers, int id, Kind stage, Map<Integer, Answer> others) {
        Map<Integer, Answer> sorted = new TreeMap<>(others);
        if (others.isEmpty()) {
            return founding(Step.START, "It starts with an empty data folder.");
        } else if (stage == Kind.GROWING) {
            return growing(servers, sorted);
        } else if (sorted.values().stream().anyMatch(Answer::serves)) {
            return beside(servers, id, sorted);
        } else if (any(sorted, each -> each.kind() == Kind.GROWING)) {
            return joiner(servers, id, sorted);
        }
        return stage == Kind.FORMING ? forming(sorted) : empty(servers, sorted);
    }

    /** This server has all data, so its vote is right; it has no quorum alone, and its answer lets another join. */
    private static Joining growing(Servers servers, Map<Integer, Answer> others) {
        return any(others, each -> RUNS.contains(each.kind()))
                ? founding(Step.START, "The ensemble of one grows.")
                : founding(
                        Step.GROW,
                        "The ensemble of one grows, and this server waits for one of the servers "
                                + names(servers, others, any -> true)
                                + ". Start one of their containers with the same list.");
    }

    private static Joining beside(Servers servers, int id, Map<Integer, Answer> others) {
        boolean listed = others.values().stream()
                .anyMatch(each -> each.serves() && each.members().contains(id));
        return listed
                ? beside(
                        Step.START_WITHOUT_VOTE,
                        "Its data folder is empty; it takes part after it has synced from the leader.")
                : joiner(servers, id, others);
    }

    /** The ensemble does not know this server yet; one joins at a time. */
    private static Joining joiner(Servers servers, int id, Map<Integer, Answer> others) {
        Map<Integer, Answer> joining = new TreeMap<>(others);
        joining.entrySet()
                .removeIf(each -> !(JOINS.contains(each.getValue().kind())
                        || (each.getValue().kind() == Kind.EMPTY && each.getKey() < id)));
        return joining.isEmpty()
                ? beside(
                        Step.JOIN,
                        "It joins an ensemble that does not list it yet, and serves when the containers of that ensemble have"
                                + " the same list.")
                : beside(
                        Step.STAY_EMPTY,
                        "Refused for now: server " + names(servers, joining, any -> true)
                                + " is joining, and only one server may join at a time. This server waits until the other one"
                                + " serves.");
    }

    private static Joining empty(Servers servers, Map<Integer, Answer> others) {
        Predicate<Answer> waits = each -> each.kind() == Kind.EMPTY || each.kind() == Kind.FORMING;
        if (!any(others, waits.negate())) {
            return founding(Step.FORM, "All data folders are empty: a new ensemble forms.");
        } else if (any(others, each -> RUNS.contains(each.kind()))) {
            return beside(
                    Step.START_WITHOUT_VOTE,
                    "Its data folder is empty, and the others have no quorum: it takes part after a majority of servers with"
                            + " data has elected a leader.");
        }
        return founding(
                Step.STAY_EMPTY,
                "Its data folder is empty. The first start of an ensemble needs all its servers, and no answer came from server "
                        + names(servers, others, waits.negate()) + ". Start that container.");
    }

    /** The others may still wait for this answer, so it is given until none of them is behind. */
    private static Joining forming(Map<Integer, Answer> others) {
        return any(others, each -> each.kind() == Kind.EMPTY || each.kind() == Kind.MUTE)
                ? founding(Step.FORM, "A new ensemble forms.")
                : founding(Step.START, "A new ensemble starts.");
    }

    private static Joining founding(Step step, String sentence) {
        return new Joining(step, true, sentence);
    }

    private static Joining beside(Step step, String sentence) {
        return new Joining(step, false, sentence);
    }

    private static boolean any(Map<Integer, Answer> answers, Predicate<Answer> condition) {
        return answers.values().stream().anyMatch(condition);
    }

    private static String names(Servers servers, Map<Integer, Answer> answers, Predicate<Answer> condition) {
        return answers.entrySet().stream()
                .filter(each -> condition.test(each.getValue()))
                .map(each -> each.getKey() + " (" + servers.entry(each.getKey()).address() + ")")
                .collect(Collectors.joining(", "));
    }
}
