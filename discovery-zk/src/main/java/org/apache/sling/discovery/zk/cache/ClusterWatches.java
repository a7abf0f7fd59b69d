// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * The watches on the cluster. That on the acknowledgements is set only while they are wanted, so that the store reports each
 * acknowledgement to one instance and not to all.
 */
final class ClusterWatches {
    private final Paths paths;
    private final Consumer<WatchedEvent> changed;
    private Session session;
    private Watcher watcher;
    private boolean wanted;
    private boolean watched;

    /**
     * Creates the watches, none of which is set.
     *
     * @param changed gets the events of the last session
     */
    ClusterWatches(Paths paths, Consumer<WatchedEvent> changed) {
        this.paths = paths;
        this.changed = changed;
    }

    /** Returns the last session; null before the first. */
    Session session() {
        return session;
    }

    /** Takes a session, which has no watches yet unless it is the last one. */
    void use(Session next) {
        if (session != next) {
            session = next;
            watched = false;
            watcher = next.watcher(event -> {
                if (session == next) {
                    changed.accept(event);
                }
            });
        }
    }

    /** Sets all watches. What is read is sent after this call, so that a later change causes an event. */
    CompletableFuture<Void> set() {
        return CompletableFuture.allOf(
                session.watch(paths.cluster(), watcher, AddWatchMode.PERSISTENT),
                session.watch(paths.members(), watcher, AddWatchMode.PERSISTENT_RECURSIVE),
                session.watch(paths.view(), watcher, AddWatchMode.PERSISTENT),
                setForAcknowledgements());
    }

    boolean wantsAcknowledgements() {
        return wanted;
    }

    /** Sets whether the acknowledgements are wanted, and returns whether that is new. */
    boolean want(boolean acknowledgements) {
        boolean isNew = acknowledgements != wanted;
        wanted = acknowledgements;
        return isNew;
    }

    /** Sets or ends the watch as wanted, and returns the change after which the cache has the acknowledgements or not. */
    CompletableFuture<NodeChange> followAcknowledgements() {
        CompletableFuture<Void> done = setForAcknowledgements();
        if (wanted) {
            return session.list(paths.acks())
                    .thenCombine(done, (names, watching) -> nodes -> nodes.putAcknowledgements(names));
        }
        return CompletableFuture.completedFuture(ClusterNodes::dropAcknowledgements);
    }

    /** The client renews all its watches at each reconnect, so the watch is ended when it is not wanted. A failure of that does no harm. */
    private CompletableFuture<Void> setForAcknowledgements() {
        if (wanted) {
            watched = true;
            return session.watch(paths.acks(), watcher, AddWatchMode.PERSISTENT_RECURSIVE);
        }
        if (watched) {
            watched = false;
            return session.unwatch(paths.acks()).exceptionally(thrown -> null);
        }
        return CompletableFuture.completedFuture(null);
    }
}
