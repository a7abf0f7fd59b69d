// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The last answers of all servers. One thread asks for them, any thread reads them. */
@ThreadsAndClocks
final class RecentAnswers {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(6);
    private static final long OLD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Members members;
    private volatile Map<Integer, Answer> answers = Map.of();
    private volatile boolean wanted;
    private volatile long answeredNanos = System.nanoTime() - REPORT_NANOS;

    RecentAnswers(Members members) {
        this.members = members;
    }

    /** Returns the answers of the last minute by id; empty if there are none. */
    Map<Integer, Answer> get() {
        return System.nanoTime() - answeredNanos > OLD_NANOS ? Map.of() : answers;
    }

    /** Returns the answers of the last seconds by id; empty if there are none. */
    Map<Integer, Answer> latest() {
        return System.nanoTime() - answeredNanos > LATE_NANOS ? Map.of() : answers;
    }

    /** Has the servers asked earlier than usual, because their answers are shown. */
    void want() {
        wanted = true;
    }

    /** Asks the servers if that is due. */
    void ask() {
        if (System.nanoTime() - answeredNanos >= period(wanted, answers)) {
            wanted = false;
            answers = members.answers(0);
            answeredNanos = System.nanoTime();
        }
    }

    /** A server that does not serve is asked again soon: it may only have been slow, and is reported meanwhile. */
    static long period(boolean wanted, Map<Integer, Answer> answers) {
        return wanted || answers.values().stream().anyMatch(each -> !each.serves()) ? REPORT_NANOS : LOOK_NANOS;
    }
}
