// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what is known of the cluster current. After each connect, and when anything looks odd, everything is read again; in
 * between a watch event costs at most one read. Changes and replies are passed on in the order in which the server made them.
 */
final class Replica {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);
    private static final long DELETED_MILLIS = 500;
    private static final long RETRY_MILLIS = 5_000;

    private final Paths paths;
    private final Codecs codecs;
    private final StoreThread thread;
    private final Teller teller;
    private final Runnable unusable;
    private final Line line = new Line();
    private final History history = new History();
    private final Changes changes;
    private final Collecting collecting;

    private Handle handle;
    private Watcher watcher;
    private Tree tree;
    private boolean reading;
    private boolean readAgain;
    private boolean readingLater;

    /**
     * Makes one that knows nothing yet.
     *
     * @param unusable called when requests cannot be sent any more although the connection is there
     */
    Replica(Paths paths, Codecs codecs, StoreThread thread, Teller teller, Runnable unusable) {
        this.paths = paths;
        this.codecs = codecs;
        this.thread = thread;
        this.teller = teller;
        this.unusable = unusable;
        this.changes = new Changes(this, paths);
        this.collecting = new Collecting(this, paths);
    }

    /** Starts over on a new connection. */
    void connected(Handle connected) {
        interrupted();
        if (handle != connected) {
            handle = connected;
            collecting.forgetWatch();
            watcher = event -> thread.execute(() -> heard(connected, event));
        }
        read();
    }

    private void heard(Handle told, WatchedEvent event) {
        if (told == handle && event.getType() != EventType.None) {
            changes.heard(event);
        }
    }

    /** Forgets what is under way: the connection is lost. */
    void interrupted() {
        tree = null;
        reading = false;
        readAgain = false;
        readingLater = false;
        line.clear();
        history.forget();
    }

    /** Says whether requests may be sent: everything has been read since the last connect. */
    boolean isUsable() {
        return tree != null;
    }

    /** Returns how records are read and written. */
    Codecs codecs() {
        return codecs;
    }

    Handle handle() {
        return handle;
    }

    Watcher watcher() {
        return watcher;
    }

    Collecting collecting() {
        return collecting;
    }

    Tree tree() {
        return tree;
    }

    History history() {
        return history;
    }

    /** Lets something happen once all changes that were heard of until now have been observed. */
    void afterChanges(Runnable action) {
        line.append(action);
    }

    /** Reads everything again, after what is being read now. */
    void read() {
        if (reading) {
            readAgain = true;
            return;
        }
        reading = true;
        Handle asked = handle;
        int connection = asked.connection();
        Line.Place place = line.take();
        new Bootstrap(asked, paths)
                .run()
                .thenCompose(clusterId -> {
                    if (!teller.hasToldConnected()) {
                        teller.connected(asked.session(), asked.sessionTimeoutMillis());
                    }
                    return watchAndRead(asked, clusterId);
                })
                .whenComplete((all, thrown) -> {
                    if (asked == handle && connection == asked.connection()) {
                        readEnded(place, all, thrown);
                    }
                });
    }

    private CompletableFuture<Tree> watchAndRead(Handle asked, String clusterId) {
        CompletableFuture<?> members = asked.watch(paths.members(), watcher, AddWatchMode.PERSISTENT_RECURSIVE);
        CompletableFuture<?> view = asked.watch(paths.view(), watcher, AddWatchMode.PERSISTENT);
        CompletableFuture<?> acks = collecting.watch(asked, watcher);
        CompletableFuture<Tree> all = new Reading(asked, paths, codecs, clusterId).all(collecting.isWanted());
        if (collecting.isWanted()) {
            listHistory();
        }
        return CompletableFuture.allOf(members, view, acks).thenCombine(all, (watched, read) -> read);
    }

    private void readEnded(Line.Place place, Tree all, Throwable thrown) {
        reading = false;
        if (thrown == null) {
            place.ready(() -> adopt(all));
        } else {
            failed(place, thrown.getCause() == null ? thrown : thrown.getCause());
        }
        if (readAgain && handle != null) {
            readAgain = false;
            read();
        }
    }

    private void adopt(Tree all) {
        if (tree != null) {
            all.keepInquired(tree);
        }
        tree = all;
        if (tree.collects() != collecting.isWanted()) {
            collecting.follow();
        }
        tree.view().ifPresent(history::published);
        teller.troubled("");
        tell();
    }

    private void failed(Line.Place place, Throwable thrown) {
        if (thrown instanceof Failure failure && failure.isUnknown()) {
            return;
        }
        place.ready(() -> {});
        if (thrown instanceof Failure failure && failure.is(Code.NONODE)) {
            readLater();
            return;
        }
        if (thrown instanceof Refused) {
            teller.troubled(thrown.getMessage());
        } else if (thrown instanceof Failure failure) {
            teller.troubled("ZooKeeper answers " + failure.code() + " for " + failure.path()
                    + ". Check the access rights and the quota of the root path.");
        } else {
            LOG.error("Unexpected failure while reading the cluster", thrown);
        }
        tree = null;
        unusable.run();
        retry(RETRY_MILLIS);
    }

    /**
     * Reads everything again in a while: parts of the tree are gone. Whoever deletes the tree deletes node by node, and would
     * find new ones in the way if they were made at once.
     */
    void readLater() {
        if (!readingLater) {
            readingLater = true;
            retry(DELETED_MILLIS);
        }
    }

    private void retry(long millis) {
        Handle asked = handle;
        int connection = asked.connection();
        thread.schedule(millis, () -> {
            if (asked == handle && connection == asked.connection()) {
                readingLater = false;
                read();
            }
        });
    }

    /**
     * Learns the names of the history entries, unless they are known, and deletes what earlier publishers left too many. Numbers
     * above that of the view are told.
     */
    CompletableFuture<Void> listHistory() {
        if (history.isKnown()) {
            return CompletableFuture.completedFuture(null);
        }
        Handle asked = handle;
        return asked.list(paths.history()).thenCompose(names -> {
            CompletableFuture<Void> taken = new CompletableFuture<>();
            afterChanges(() -> {
                history.listed(names);
                history.takeExcess().forEach(name -> asked.delete(paths.historyEntry(name)));
                if (tree != null && tree.isBehind(history.highest())) {
                    tell();
                }
                taken.complete(null);
            });
            return taken;
        });
    }

    /**
     * Takes something in and tells it, in its turn: behind everything that was heard of before.
     *
     * @param read what brings it; without a reply its place stays empty until the connection is declared lost
     */
    <T> void change(CompletableFuture<T> read, BiConsumer<Tree, T> change) {
        Line.Place place = line.take();
        read.whenComplete((value, thrown) -> {
            if (thrown == null) {
                place.ready(() -> take(value, change));
            } else if (!Failure.of(thrown).isUnknown()) {
                place.ready(this::readLater);
            }
        });
    }

    private <T> void take(T value, BiConsumer<Tree, T> change) {
        if (tree != null) {
            change.accept(tree, value);
            tell();
        }
    }

    /** Tells what is known now. */
    void tell() {
        teller.observed(tree.snapshot(history.highest()));
    }
}
