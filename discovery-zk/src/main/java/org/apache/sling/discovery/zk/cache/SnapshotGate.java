// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayDeque;
import java.util.Deque;

/** Holds the notification of the observer, and the replies after it, while one part of the cache is newer than the others. */
final class SnapshotGate {
    private final Runnable notification;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int closings;
    private boolean changed;

    /**
     * Creates an open gate.
     *
     * @param notification notifies the observer of the present state
     */
    SnapshotGate(Runnable notification) {
        this.notification = notification;
    }

    /** Closes the gate, until {@link #open}: one part is newer than the others. */
    void close() {
        closings++;
    }

    /** Opens the gate: the other parts are as new as that one. After {@link #reset} it is open already. */
    void open() {
        if (closings == 0) {
            return;
        }
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

    /** Notifies the observer, at once or when the gate opens. */
    void notifyObserver() {
        if (closings == 0) {
            notification.run();
        } else {
            changed = true;
        }
    }

    /** Runs an action after the notification, at once or when the gate opens. */
    void afterNotification(Runnable action) {
        if (closings == 0) {
            action.run();
        } else {
            waiting.add(action);
        }
    }

    /** Opens the gate and discards all that waits. */
    void reset() {
        closings = 0;
        changed = false;
        waiting.clear();
    }
}
