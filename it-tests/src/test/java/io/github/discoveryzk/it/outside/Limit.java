// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.outside;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * The one limit for waiting in all tests, {@code -Ddiscovery.test.limit.seconds} scales it to the machine. It limits waiting
 * and is never a requirement on speed.
 */
public final class Limit {

    private static final Duration LIMIT = Duration.ofSeconds(Integer.getInteger("discovery.test.limit.seconds", 90));

    private static final Duration POLL = Duration.ofMillis(20);

    private Limit() {}

    /** Returns a condition to wait for. */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(LIMIT).pollDelay(Duration.ZERO).pollInterval(POLL);
    }

    /** Waits until a condition holds. */
    public static void awaitThat(String what, Callable<Boolean> condition) {
        await(what).until(condition);
    }

    /** Lets time pass during a disturbance, or while nothing must happen. */
    public static void pass(Duration duration) {
        long start = System.nanoTime();
        Awaitility.await("time to pass")
                .atMost(duration.plus(LIMIT))
                .pollInterval(POLL)
                .until(() -> System.nanoTime() - start >= duration.toNanos());
    }

    /** Repeats assertions until they hold. */
    public static void untilAsserted(Assertions assertions) {
        await("assertions").untilAsserted(assertions::run);
    }

    /** Returns the limit, for code with its own way of waiting. */
    public static long millis() {
        return LIMIT.toMillis();
    }

    /** Assertions that may fail at first. */
    @FunctionalInterface
    public interface Assertions {
        void run() throws Exception;
    }
}
