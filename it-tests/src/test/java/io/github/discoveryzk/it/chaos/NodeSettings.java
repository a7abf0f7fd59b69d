// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The settings of a container of a run. Immutable.
 *
 * @param suspendedPolicy what a lost connection means
 * @param clockRate how much faster its monotonic clock runs than that of the machine
 * @param balanceDelayMillis how long the members must have been the same before keys are moved for a balance
 */
record NodeSettings(
        int sessionTimeoutMillis, int settleMillis, String suspendedPolicy, double clockRate, long balanceDelayMillis) {

    static final int SESSION_MILLIS = 3_000;
    static final int SETTLE_MILLIS = 4_000;
    private static final long BALANCE_MILLIS = 1_000;

    /** No node of any run has a longer one. */
    static final int MAX_SESSION_MILLIS = 7_500;
    /** The ratio of the fastest clock to the slowest is the largest allowed one: 9/8. */
    static final double MIN_RATE = 16 / 17d;

    static final double MAX_RATE = 18 / 17d;
    private static final int STEP_MILLIS = 500;

    /** The settings of nodes that are not varied. */
    static final NodeSettings PLAIN = new NodeSettings(SESSION_MILLIS, SETTLE_MILLIS, "LEASE", 1, BALANCE_MILLIS);

    /** Chooses settings of a number of nodes that differ; one has the slowest clock, another one the fastest. */
    static List<NodeSettings> varied(Random random, int size) {
        List<NodeSettings> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            double rate = MIN_RATE + random.nextDouble() * (MAX_RATE - MIN_RATE);
            all.add(new NodeSettings(
                    random.nextInt(4) == 0 ? MAX_SESSION_MILLIS : SESSION_MILLIS + STEP_MILLIS * random.nextInt(4),
                    SETTLE_MILLIS + STEP_MILLIS * random.nextInt(5),
                    random.nextInt(4) == 0 ? "STRICT" : "LEASE",
                    i == 0 ? MIN_RATE : i == 1 ? MAX_RATE : rate,
                    BALANCE_MILLIS));
        }
        Collections.shuffle(all, random);
        return all;
    }
}
