// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.result;

import java.util.Collection;

/** What is measured of a change. */
public enum Quantity {
    TIME("ms until the last member is notified"),
    CHANGING("ms in CHANGING, the longest of all members"),
    PACKETS("packets received by the servers"),
    BYTES("bytes read and written by the members' processes"),
    /** The system counts the processor time of a process in steps of 10 ms, so that only the mean of many changes counts. */
    PROCESSOR("µs of processor time for each member, mean", true),
    REAL_PROCESSOR("µs of processor time for each real member, mean", true),
    RECORD_BYTES("bytes of the record of who has which key"),
    DECIDING("ms to decide who has which key"),
    IDLE_PACKETS("packets a second for each member, idle"),
    IDLE_PROCESSOR("% of a core for each member, idle"),
    CONNECTIONS("connections that each member has opened"),
    THREADS("threads of each member"),
    ERRORS("lines of the level ERROR in the logs of servers and member processes");

    private final String title;
    private final boolean mean;

    Quantity(String title) {
        this(title, false);
    }

    Quantity(String title, boolean mean) {
        this.title = title;
        this.mean = mean;
    }

    /** Returns the value that stands for all samples: the mean or the median. */
    double typical(Collection<Double> samples) {
        double[] sorted = sorted(samples);
        int middle = sorted.length / 2;
        if (mean) {
            return samples.stream().mapToDouble(sample -> sample).sum() / sorted.length;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the smallest sample that is not below 99 % of all; with few samples the largest. */
    static double percentile99(Collection<Double> samples) {
        double[] sorted = sorted(samples);
        return sorted[(int) Math.ceil(0.99 * sorted.length) - 1];
    }

    private static double[] sorted(Collection<Double> samples) {
        return samples.stream().mapToDouble(sample -> sample).sorted().toArray();
    }

    String title() {
        return title;
    }
}
