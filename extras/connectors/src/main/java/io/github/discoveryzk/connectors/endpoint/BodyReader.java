// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.connectors.wire.MessageBody;
import io.github.discoveryzk.connectors.wire.WireLimits;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * Reads the bodies of requests, each within a time. Together they take a limited number of threads of the servlet container while they are
 * read, and a limited memory until they are processed. A slow sender keeps a thread and hardly any memory, a fast one the reverse; each of
 * them leaves room for others.
 */
final class BodyReader {

    /** A usual servlet container has 200 threads. */
    static final int MAX_BODIES = 128;

    static final int MAX_OF_SENDER = 32;

    private static final int MAX_WHOLE_BODIES = 32;
    private static final int PART_OF_HEAP = 16;

    /** Reading a message of any length needs so many times the length: its bytes, its text and what is made of it. */
    private static final int COPIES = 12;

    private static final int MAX_PROCESSED = 8;

    private final MessageBody limits;
    private final long timeoutMillis;
    private final LongSupplier clock;

    /** A permit for each byte of the bodies. */
    private final Semaphore memory;

    /** Held while nothing is read or written, so that no sender can make others wait. */
    private final Semaphore processing;

    /** How many bodies of each sender are being read. */
    private final Map<String, Integer> reading = new HashMap<>();

    private int bodies;

    /**
     * Makes a reader with room for at least one body of any allowed length, and for more in a greater heap.
     *
     * @param timeout how long a body may take
     */
    BodyReader(WireLimits limits, Duration timeout, LongSupplier clock, long heapBytes) {
        this.limits = new MessageBody(limits);
        this.timeoutMillis = timeout.toMillis();
        this.clock = clock;
        long one = limits.bodyBytes();
        this.memory = new Semaphore((int) Math.max(one, Math.min(one * MAX_WHOLE_BODIES, heapBytes / PART_OF_HEAP)));
        this.processing = new Semaphore((int) Math.max(1, Math.min(MAX_PROCESSED, heapBytes / COPIES / one)), true);
    }

    /**
     * Reads a body and processes it.
     *
     * @param announced the length that the request announces; -1 for none
     * @throws InvalidMessage when it is too long or takes too much time, or there is no room for it
     */
    <T> T read(String sender, long announced, ConnectorRequest.Body source, Processor<T> processor) throws IOException {
        limits.checkLength(announced);
        int[] taken = {0};
        try {
            byte[] bytes = read(sender, source, taken);
            processing.acquireUninterruptibly();
            try {
                return processor.process(bytes);
            } finally {
                processing.release();
            }
        } finally {
            memory.release(taken[0]);
        }
    }

    private byte[] read(String sender, ConnectorRequest.Body source, int[] taken) throws IOException {
        begin(sender);
        try (InputStream body = source.open()) {
            return limits.read(new TimedBody(body, taken));
        } finally {
            end(sender);
        }
    }

    private synchronized void begin(String sender) throws InvalidMessage {
        if (bodies >= MAX_BODIES || reading.getOrDefault(sender, 0) >= MAX_OF_SENDER) {
            throw new InvalidMessage(Reason.UNAVAILABLE, "too many requests are being read already");
        }
        bodies++;
        reading.merge(sender, 1, Integer::sum);
    }

    private synchronized void end(String sender) {
        bodies--;
        reading.computeIfPresent(sender, (any, count) -> count > 1 ? count - 1 : null);
    }

    /** Does something with the bytes of a body. */
    interface Processor<T> {
        T process(byte[] bytes) throws IOException;
    }

    /** Ends when its sender is slow, as one byte at a time would keep the connection open, and when bodies need too much memory. */
    private final class TimedBody extends FilterInputStream {
        private final long end = clock.getAsLong() + timeoutMillis;
        private final int[] taken;

        TimedBody(InputStream in, int[] taken) {
            super(in);
            this.taken = taken;
        }

        @Override
        public int read() throws IOException {
            checkTime();
            return super.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            checkTime();
            int count = super.read(bytes, offset, length);
            if (count > 0) {
                if (!memory.tryAcquire(count)) {
                    throw new InvalidMessage(
                            Reason.UNAVAILABLE, "the requests that are being read need too much memory");
                }
                taken[0] += count;
            }
            return count;
        }

        private void checkTime() throws InvalidMessage {
            if (clock.getAsLong() >= end) {
                throw new InvalidMessage(Reason.LATE, "the body did not arrive in time");
            }
        }
    }
}
