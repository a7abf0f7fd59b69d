// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.WireLimits;

/**
 * What the bodies of requests may take immediately: threads of the servlet container while they are read, and memory until they are
 * processed. A slow sender keeps a thread and hardly any memory, a fast one the reverse; each of them leaves room for others.
 */
final class BodyBudget {

    /** A usual servlet container has 200 threads. */
    static final int MAX_BODIES = 128;

    static final int MAX_OF_SENDER = 32;

    private static final int MAX_WHOLE_BODIES = 32;
    private static final int PART_OF_HEAP = 16;

    private final long maxBytes;

    /** How many bodies of each sender are being read. */
    private final Map<String, Integer> reading = new HashMap<>();

    private int bodies;
    private long bytes;

    /**
     * Makes an unused budget.
     *
     * @param maxBytes how many bytes all bodies may have together
     */
    BodyBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Returns a budget with room for at least one body of any allowed length, and for more in a greater heap. */
    static BodyBudget of(WireLimits limits, long heapBytes) {
        long one = limits.bodyBytes();
        return new BodyBudget(Math.max(one, Math.min(one * MAX_WHOLE_BODIES, heapBytes / PART_OF_HEAP)));
    }

    /** Begins with a body; empty when there are too many already, of all senders or of this one. */
    synchronized Optional<Share> open(String sender) {
        if (bodies >= MAX_BODIES || reading.getOrDefault(sender, 0) >= MAX_OF_SENDER) {
            return Optional.empty();
        }
        bodies++;
        reading.merge(sender, 1, Integer::sum);
        return Optional.of(new Share(sender));
    }

    /** What one body takes. Used by one thread. */
    final class Share implements AutoCloseable {
        private final String sender;
        private boolean read;
        private long taken;

        private Share(String sender) {
            this.sender = sender;
        }

        /** Takes memory for bytes that have arrived, and says whether there was enough. */
        boolean take(int count) {
            synchronized (BodyBudget.this) {
                if (bytes + count > maxBytes) {
                    return false;
                }
                bytes += count;
                taken += count;
                return true;
            }
        }

        /** Leaves its place to another body; the memory stays taken. */
        void endReading() {
            synchronized (BodyBudget.this) {
                if (!read) {
                    read = true;
                    bodies--;
                    reading.computeIfPresent(sender, (any, count) -> count > 1 ? count - 1 : null);
                }
            }
        }

        @Override
        public void close() {
            synchronized (BodyBudget.this) {
                endReading();
                bytes -= taken;
                taken = 0;
            }
        }
    }
}
