// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the observer what it has not been told yet, on the store's thread, and nothing any more once it was silenced. */
public final class ObserverNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(ObserverNotifier.class);

    private final StoreObserver observer;
    private volatile boolean silent;
    private boolean connected;
    private long session;
    private String trouble = "";

    public ObserverNotifier(StoreObserver observer) {
        this.observer = observer;
    }

    public void silence() {
        silent = true;
    }

    /** Says whether the observer believes that the store can be asked. */
    public boolean hasToldConnected() {
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

    public void suspended() {
        if (connected) {
            connected = false;
            tell(observer::suspended);
        }
    }

    public void expired() {
        suspended();
        if (session != 0) {
            session = 0;
            tell(observer::expired);
        }
    }

    void observed(StoreSnapshot snapshot) {
        tell(() -> observer.observed(snapshot));
    }

    public void replied(Request request, Outcome outcome) {
        tell(() -> observer.replied(request, outcome));
    }

    /** Tells and logs what is wrong, once; an empty sentence when nothing is any more. */
    public void troubled(String sentence) {
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
