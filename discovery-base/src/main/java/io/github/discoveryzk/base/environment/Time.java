// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.environment;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The two clocks of an instance.
 *
 * @param monotonic milliseconds from an arbitrary origin that only grow; all decisions rest on it
 * @param wall milliseconds since 1970; for display only
 */
@ThreadsAndClocks
public record Time(LongSupplier monotonic, LongSupplier wall) {

    /** The clocks of this machine. */
    public static final Time SYSTEM =
            new Time(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), System::currentTimeMillis);

    public Time {
        Objects.requireNonNull(monotonic, "monotonic");
        Objects.requireNonNull(wall, "wall");
    }
}
