// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.function.LongSupplier;

/**
 * A socket for one request. Connecting and all reads together end at a deadline with a {@link SocketTimeoutException}, however slowly the
 * other side sends. For use by one thread, which closes it.
 */
public final class DeadlineSocket extends Socket {
    private final LongSupplier clock;
    private final long deadline;

    /** Creates a socket without a connection. The clock has monotonic milliseconds. */
    public DeadlineSocket(long limitMillis, LongSupplier clock) {
        this.clock = clock;
        this.deadline = clock.getAsLong() + limitMillis;
    }

    @Override
    public void connect(SocketAddress address) throws IOException {
        super.connect(address, left());
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read() throws IOException {
                setSoTimeout(left());
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                setSoTimeout(left());
                return super.read(bytes, offset, length);
            }
        };
    }

    private int left() throws SocketTimeoutException {
        long millis = deadline - clock.getAsLong();
        if (millis <= 0) {
            throw new SocketTimeoutException("the other side has not replied in time");
        }
        return (int) millis;
    }
}
