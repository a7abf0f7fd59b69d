// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps back what is told, and the replies behind it, while one part of what is known is newer than the others. */
final class SnapshotGate {
    private final Runnable notification;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int closings;
    private boolean changed;

    /**
     * Makes one; all is whole.
     *
     * @param notification tells what is known
     */
    SnapshotGate(Runnable notification) {
        this.notification = notification;
    }

    /** One part is newer than the others, until {@link #end}. */
    void close() {
        closings++;
    }

    /** The others are as new as that part. */
    void open() {
        closings--;
        if (closings == 0) {
            if (changed) {
                changed = false;
                notification.run();
            }
            while (!waiting.isEmpty()) {
                waiting.poll().run();
            }
        }
    }

    /** Tells what is known when it is whole; at once if it is. */
    void notifyObserver() {
        if (closings == 0) {
            notification.run();
        } else {
            changed = true;
        }
    }

    /** Lets something happen when what is known is whole and has been told. */
    void afterNotification(Runnable action) {
        if (closings == 0) {
            action.run();
        } else {
            waiting.add(action);
        }
    }

    /** Forgets what waits; it never happens. */
    void reset() {
        closings = 0;
        changed = false;
        waiting.clear();
    }
}
