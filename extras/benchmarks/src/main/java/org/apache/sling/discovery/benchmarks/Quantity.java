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
    FIRST_CHANGE("ms of the first change, at once after the first view"),
    RESTED_CHANGE("ms of the first change, after a rest"),
    HUNDREDTH_CHANGE("ms of a change after a hundred others"),
    FIRST_COMPILER("ms of a processor for the compiler during the first change"),
    FIRST_OTHERS("ms of a processor for all other threads during the first change"),
    FIRST_WAIT("ms in which these waited for a processor during the first change"),
    HUNDREDTH_COMPILER("ms of a processor for the compiler during a change after a hundred others"),
    HUNDREDTH_OTHERS("ms of a processor for all other threads during a change after a hundred others"),
    HUNDREDTH_WAIT("ms in which these waited for a processor during a change after a hundred others"),
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
