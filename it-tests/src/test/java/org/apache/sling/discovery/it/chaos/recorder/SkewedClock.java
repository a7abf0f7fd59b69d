// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stands in for the clocks of {@link System} in one class of discovery: its monotonic clock runs at its own rate, its wall
 * clock is that of the machine. Public because woven classes call it.
 */
public final class SkewedClock {

    private static final long ORIGIN = System.nanoTime();
    private static final AtomicBoolean READ = new AtomicBoolean();

    private static volatile double rate = 1;

    private SkewedClock() {}

    /** Sets the rate, before anything reads the clock: a later change would be a jump. */
    static void runAt(double wanted) {
        rate = wanted;
    }

    /** Whether a woven class has read the monotonic clock. */
    static boolean wasRead() {
        return READ.get();
    }

    /**
     * Returns the monotonic time.
     *
     * @return nanoseconds that pass at the rate of this process
     */
    public static long nanoTime() {
        READ.set(true);
        return ORIGIN + (long) ((System.nanoTime() - ORIGIN) * rate);
    }

    /**
     * Returns the wall-clock time of the machine.
     *
     * @return milliseconds since 1970
     */
    public static long currentTimeMillis() {
        return System.currentTimeMillis();
    }
}
