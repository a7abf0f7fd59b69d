// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What to measure.
 *
 * @param members the numbers of members
 * @param real how many members of this project's cluster are real ones, the others being light; 0 for all
 * @param newcomers how many join at once in a storm; 0 for a fifth of the members
 * @param servers the number of servers of each contestant
 * @param processes the number of processes that the members of a contestant share; 1 for this process
 * @param rounds the number of rounds that count
 * @param warmup the number of rounds before them
 * @param idle how long clusters are watched without a change, and how long fresh processes rest before one
 * @param limit how long a change may take; a contestant that takes longer is dropped
 * @param contestants the systems to compare
 * @param scenarios the changes to measure
 * @param cold the number of fresh processes in which the first change is measured
 * @param folder where the results are written
 */
record Plan(
        List<Integer> members,
        int real,
        int newcomers,
        int servers,
        int processes,
        int rounds,
        int warmup,
        Duration idle,
        Duration limit,
        List<Contestant> contestants,
        List<Scenario> scenarios,
        int cold,
        Path folder) {

    private static final int STORM_SHARE = 5;

    Plan {
        boolean leaderLeaves = scenarios.contains(Scenario.LEADER_LEAVE);
        if (leaderLeaves && real > 0 && members.stream().anyMatch(size -> size > real)) {
            throw new IllegalArgumentException(
                    "the leader cannot leave when there are light members, which never lead");
        }
    }

    /** Returns a plan for no members, from which others are made. */
    static Plan of(Path folder, List<Contestant> contestants, List<Scenario> scenarios) {
        return new Plan(
                List.of(),
                0,
                0,
                1,
                1,
                11,
                4,
                Duration.ofSeconds(15),
                Duration.ofSeconds(60),
                contestants,
                scenarios,
                0,
                folder);
    }

    /** Returns this plan for other numbers of members. */
    Plan at(Integer... sizes) {
        return with(List.of(sizes), real, servers, processes, rounds, warmup, cold);
    }

    /** Returns this plan with real members in a process alone, and light ones in two further processes. */
    Plan light(int reals) {
        return with(members, reals, servers, 3, rounds, warmup, cold);
    }

    /** Returns this plan with another number of servers. */
    Plan on(int count) {
        return with(members, real, count, processes, rounds, warmup, cold);
    }

    /** Returns this plan with another number of processes. */
    Plan in(int count) {
        return with(members, real, servers, count, rounds, warmup, cold);
    }

    /** Returns this plan with other numbers of rounds. */
    Plan times(int counted, int before) {
        return with(members, real, servers, processes, counted, before, cold);
    }

    /** Returns this plan with a number of fresh processes. */
    Plan cold(int fresh) {
        return with(members, real, servers, processes, rounds, warmup, fresh);
    }

    private Plan with(
            List<Integer> sizes, int reals, int serverCount, int processCount, int counted, int before, int fresh) {
        return new Plan(
                sizes,
                reals,
                newcomers,
                serverCount,
                processCount,
                counted,
                before,
                idle,
                limit,
                contestants,
                scenarios,
                fresh,
                folder);
    }

    /** Returns which members of this project's cluster are real. */
    Mix mix(int size) {
        return new Mix(size, real == 0 ? size : Math.min(real, size));
    }

    /** Returns how many join at once in a storm. */
    int newcomers(int size) {
        return newcomers > 0 ? newcomers : Math.max(2, size / STORM_SHARE);
    }
}
