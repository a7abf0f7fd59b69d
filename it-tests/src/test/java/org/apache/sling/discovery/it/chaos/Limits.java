// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** The limit of all waiting; {@code -Ddiscovery.test.limit.seconds} scales it to the machine. */
final class Limits {

    static final Duration LIMIT = Duration.ofSeconds(Integer.getInteger("discovery.test.limit.seconds", 90));

    private static final Duration POLL = Duration.ofMillis(20);

    private Limits() {}

    static void awaitThat(String description, Callable<Boolean> condition) {
        Awaitility.await(description)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .atMost(LIMIT)
                .until(condition);
    }

    /** Lets time pass during a disturbance, or while nothing must happen. */
    static void pass(Duration duration) {
        long start = System.nanoTime();
        Awaitility.await("time to pass")
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .atMost(duration.plus(LIMIT))
                .until(() -> System.nanoTime() - start >= duration.toNanos());
    }
}
