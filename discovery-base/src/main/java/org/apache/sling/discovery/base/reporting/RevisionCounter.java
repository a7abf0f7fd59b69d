// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sling.discovery.commons.report.Reporter.Watch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the changes of the report, and notifies callbacks. {@link #update} is called by one thread, all other methods by any.
 */
final class RevisionCounter {

    private static final Logger LOG = LoggerFactory.getLogger(RevisionCounter.class);

    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    private List<Object> shown = List.of();
    private volatile long number;

    long number() {
        return number;
    }

    /** Compares the content with the previous one and counts a change. */
    void update(List<Object> now) {
        if (!now.equals(shown)) {
            shown = now;
            number++;
            subscribers.forEach(Subscriber::call);
        }
    }

    Watch watch(Runnable changed) {
        Subscriber subscriber = new Subscriber(changed);
        subscribers.add(subscriber);
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
