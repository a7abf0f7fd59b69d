// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.Quarantine;

/** The recent losses of the seniority by this instance. Confined to the engine's thread; times are monotonic. */
final class SeniorityLosses {

    private final Deque<Long> times = new ArrayDeque<>();

    void record(long now) {
        times.add(now);
    }

    /** Forgets all losses: the cluster that they belong to does not exist any more. */
    void forget() {
        times.clear();
    }

    /** Returns how many losses count at that time, and forgets the others. */
    int count(Quarantine quarantine, long now) {
        while (!times.isEmpty() && now - times.peekFirst() >= quarantine.windowMillis()) {
            times.removeFirst();
        }
        return times.size();
    }

    /** Returns when the instance may announce itself; in the past for at once. */
    long announceAt(Quarantine quarantine, long now) {
        int count = count(quarantine, now);
        return count == 0 ? Long.MIN_VALUE : times.peekLast() + quarantine.restMillis(count);
    }
}
