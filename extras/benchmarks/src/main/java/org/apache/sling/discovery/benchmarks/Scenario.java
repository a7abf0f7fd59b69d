// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.util.List;
import java.util.Locale;

/** The changes that are measured. A join has to follow each leave, so that all rounds have the same number of members. */
enum Scenario {
    /** A member that is not the eldest leaves. */
    LEAVE("a member leaves") {
        @Override
        MeasuredCluster.Measurement play(MeasuredCluster cluster) throws Exception {
            return cluster.leave(cluster.follower());
        }
    },
    /** A connected client joins, in place of the one that has left. */
    JOIN("a connected client joins") {
        @Override
        MeasuredCluster.Measurement play(MeasuredCluster cluster) throws Exception {
            return cluster.join(cluster.connect(1));
        }
    },
    /** The eldest member leaves. */
    LEADER_LEAVE("the leader leaves") {
        @Override
        MeasuredCluster.Measurement play(MeasuredCluster cluster) throws Exception {
            MeasuredCluster.Measurement measured = cluster.leave(cluster.leader());
            cluster.join(cluster.connect(1));
            return measured;
        }
    },
    /** The eldest member changes a property. */
    PROPERTY("a property changes") {
        @Override
        MeasuredCluster.Measurement play(MeasuredCluster cluster) throws Exception {
            return cluster.change();
        }
    },
    /** A member leaves and its successor connects and joins: one step of a rolling restart. */
    RESTART("a member restarts") {
        @Override
        MeasuredCluster.Measurement play(MeasuredCluster cluster) throws Exception {
            return cluster.restart(cluster.follower());
        }
    },
    /** A process with one further member is killed; takes a session timeout, so it is measured on demand only. */
    CRASH("a process is killed") {
        @Override
        MeasuredCluster.Measurement play(MeasuredCluster cluster) throws Exception {
            return cluster.crash();
        }
    },
    /** Connected clients join all at once. */
    STORM("many join at once") {
        @Override
        MeasuredCluster.Measurement play(MeasuredCluster cluster) throws Exception {
            List<String> all = cluster.connect(cluster.newcomers());
            MeasuredCluster.Measurement measured = cluster.join(all);
            cluster.leaveTogether(all);
            return measured;
        }
    };

    private final String title;

    Scenario(String title) {
        this.title = title;
    }

    abstract MeasuredCluster.Measurement play(MeasuredCluster cluster) throws Exception;

    String title() {
        return title;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
