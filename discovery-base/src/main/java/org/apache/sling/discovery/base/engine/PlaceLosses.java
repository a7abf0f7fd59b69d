// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.Quarantine;

/** How often this instance lost its place in the cluster lately. Confined to the engine's thread; times are monotonic. */
final class PlaceLosses {

    private final Deque<Long> times = new ArrayDeque<>();

    void record(long now) {
        times.add(now);
    }

    /** Forgets all: what was lost is gone for everybody. */
    void forget() {
        times.clear();
    }

    /** Returns how many losses count at that time, and forgets those that do not. */
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
