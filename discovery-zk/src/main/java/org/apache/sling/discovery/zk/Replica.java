// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
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
    private final Wholeness wholeness = new Wholeness(this::tellTree);
    private final History history = new History();
    private final Changes changes;
    private final Collecting collecting;
    private final Announcing announcing;
    private final List<CompletableFuture<Void>> mended = new ArrayList<>();

    private Handle handle;
    private Watcher watcher;
    private Tree tree;
    private boolean reading;
    private boolean readAgain;
    private boolean readingLater;
    private boolean askingAgain;
    private int pause;

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
        this.announcing = new Announcing(this, paths);
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
        if (told != handle) {
            return;
        }
        if (event.getState() == KeeperState.Disconnected) {
            told.disconnected();
        } else if (event.getType() != EventType.None) {
            changes.heard(event);
        }
    }

    /** Forgets what is under way: the connection is lost. */
    void interrupted() {
        tree = null;
        reading = false;
        readAgain = false;
        readingLater = false;
        pause++;
        mended.clear();
        line.clear();
        wholeness.forget();
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

    Announcing announcing() {
        return announcing;
    }

    Tree tree() {
        return tree;
    }

    History history() {
        return history;
    }

    /** Lets something happen once all changes that were heard of until now have been observed. */
    void afterChanges(Runnable action) {
        line.append(() -> wholeness.whenWhole(action));
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
        CompletableFuture<Tree> all =
                new Reading(asked, paths, codecs, announcing, clusterId).all(collecting.isWanted());
        if (collecting.isWanted()) {
            listHistory();
        }
        return CompletableFuture.allOf(members, view, acks).thenCombine(all, (watched, read) -> read);
    }

    private void readEnded(Line.Place place, Tree all, Throwable thrown) {
        reading = false;
        if (thrown == null) {
            whole(place, () -> adopt(all));
        } else {
            failed(place, thrown.getCause() == null ? thrown : thrown.getCause());
        }
        if (readAgain && handle != null) {
            readAgain = false;
            read();
        } else if (!readingLater) {
            List<CompletableFuture<Void>> waiting = List.copyOf(mended);
            mended.clear();
            waiting.forEach(one -> one.complete(null));
        }
    }

    /** Completes when no part of the tree is known to be gone; never when the connection is lost before. */
    CompletableFuture<Void> whenMended() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        if (reading || readingLater) {
            mended.add(waiting);
        } else {
            waiting.complete(null);
        }
        return waiting;
    }

    private void adopt(Tree all) {
        if (tree != null) {
            all.keepLeaseProbe(tree);
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
        readAfter(RETRY_MILLIS);
    }

    /** Reads everything again in a while: parts of the tree are gone. */
    void readLater() {
        if (!readingLater) {
            readAfter(DELETED_MILLIS);
        }
    }

    /**
     * Reads everything again when nothing was deleted for a while. A client that deletes the tree deletes node by node, and would find
     * new ones in the way if they were made at once.
     */
    void partDeleted() {
        readAfter(DELETED_MILLIS);
    }

    private void readAfter(long millis) {
        readingLater = true;
        int begun = ++pause;
        thread.schedule(millis, () -> {
            if (begun == pause) {
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
        inTurn(read, (place, value) -> place.ready(() -> take(value, change)));
    }

    /**
     * Takes in a view as {@link #change} does, but tells nothing before all has been taken in that was heard when it was read: it
     * may be a later one than the one of which the store told, and then those changes come before it.
     */
    <T> void viewChange(CompletableFuture<T> read, BiConsumer<Tree, T> change) {
        inTurn(read, (place, value) -> whole(place, () -> take(value, change)));
    }

    private <T> void inTurn(CompletableFuture<T> read, BiConsumer<Line.Place, T> taken) {
        Line.Place place = line.take();
        read.whenComplete((value, thrown) -> {
            if (thrown == null) {
                taken.accept(place, value);
            } else if (!Failure.of(thrown).isUnknown()) {
                place.ready(this::readLater);
            }
        });
    }

    private void whole(Line.Place place, Runnable action) {
        if (place.isPending()) {
            line.append(wholeness::end);
            place.ready(() -> {
                wholeness.begin();
                action.run();
            });
        }
    }

    private <T> void take(T value, BiConsumer<Tree, T> change) {
        if (tree != null) {
            change.accept(tree, value);
            tell();
        }
    }

    /** Tells what is known now, or as soon as it is whole. */
    void tell() {
        wholeness.tell();
    }

    private void tellTree() {
        teller.observed(tree.snapshot(history.highest()));
        if (!tree.refused().isEmpty() && !askingAgain) {
            askingAgain = true;
            thread.schedule(RETRY_MILLIS, this::readRefused);
        }
    }

    /** Access rights change without an event, so a member that may not be read is asked for again and again. */
    private void readRefused() {
        askingAgain = false;
        if (tree != null) {
            tree.refused()
                    .forEach(name ->
                            change(Reading.member(handle, paths, announcing, name), (all, read) -> read.to(all)));
        }
    }
}
