// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.process;

import java.io.Serializable;

/**
 * What the members of one process have used since its start.
 *
 * @param processNanos processor time of the process
 * @param bytes bytes that the process has read and written, 0 if the system does not count them
 * @param connections the TCP connections that it has opened and that exist now, 0 if the system does not list them
 * @param threads its threads now
 */
public record Usage(long processNanos, long bytes, long connections, long threads) implements Serializable {

    /** What no process has used. */
    public static final Usage NONE = new Usage(0, 0, 0, 0);

    public Usage plus(Usage other) {
        return new Usage(
                processNanos + other.processNanos,
                bytes + other.bytes,
                connections + other.connections,
                threads + other.threads);
    }

    public Usage since(Usage before) {
        return new Usage(processNanos - before.processNanos, bytes - before.bytes, connections, threads);
    }
}
