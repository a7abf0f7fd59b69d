// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.AnnouncementBoard;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.StoreObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forwards changes of state to the {@link StoreObserver} on the store's thread, each once, and none after {@link #silence}. */
public final class ObserverNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(ObserverNotifier.class);
    private static final String SHARED = "All announcements of this instance are shared again.";

    private final StoreObserver observer;
    private final AnnouncementBoard.Observer boardObserver;
    private volatile boolean silent;
    private boolean connected;
    private long sessionId;
    private Optional<StoreSnapshot> last = Optional.empty();
    private List<String> problemsOfOthers = List.of();

    /** The troubles by what is logged when they are over. */
    private final Map<String, String> troubles = new TreeMap<>();

    public ObserverNotifier(StoreObserver observer, AnnouncementBoard.Observer boardObserver) {
        this.observer = observer;
        this.boardObserver = boardObserver;
    }

    /** Ends all notifications. It may be called on any thread. */
    public void silence() {
        silent = true;
    }

    /** Returns whether the last state that the observer was notified of is connected. */
    boolean hasNotifiedConnected() {
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
            last = Optional.empty();
            if (troubles.remove(SHARED) != null) {
                notifyTroubles();
            }
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
        last = Optional.of(snapshot);
        List<String> all = new ArrayList<>(snapshot.problems());
        all.addAll(problemsOfOthers);
        StoreSnapshot complete = problemsOfOthers.isEmpty() ? snapshot : snapshot.withProblems(all);
        call(() -> observer.observed(complete));
    }

    /** Sets what is wrong with announcements and other clusters, which is shown with the snapshots. */
    public void setProblemsOfOthers(List<String> problems) {
        if (!problems.equals(problemsOfOthers)) {
            problemsOfOthers = problems;
            last.ifPresent(this::notifySnapshot);
        }
    }

    public void notifyRemotes(List<RemoteCluster> clusters) {
        call(() -> boardObserver.remotesObserved(clusters));
    }

    public void notifyAnnouncements(List<SharedAnnouncement> announcements) {
        call(() -> boardObserver.announcementsObserved(announcements));
    }

    public void notifyData(Consumer<DataStore.Content> dataObserver, DataStore.Content content) {
        call(() -> dataObserver.accept(content));
    }

    public void notifyOutcome(Request request, Outcome outcome) {
        call(() -> observer.completed(request, outcome));
    }

    /** Reports and logs a problem, once. An empty sentence means that the problem is over. */
    public void notifyTrouble(String sentence) {
        notifyTrouble(sentence, "The problem with ZooKeeper is over.");
    }

    /** Reports and logs why announcements are not shared, once. It is reported with {@link #notifyTrouble}, and ends independently. */
    public void notifySharingTrouble(String sentence) {
        notifyTrouble(sentence, SHARED);
    }

    private void notifyTrouble(String sentence, String over) {
        if (silent || sentence.equals(troubles.getOrDefault(over, ""))) {
            return;
        }
        troubles.put(over, sentence);
        if (sentence.isEmpty()) {
            LOG.info(over);
        } else {
            LOG.warn(sentence);
        }
        notifyTroubles();
    }

    private void notifyTroubles() {
        String all = String.join(" ", troubles.values()).strip();
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
