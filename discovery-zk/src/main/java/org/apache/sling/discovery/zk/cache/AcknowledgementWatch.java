// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.Watcher;

/**
 * The watch on the acknowledgements. An instance sets it only while it wants them, so that the store reports each acknowledgement
 * to one instance and not to all.
 */
final class AcknowledgementWatch {
    private final Paths paths;
    private boolean wanted;
    private boolean watched;

    AcknowledgementWatch(Paths paths) {
        this.paths = paths;
    }

    boolean isWanted() {
        return wanted;
    }

    /** Sets whether the acknowledgements are wanted, and returns whether that is new. */
    boolean setWanted(boolean acknowledgements) {
        boolean changed = acknowledgements != wanted;
        wanted = acknowledgements;
        return changed;
    }

    /** Sets or ends the watch as wanted, and returns the change after which the cache has the acknowledgements or not. */
    CompletableFuture<NodeChange> follow(Session session, Watcher watcher) {
        CompletableFuture<Void> done = watch(session, watcher);
        if (wanted) {
            return session.list(paths.acks())
                    .thenCombine(done, (names, watching) -> nodes -> nodes.putAcknowledgements(names));
        }
        return CompletableFuture.completedFuture(ClusterNodes::dropAcknowledgements);
    }

    /**
     * Sets the watch, or ends it where it is not wanted any more: the client renews all its watches at each reconnect. A failure to
     * end it does no harm.
     */
    CompletableFuture<Void> watch(Session session, Watcher watcher) {
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

    /** Forgets the watch of an earlier session. */
    void forget() {
        watched = false;
    }
}
