// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Makes a listener slow, for as long as a control file says: a number of milliseconds, or {@code hang} for ever. */
final class Slowness {

    private static final long POLL_MILLIS = 10;

    private final Path control;
    private final CountDownLatch released = new CountDownLatch(1);

    Slowness(Path control) {
        this.control = control;
    }

    /** Lets that much time pass, or less when the thread is interrupted. */
    static void pass(long millis) {
        try {
            new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all slowness. */
    void release() {
        released.countDown();
    }

    /** Waits for the time in the control file; the deletion of that file ends the wait. */
    void takeTime() {
        long start = System.nanoTime();
        try {
            while (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) < wanted()
                    && !released.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                continue;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long wanted() {
        try {
            String text = Files.readString(control).trim();
            return text.equals("hang") ? Long.MAX_VALUE : Long.parseLong(text);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }
}
