// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets time pass. */
final class Pauses {

    private Pauses() {}

    static void of(Duration duration) {
        try {
            boolean never = new CountDownLatch(1).await(duration.toMillis(), TimeUnit.MILLISECONDS);
            if (never) {
                throw new IllegalStateException("the latch is never counted down");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
