// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The last answers of all servers. One thread asks for them, any thread reads them. */
@ThreadsAndClocks
final class RecentAnswers {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long TROUBLE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(6);
    private static final long OLD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Members members;
    private final long patienceMillis;
    private volatile Map<Integer, Answer> answers = Map.of();
    private volatile boolean wanted;
    private volatile long answeredNanos = System.nanoTime() - LATE_NANOS;

    /** @param patienceMillis how long a reader waits for answers */
    RecentAnswers(Members members, long patienceMillis) {
        this.members = members;
        this.patienceMillis = patienceMillis;
    }

    /** Returns the answers of the last minute by id; empty if there are none. */
    Map<Integer, Answer> get() {
        return isOlder(OLD_NANOS) ? Map.of() : answers;
    }

    /** Returns the answers of the last seconds by id, and waits for them if nothing has asked for a while; empty if none come. */
    synchronized Map<Integer, Answer> latest() {
        want();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        try {
            while (isOlder(LATE_NANOS) && System.nanoTime() < end) {
                TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return isOlder(LATE_NANOS) ? Map.of() : answers;
    }

    private boolean isOlder(long nanos) {
        return System.nanoTime() - answeredNanos >= nanos;
    }

    /** Has the servers asked earlier than usual, because their answers are shown. */
    void want() {
        wanted = true;
    }

    /** Asks the servers if that is due. */
    void ask() {
        if (isOlder(period(wanted, answers))) {
            wanted = false;
            Map<Integer, Answer> asked = members.answers(0);
            synchronized (this) {
                answers = asked;
                answeredNanos = System.nanoTime();
                notifyAll();
            }
        }
    }

    /** A server that does not serve is asked again soon: it may only have been slow, and is reported meanwhile. */
    static long period(boolean wanted, Map<Integer, Answer> answers) {
        if (wanted) {
            return REPORT_NANOS;
        }
        return answers.values().stream().anyMatch(each -> !each.serves()) ? TROUBLE_NANOS : LOOK_NANOS;
    }
}
