// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import org.osgi.framework.FrameworkUtil;

/**
 * Stands in for the clocks of {@link System} in a copy of the bundle of discovery: its monotonic clock runs at the rate of the
 * framework property {@code chaos.clock.rate}, its wall clock is that of the machine.
 */
public final class SkewedClock {

    private static final long ORIGIN = System.nanoTime();
    private static final double RATE = Double.parseDouble(
            FrameworkUtil.getBundle(SkewedClock.class).getBundleContext().getProperty("chaos.clock.rate"));

    private SkewedClock() {}

    /** Returns nanoseconds that pass at the rate of this container. */
    public static long nanoTime() {
        return ORIGIN + (long) ((System.nanoTime() - ORIGIN) * RATE);
    }

    /** Returns the milliseconds since 1970. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis();
    }
}
