// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.outside;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** The one limit for waiting in all tests. It says when to give up, never how fast something has to be. */
public final class Limit {

    private static final Duration LIMIT = Duration.ofSeconds(60L * Integer.getInteger("wait.factor", 1));

    private Limit() {}

    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(20));
    }

    /** Repeats assertions until they hold. */
    public static void untilAsserted(Assertions assertions) {
        await("assertions").untilAsserted(assertions::run);
    }

    /** Waits until something counts down, or fails. */
    public static long millis() {
        return LIMIT.toMillis();
    }

    /** Code that throws while something is not yet as it should be. */
    @FunctionalInterface
    public interface Assertions {
        void run() throws Exception;
    }
}
