// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the members of one process have used since its start.
 *
 * @param processNanos processor time of the process
 * @param threadNanos processor time of the threads of the members
 * @param threads the number of these threads that are alive
 * @param bytes bytes that the process has read and written, 0 if the system does not tell
 * @param decisions evaluations of the protocol
 * @param decisionNanos the time that they took
 */
record Usage(long processNanos, long threadNanos, long threads, long bytes, long decisions, long decisionNanos) {

    static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0);

    Usage plus(Usage other) {
        return new Usage(
                processNanos + other.processNanos,
                threadNanos + other.threadNanos,
                threads + other.threads,
                bytes + other.bytes,
                decisions + other.decisions,
                decisionNanos + other.decisionNanos);
    }

    Usage since(Usage before) {
        return new Usage(
                processNanos - before.processNanos,
                threadNanos - before.threadNanos,
                threads,
                bytes - before.bytes,
                decisions - before.decisions,
                decisionNanos - before.decisionNanos);
    }

    /** Counts evaluations of the protocol. */
    static final class Decisions {
        final LongAdder count = new LongAdder();
        final LongAdder nanos = new LongAdder();
    }
}
