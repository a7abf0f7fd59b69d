// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks;

import io.github.discoveryzk.benchmarks.member.Contestant;
import io.github.discoveryzk.benchmarks.result.Quantity;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The changes that are measured. A join has to follow each leave, so that all rounds have the same number of members. */
enum Scenario {

    /** A member that is not the eldest leaves. */
    LEAVE(cluster -> cluster.leave(cluster.follower())),

    /** A connected client joins, in place of the one that has left. */
    JOIN(cluster -> cluster.join(cluster.connect(1))),

    /** The eldest member leaves. */
    LEADER_LEAVE(cluster -> {
        Map<Quantity, Double> measured = cluster.leave(cluster.leader());
        cluster.join(cluster.connect(1));
        return measured;
    }),

    /** The eldest member changes a property. */
    PROPERTY(MeasuredCluster::change),

    /** A member writes a shared value. */
    DATA(cluster -> cluster.write(false)),

    /** A member writes a hundred entries of a shared map, all at the same time. */
    DATA_BURST(cluster -> cluster.write(true)),

    /** A member with its part of a thousand keys leaves: the others have them first. */
    WORK(MeasuredCluster::work),

    /** A member leaves and its successor connects and joins: one step of a rolling restart. */
    RESTART(cluster -> cluster.restart(cluster.follower())),

    /** A process with one further member is killed; takes raw clients a session timeout, so it is measured on demand only. */
    CRASH(MeasuredCluster::crash),

    /** Connected clients join all at the same time. */
    STORM(cluster -> {
        List<String> all = cluster.connect(Plan.newcomers(cluster.size()));
        Map<Quantity, Double> measured = cluster.join(all);
        cluster.leaveTogether(all);
        return measured;
    });

    private final Change change;

    Scenario(Change change) {
        this.change = change;
    }

    /** Returns what a change took and cost. */
    Map<Quantity, Double> play(MeasuredCluster cluster) throws Exception {
        return change.play(cluster);
    }

    boolean isPlayedBy(Contestant contestant) {
        if (this == DATA || this == DATA_BURST) {
            return contestant.hasSharedData();
        }
        if (this == WORK) {
            return contestant == Contestant.DISCOVERY;
        }
        return contestant.hasPropertiesAndOrder() || this != PROPERTY && this != LEADER_LEAVE;
    }

    boolean needsRealMembers() {
        return this == LEADER_LEAVE || this == DATA || this == DATA_BURST || this == WORK;
    }

    /** Returns the name as options and results have it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private interface Change {
        Map<Quantity, Double> play(MeasuredCluster cluster) throws Exception;
    }
}
