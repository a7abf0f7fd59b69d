// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.Quarantine;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The configuration of one history. A history with all kinds of faults seldom has the same one twice in a row; so each draws a
 * few kinds, their durations, and the traits of its instances.
 *
 * @param actions the kinds of actions that happen
 * @param scale how long they last, 1 for as long as usual
 * @param ownTimeouts whether session timeouts differ, and change with a connection
 * @param ownPolicies whether settle timeouts, quiet periods, least numbers of instances and policies for a lost connection differ
 * @param reading whether snapshots are read after notifications of changes, so that they may be coalesced and torn
 * @param running whether calls of listeners take time, instead of only beginning late
 * @param churning whether listeners add and remove listeners from within calls
 * @param lagging whether decisions come late, so that inputs share them
 */
record Swarm(
        Set<Action> actions,
        double scale,
        boolean ownTimeouts,
        boolean ownPolicies,
        boolean reading,
        boolean running,
        boolean churning,
        boolean lagging) {

    static final int SESSION_TIMEOUT = 3_000;
    static final int SETTLE_TIMEOUT = 4_000;
    static final int MIN_SESSION_TIMEOUT = 1_500;
    static final int MAX_SETTLE_TIMEOUT = 6_000;
    static final long REGROUP_MILLIS = 800;
    static final long STEP_IN_MILLIS = 200;
    static final Quarantine QUARANTINE = new Quarantine(2, 20_000, 300, 2_000);

    private static final List<Integer> SESSION_TIMEOUTS = List.of(MIN_SESSION_TIMEOUT, SESSION_TIMEOUT, 6_000, 12_000);
    private static final List<Integer> SETTLE_TIMEOUTS = List.of(200, 1_000, SETTLE_TIMEOUT, MAX_SETTLE_TIMEOUT);
    private static final List<Double> SCALES = List.of(0.1, 0.5, 1.0, 1.0, 2.0);
    private static final Set<Action> UNSPECIFIED = EnumSet.of(
            Action.BLIND,
            Action.DELETE_FOLDERS,
            Action.DELETE_ALL,
            Action.SPOIL_VIEW,
            Action.RESTORE_VIEW,
            Action.RESTORE_ALL,
            Action.RESTORE_SERVERS);
    private static final int MAX_QUIET_MILLIS = 1_500;
    private static final int MAX_LAG_MILLIS = 300;
    private static final int MAX_LAG_OF_SHORTEST = 100;
    private static final long ON_THE_WAY_MILLIS = 500;

    static Swarm draw(Random random) {
        EnumSet<Action> actions = EnumSet.of(Action.START);
        int one = 2 + random.nextInt(4);
        for (Action action : Action.values()) {
            if (random.nextInt(one) == 0) {
                actions.add(action);
            }
        }
        return new Swarm(
                actions,
                SCALES.get(random.nextInt(SCALES.size())),
                random.nextInt(3) == 0,
                random.nextInt(3) == 0,
                random.nextInt(3) == 0,
                random.nextBoolean(),
                random.nextInt(4) == 0,
                random.nextInt(3) == 0);
    }

    Action next(Random random) {
        List<Action> all = new ArrayList<>(actions);
        return all.get(random.nextInt(all.size()));
    }

    /** Returns this swarm without what the specification does not have. */
    Swarm specified() {
        EnumSet<Action> some = EnumSet.copyOf(actions);
        some.removeAll(UNSPECIFIED);
        return new Swarm(some, scale, ownTimeouts, ownPolicies, false, running, churning, lagging);
    }

    /** Returns a random duration up to the given number of milliseconds, times the scale of the history. */
    long millis(Random random, long most) {
        return random.nextInt((int) Math.max(1, most * scale));
    }

    /** Returns the longest session timeout of an instance. */
    int longestSessionTimeout() {
        return ownTimeouts ? SESSION_TIMEOUTS.get(SESSION_TIMEOUTS.size() - 1) : SESSION_TIMEOUT;
    }

    /** Returns the longest delay of a decision: a lease is renewed each third of the shortest timeout, and outlasts the next one. */
    int longestLag() {
        int longest = ownTimeouts ? MAX_LAG_OF_SHORTEST : MAX_LAG_MILLIS;
        return lagging ? longest : 0;
    }

    /** Returns within what time an instance has decided on all that it knows. */
    long decidedMillis() {
        return 2L * longestLag() + 1;
    }

    /** Returns how long a change may be in transit before all instances have decided on it. */
    long onTheWayMillis() {
        return ON_THE_WAY_MILLIS + 3L * longestLag();
    }

    int sessionTimeout(Random random) {
        return ownTimeouts ? SESSION_TIMEOUTS.get(random.nextInt(SESSION_TIMEOUTS.size())) : SESSION_TIMEOUT;
    }

    SettlingPolicy policy(Random random) {
        boolean quiet = ownPolicies && random.nextBoolean();
        boolean strict = ownPolicies && random.nextBoolean();
        boolean more = ownPolicies && random.nextInt(4) == 0;
        return new SettlingPolicy(
                ownPolicies ? SETTLE_TIMEOUTS.get(random.nextInt(SETTLE_TIMEOUTS.size())) : SETTLE_TIMEOUT,
                quiet ? random.nextInt(MAX_QUIET_MILLIS) : 0,
                REGROUP_MILLIS,
                STEP_IN_MILLIS,
                strict ? SuspendedPolicy.STRICT : SuspendedPolicy.LEASE,
                QUARANTINE,
                more ? 2 : 1,
                ownTimeouts ? sessionTimeout(random) : Integer.MAX_VALUE);
    }
}
