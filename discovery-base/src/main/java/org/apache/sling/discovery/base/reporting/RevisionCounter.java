// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.sling.discovery.commons.report.Reporter.Watch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the changes of the report, and notifies callbacks. The content is compared when a caller asks for the number, and after each turn
 * of the engine only while a callback is registered: an instance that no page shows spends nothing on it. Thread-safe.
 */
final class RevisionCounter {

    private static final Logger LOG = LoggerFactory.getLogger(RevisionCounter.class);

    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    private final Supplier<List<Object>> content;
    private List<Object> shown = List.of();
    private long number;
    private long notified;

    /**
     * Creates a counter.
     *
     * @param content what the report shows now; called on any thread, must not block
     */
    RevisionCounter(Supplier<List<Object>> content) {
        this.content = content;
    }

    /** Returns a number above that of the last call if the content has changed since then. */
    synchronized long number() {
        List<Object> now = content.get();
        if (!now.equals(shown)) {
            shown = now;
            number++;
        }
        return number;
    }

    /** Notifies the callbacks if the content has changed since the last call. To be called by one thread. */
    void update() {
        if (isWatched() && hasChanged()) {
            subscribers.forEach(Subscriber::call);
        }
    }

    private synchronized boolean hasChanged() {
        long before = notified;
        notified = number();
        return notified != before;
    }

    Watch watch(Runnable changed) {
        Subscriber subscriber = new Subscriber(changed);
        synchronized (this) {
            if (!isWatched()) {
                notified = number();
            }
            subscribers.add(subscriber);
        }
        return () -> subscribers.remove(subscriber);
    }

    /** Says whether a callback is registered. */
    boolean isWatched() {
        return !subscribers.isEmpty();
    }

    /** Not a record, because of its equality: a callback that was registered twice is called twice. */
    private static final class Subscriber {

        private final Runnable changed;

        private Subscriber(Runnable changed) {
            this.changed = changed;
        }

        private void call() {
            try {
                changed.run();
            } catch (Throwable e) { // An Error of another bundle must not end the decision thread.
                LOG.warn("A callback that watches reports failed", e);
            }
        }
    }
}
