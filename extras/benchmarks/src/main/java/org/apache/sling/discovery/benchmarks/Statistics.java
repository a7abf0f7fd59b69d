// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.util.Collection;

/** Statistics of samples by the nearest rank. */
final class Statistics {

    private Statistics() {}

    static double median(Collection<Double> samples) {
        double[] sorted = sorted(samples);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the smallest sample that is not below that share of all; with few samples the largest. */
    static double percentile(Collection<Double> samples, double share) {
        double[] sorted = sorted(samples);
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    private static double[] sorted(Collection<Double> samples) {
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("no samples");
        }
        return samples.stream().mapToDouble(sample -> sample).sorted().toArray();
    }
}
