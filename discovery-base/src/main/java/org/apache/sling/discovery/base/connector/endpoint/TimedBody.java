// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;

/** A body that ends when its sender is slow, as one byte at a time would keep the connection open, and when bodies need too much memory. */
final class TimedBody extends FilterInputStream {
    private final LongSupplier clock;
    private final long end;
    private final BodyBudget.Share share;

    TimedBody(InputStream in, LongSupplier clock, long limitMillis, BodyBudget.Share share) {
        super(in);
        this.clock = clock;
        this.end = clock.getAsLong() + limitMillis;
        this.share = share;
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
        if (count > 0 && !share.take(count)) {
            throw new Refused(Refused.UNAVAILABLE, "the requests that are being read need too much memory");
        }
        return count;
    }

    private void checkTime() throws Refused {
        if (clock.getAsLong() >= end) {
            throw new Refused(Refused.TIMEOUT, "the body did not arrive in time");
        }
    }
}
