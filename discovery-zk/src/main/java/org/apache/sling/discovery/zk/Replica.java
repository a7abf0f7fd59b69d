// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
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
    private final StoreThread thread;
    private final Teller teller;
    private final Supplier<List<String>> problems;
    private final Runnable unusable;
    private final Line line = new Line();
    private final History history = new History();

    private Handle handle;
    private Watcher watcher;
    private Tree tree;
    private boolean reading;
    private boolean readAgain;
    private boolean readingLater;
    private boolean ackWatch;
    private boolean collecting;

    /**
     * Makes one that knows nothing yet.
     *
     * @param problems what every snapshot shall report besides what is found in the store
     * @param unusable called when requests cannot be sent any more although the connection is there
     */
    Replica(Paths paths, StoreThread thread, Teller teller, Supplier<List<String>> problems, Runnable unusable) {
        this.paths = paths;
        this.thread = thread;
        this.teller = teller;
        this.problems = problems;
        this.unusable = unusable;
    }

    /** Starts over on a new connection. */
    void connected(Handle connected) {
        interrupted();
        if (handle != connected) {
            handle = connected;
            ackWatch = false;
            watcher = event -> thread.execute(() -> changed(connected, event));
        }
        read();
    }

    /** Forgets what is under way: the connection is lost. */
    void interrupted() {
        tree = null;
        reading = false;
        readAgain = false;
        line.clear();
        history.forget();
    }

    /** Says whether requests may be sent: everything has been read since the last connect. */
    boolean isUsable() {
        return tree != null;
    }

    Handle handle() {
        return handle;
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
        CompletableFuture<?> acks = collecting ? watchAcks() : unwatchAcks();
        CompletableFuture<Tree> all = new Reading(asked, paths, clusterId).all(collecting);
        if (collecting) {
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
        tree = all;
        if (tree.collects() != collecting) {
            followCollecting();
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
            readingLater = false;
            if (asked == handle && connection == asked.connection()) {
                read();
            }
        });
    }

    void collect(boolean acknowledgements) {
        if (acknowledgements != collecting) {
            collecting = acknowledgements;
            if (isUsable()) {
                followCollecting();
            }
        }
    }

    private void followCollecting() {
        if (collecting) {
            Line.Place place = line.take();
            CompletableFuture<Void> watched = watchAcks();
            handle.list(paths.acks())
                    .thenCombine(watched, (names, done) -> names)
                    .whenComplete((names, thrown) -> take(place, thrown, () -> tree.putAcks(names)));
            listHistory();
        } else {
            unwatchAcks();
            take(line.take(), null, () -> tree.forgetAcks());
        }
    }

    private CompletableFuture<Void> watchAcks() {
        ackWatch = true;
        return handle.watch(paths.acks(), watcher, AddWatchMode.PERSISTENT_RECURSIVE);
    }

    /** The client renews its watches at each reconnect, those that nobody wants any more too. Losing one does no harm. */
    private CompletableFuture<Void> unwatchAcks() {
        if (!ackWatch) {
            return CompletableFuture.completedFuture(null);
        }
        ackWatch = false;
        return handle.unwatch(paths.acks()).exceptionally(thrown -> null);
    }

    /** Learns the names of the history entries, unless they are known, and deletes what earlier publishers left too many. */
    void listHistory() {
        if (!history.isKnown()) {
            Handle asked = handle;
            asked.list(paths.history()).thenAccept(names -> {
                history.listed(names);
                history.takeExcess().forEach(name -> asked.delete(paths.historyEntry(name)));
            });
        }
    }

    private void changed(Handle told, WatchedEvent event) {
        if (told != handle || event.getType() == EventType.None) {
            return;
        }
        String path = event.getPath();
        boolean deleted = event.getType() == EventType.NodeDeleted;
        if (path.equals(paths.members()) || path.equals(paths.acks())) {
            if (deleted) {
                readLater();
            }
        } else if (path.equals(paths.view())) {
            viewChanged(deleted);
        } else if (Paths.parentOf(path).equals(paths.members())) {
            memberChanged(Paths.nameOf(path), deleted);
        } else if (Paths.parentOf(path).equals(paths.acks())) {
            ackChanged(Paths.nameOf(path), deleted);
        }
    }

    private void viewChanged(boolean deleted) {
        if (deleted) {
            readLater();
            return;
        }
        Line.Place place = line.take();
        handle.read(paths.view())
                .whenComplete((found, thrown) -> take(place, thrown, () -> {
                    tree.putView(found);
                    tree.view().ifPresent(history::published);
                }));
    }

    private void memberChanged(String name, boolean deleted) {
        Line.Place place = line.take();
        if (deleted) {
            take(place, null, () -> tree.removeMember(name));
            return;
        }
        Reading.member(handle, paths, name)
                .whenComplete((change, thrown) -> take(place, thrown, () -> change.to(tree)));
    }

    private void ackChanged(String name, boolean deleted) {
        Runnable change = deleted ? () -> tree.removeAck(name) : () -> tree.addAck(name);
        take(line.take(), null, change);
    }

    /** Takes a change in when it is its turn; without a reply its place stays until the connection is declared lost. */
    private void take(Line.Place place, Throwable thrown, Runnable change) {
        if (thrown != null) {
            if (!Failure.of(thrown).isUnknown()) {
                place.ready(this::readLater);
            }
            return;
        }
        place.ready(() -> {
            if (tree != null) {
                change.run();
                tell();
            }
        });
    }

    private void tell() {
        teller.observed(tree.snapshot(problems.get()));
    }
}
