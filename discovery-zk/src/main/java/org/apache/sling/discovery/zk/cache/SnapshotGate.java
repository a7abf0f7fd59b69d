// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps back what is told, and the replies behind it, while one part of what is known is newer than the others. */
final class SnapshotGate {
    private final Runnable tell;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int open;
    private boolean changed;

    /**
     * Makes one; all is whole.
     *
     * @param tell tells what is known
     */
    SnapshotGate(Runnable tell) {
        this.tell = tell;
    }

    /** One part is newer than the others, until {@link #end}. */
    void begin() {
        open++;
    }

    /** The others are as new as that part. */
    void end() {
        open--;
        if (open == 0) {
            if (changed) {
                changed = false;
                tell.run();
            }
            while (!waiting.isEmpty()) {
                waiting.poll().run();
            }
        }
    }

    /** Tells what is known when it is whole; at once if it is. */
    void tell() {
        if (open == 0) {
            tell.run();
        } else {
            changed = true;
        }
    }

    /** Lets something happen when what is known is whole and has been told. */
    void whenWhole(Runnable action) {
        if (open == 0) {
            action.run();
        } else {
            waiting.add(action);
        }
    }

    /** Forgets what waits; it never happens. */
    void forget() {
        open = 0;
        changed = false;
        waiting.clear();
    }
}
