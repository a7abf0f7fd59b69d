// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.util.Collection;
import java.util.Locale;

/** What is measured of a change. */
enum Quantity {
    TIME("ms until the last member is told"),
    CHANGING("ms in CHANGING, the longest of all members"),
    PACKETS("packets received by the servers"),
    BYTES("bytes read and written by the members' processes"),
    /** The system counts the processor time of a process in steps of 10 ms, so that only the mean of many changes tells it. */
    PROCESSOR("µs of processor time for each member, mean", true),
    REAL_PROCESSOR("µs of processor time for each real member, mean", true),
    SERVER_PROCESSOR("ms of processor time of all servers, mean", true),
    DECISIONS("decisions of all members"),
    DECISION_TIME("ms in decisions of all members"),
    IDLE_PACKETS("packets a second for each member, idle"),
    IDLE_PROCESSOR("% of a core for each member, idle"),
    COLD_START("ms from the start of a member to its first view, the first in its process"),
    WARM_START("ms from the start of a member to its first view, after others in its process"),
    FIRST_CHANGE("ms of the first change after the start of the process"),
    RESTED_CHANGE("ms of the first change of a process that was started half a minute before"),
    HUNDREDTH_CHANGE("ms of a change after a hundred others"),
    ERRORS("lines of the level ERROR in the logs of servers and member processes"),
    THREADS("threads for each member"),
    HEAP("KiB of heap for each member");

    private final String title;
    private final boolean mean;

    Quantity(String title) {
        this(title, false);
    }

    Quantity(String title, boolean mean) {
        this.title = title;
        this.mean = mean;
    }

    /** Returns the value that stands for all samples. */
    double typical(Collection<Double> samples) {
        return mean
                ? samples.stream().mapToDouble(sample -> sample).average().orElseThrow()
                : Statistics.median(samples);
    }

    String title() {
        return title;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
