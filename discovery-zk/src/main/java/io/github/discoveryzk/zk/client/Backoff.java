// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import java.util.concurrent.ThreadLocalRandom;

/** When to try again: after a second, then after twice as long each time, up to a minute; shortened at random by up to half. */
final class Backoff {
    private static final long FIRST_MILLIS = 1_000;
    private static final long LONGEST_MILLIS = 60_000;
    private static final int DOUBLINGS = 6;

    private int attempts;
    private long next;

    /** Records an attempt, whose success is not known yet. */
    void attempt(long now) {
        long longest = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(attempts, DOUBLINGS));
        attempts++;
        next = now + longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1);
    }

    boolean isDue(long now) {
        return attempts == 0 || now >= next;
    }

    /** Records a success, or a change after which the next attempt may succeed. */
    void reset() {
        attempts = 0;
    }
}
