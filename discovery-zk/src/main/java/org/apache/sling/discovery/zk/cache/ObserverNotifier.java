// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.List;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forwards changes of state to the {@link StoreObserver} on the store's thread, each once, and none after {@link #silence}. */
public final class ObserverNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(ObserverNotifier.class);

    private final StoreObserver observer;
    private volatile boolean silent;
    private boolean connected;
    private long sessionId;
    private String trouble = "";
    private String sharingTrouble = "";

    public ObserverNotifier(StoreObserver observer) {
        this.observer = observer;
    }

    /** Ends all notifications. It may be called on any thread. */
    public void silence() {
        silent = true;
    }

    /** Returns whether the last state that the observer was notified of is connected. */
    public boolean hasNotifiedConnected() {
        return connected;
    }

    void notifyConnected(long id, int timeoutMillis) {
        if (sessionId != 0 && sessionId != id) {
            notifyExpired();
        }
        sessionId = id;
        connected = true;
        call(() -> observer.connected(id, timeoutMillis));
    }

    /** Notifies of the loss of a connection that was notified. */
    public void notifySuspended() {
        if (connected) {
            connected = false;
            call(observer::suspended);
        }
    }

    /** Notifies of the end of the session, and of the loss of its connection before, unless that is done already. */
    public void notifyExpired() {
        notifySuspended();
        if (sessionId != 0) {
            sessionId = 0;
            call(observer::expired);
        }
    }

    void notifySnapshot(StoreSnapshot snapshot) {
        call(() -> observer.observed(snapshot));
    }

    public void notifyRemotes(List<RemoteCluster> clusters) {
        call(() -> observer.remotesObserved(clusters));
    }

    public void notifyAnnouncements(List<SharedAnnouncement> announcements) {
        call(() -> observer.announcementsObserved(announcements));
    }

    public void notifyOutcome(Request request, Outcome outcome) {
        call(() -> observer.completed(request, outcome));
    }

    /** Reports and logs a problem, once. An empty sentence means that the problem is over. */
    public void notifyTrouble(String sentence) {
        if (sentence.equals(trouble) || silent) {
            return;
        }
        trouble = sentence;
        if (sentence.isEmpty()) {
            LOG.info("The problem with ZooKeeper is over.");
        } else {
            LOG.warn(sentence);
        }
        tellTroubles();
    }

    /** Reports and logs why announcements are not shared, once. It is reported with {@link #notifyTrouble}, and ends independently. */
    public void notifySharingTrouble(String sentence) {
        if (sentence.equals(sharingTrouble) || silent) {
            return;
        }
        sharingTrouble = sentence;
        if (sentence.isEmpty()) {
            LOG.info("All announcements of this instance are shared again.");
        } else {
            LOG.warn(sentence);
        }
        tellTroubles();
    }

    private void tellTroubles() {
        String all = (trouble + " " + sharingTrouble).strip();
        call(() -> observer.troubled(all));
    }

    private void call(Runnable notification) {
        if (silent) {
            return;
        }
        try {
            notification.run();
        } catch (RuntimeException e) {
            LOG.error("An observer of the store has failed", e);
        }
    }
}
