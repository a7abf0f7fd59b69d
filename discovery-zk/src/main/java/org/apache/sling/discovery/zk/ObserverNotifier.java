// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the observer what it has not been told yet, on the store's thread, and nothing any more once it was silenced. */
final class ObserverNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(ObserverNotifier.class);

    private final StoreObserver observer;
    private volatile boolean silent;
    private boolean connected;
    private long session;
    private String trouble = "";

    ObserverNotifier(StoreObserver observer) {
        this.observer = observer;
    }

    void silence() {
        silent = true;
    }

    /** Says whether the observer believes that the store can be asked. */
    boolean hasToldConnected() {
        return connected;
    }

    void connected(long id, int timeoutMillis) {
        if (session != 0 && session != id) {
            expired();
        }
        session = id;
        connected = true;
        tell(() -> observer.connected(id, timeoutMillis));
    }

    void suspended() {
        if (connected) {
            connected = false;
            tell(observer::suspended);
        }
    }

    void expired() {
        suspended();
        if (session != 0) {
            session = 0;
            tell(observer::expired);
        }
    }

    void observed(StoreSnapshot snapshot) {
        tell(() -> observer.observed(snapshot));
    }

    void replied(Request request, Outcome outcome) {
        tell(() -> observer.replied(request, outcome));
    }

    /** Tells and logs what is wrong, once; an empty sentence when nothing is any more. */
    void troubled(String sentence) {
        if (sentence.equals(trouble) || silent) {
            return;
        }
        trouble = sentence;
        if (sentence.isEmpty()) {
            LOG.info("The trouble with ZooKeeper is over.");
        } else {
            LOG.warn(sentence);
        }
        tell(() -> observer.troubled(sentence));
    }

    private void tell(Runnable call) {
        if (silent) {
            return;
        }
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.error("An observer of the store failed", e);
        }
    }
}
