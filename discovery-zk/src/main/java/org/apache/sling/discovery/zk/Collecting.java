// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.Watcher;

/** Watches the acknowledgements while this instance wants them, and only then: each is told to one instance and not to all. */
final class Collecting {
    private final Replica replica;
    private final Paths paths;
    private boolean wanted;
    private boolean watched;

    Collecting(Replica replica, Paths paths) {
        this.replica = replica;
        this.paths = paths;
    }

    boolean isWanted() {
        return wanted;
    }

    void want(boolean acknowledgements) {
        if (acknowledgements != wanted) {
            wanted = acknowledgements;
            if (replica.isUsable()) {
                follow();
            }
        }
    }

    /** Makes the replica hold the acknowledgements, or not, as wanted. */
    void follow() {
        CompletableFuture<Void> done = watch(replica.handle(), replica.watcher());
        if (wanted) {
            replica.change(
                    replica.handle().list(paths.acks()).thenCombine(done, (names, watching) -> names), Tree::putAcks);
            replica.listHistory();
        } else {
            replica.change(CompletableFuture.completedFuture(this), (tree, any) -> tree.forgetAcks());
        }
    }

    /**
     * Sets the watch, or ends it where it is not wanted any more: the client renews all its watches at each reconnect. To
     * fail to end it does no harm.
     */
    CompletableFuture<Void> watch(Handle handle, Watcher watcher) {
        if (wanted) {
            watched = true;
            return handle.watch(paths.acks(), watcher, AddWatchMode.PERSISTENT_RECURSIVE);
        }
        if (watched) {
            watched = false;
            return handle.unwatch(paths.acks()).exceptionally(thrown -> null);
        }
        return CompletableFuture.completedFuture(null);
    }

    /** Forgets the watch of an earlier session. */
    void forgetWatch() {
        watched = false;
    }
}
