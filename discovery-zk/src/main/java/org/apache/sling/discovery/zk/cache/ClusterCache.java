// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what is known of the cluster current. After each connect, and whenever anything does not fit, it reads everything again; in
 * between a watch event costs at most one read. It passes on changes and replies in the order in which the server made them.
 */
public final class ClusterCache {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterCache.class);

    private final Paths paths;
    private final Codecs codecs;
    private final StoreThread thread;
    private final ObserverNotifier teller;
    private final Runnable unusable;
    private final OwnNodes ownNodes = new OwnNodes();
    private final WatchEvents changes;
    private final AcknowledgementWatch collecting;
    private final HistoryNames history = new HistoryNames();
    private final FullReadSchedule schedule;
    private final UpdateQueue queue;

    private Session handle;
    private Watcher watcher;
    private ClusterNodes tree;

    /**
     * Creates an empty cache.
     *
     * @param unusable called when requests cannot be sent any more although the connection is there
     */
    public ClusterCache(Paths paths, Codecs codecs, StoreThread thread, ObserverNotifier teller, Runnable unusable) {
        this.paths = paths;
        this.codecs = codecs;
        this.thread = thread;
        this.teller = teller;
        this.unusable = unusable;
        this.changes = new WatchEvents(paths, ownNodes);
        this.collecting = new AcknowledgementWatch(paths);
        this.schedule = new FullReadSchedule(thread, this::startRead);
        this.queue = new UpdateQueue(this::tellTree, schedule::readLater);
    }

    /** Starts over on a new connection. */
    public void connected(Session connected) {
        interrupted();
        if (handle != connected) {
            handle = connected;
            collecting.forget();
            watcher = event -> thread.execute(() -> heard(connected, event));
        }
        read();
    }

    private void heard(Session told, WatchedEvent event) {
        if (told != handle || event.getType() == EventType.None) {
            return;
        }
        WatchEvents.Update update = changes.update(handle, event);
        if (update.deletion()) {
            schedule.readAfterDeletions();
        }
        update.change().ifPresent(change -> {
            if (update.view()) {
                queue.addAhead(change, this::takeView);
            } else {
                queue.add(change, this::take);
            }
        });
    }

    /** Forgets what is in progress: the connection is lost. */
    public void interrupted() {
        tree = null;
        schedule.cancel();
        queue.clear();
        history.forget();
    }

    /** Returns whether requests may be sent: everything has been read since the last connect. */
    public boolean isUsable() {
        return tree != null;
    }

    public Session handle() {
        return handle;
    }

    public ClusterNodes tree() {
        return tree;
    }

    public HistoryNames history() {
        return history;
    }

    public OwnNodes ownNodes() {
        return ownNodes;
    }

    /** Sets whether the acknowledgements are to be cached too. */
    public void collect(boolean acknowledgements) {
        if (collecting.setWanted(acknowledgements) && isUsable()) {
            followAcknowledgements();
        }
    }

    private void followAcknowledgements() {
        queue.add(collecting.follow(handle, watcher), this::take);
        if (collecting.isWanted()) {
            listHistory();
        }
    }

    /** Runs an action once the observer was notified of all changes that were announced until now. */
    public void afterChanges(Runnable action) {
        queue.afterUpdates(action);
    }

    /** Reads everything again, after the read that runs. */
    public void read() {
        schedule.read();
    }

    /** Reads everything again after a while: parts of the tree are gone. */
    public void readLater() {
        schedule.readLater();
    }

    /** Completes when no part of the tree is known to be gone; never when the connection is lost before. */
    public CompletableFuture<Void> whenMended() {
        return schedule.whenIdle();
    }

    private void startRead() {
        Session asked = handle;
        int connection = asked.connection();
        Sequencer.Place place = queue.reserve();
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
                        schedule.end(() -> readEnded(place, all, thrown));
                    }
                });
    }

    private CompletableFuture<ClusterNodes> watchAndRead(Session asked, String clusterId) {
        CompletableFuture<?> members = asked.watch(paths.members(), watcher, AddWatchMode.PERSISTENT_RECURSIVE);
        CompletableFuture<?> view = asked.watch(paths.view(), watcher, AddWatchMode.PERSISTENT);
        CompletableFuture<?> acks = collecting.watch(asked, watcher);
        CompletableFuture<ClusterNodes> all = new FullRead(asked, paths, codecs, clusterId).all(collecting.isWanted());
        if (collecting.isWanted()) {
            listHistory();
        }
        return CompletableFuture.allOf(members, view, acks).thenCombine(all, (watched, read) -> read);
    }

    private void readEnded(Sequencer.Place place, ClusterNodes all, Throwable thrown) {
        if (thrown == null) {
            queue.applyAhead(place, () -> adopt(all));
        } else {
            failed(place, thrown.getCause() == null ? thrown : thrown.getCause());
        }
    }

    private void adopt(ClusterNodes all) {
        if (tree != null) {
            all.keepLeaseProbe(tree);
        }
        tree = all;
        if (tree.collects() != collecting.isWanted()) {
            followAcknowledgements();
        }
        tree.view().ifPresent(history::published);
        teller.troubled("");
        tell();
    }

    private void failed(Sequencer.Place place, Throwable thrown) {
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
        schedule.retry();
    }

    /**
     * Lists the history entries, unless their names are known, and deletes the entries that exceed the bound. The observer is
     * notified of a number above that of the view.
     */
    public CompletableFuture<Void> listHistory() {
        if (history.isKnown()) {
            return CompletableFuture.completedFuture(null);
        }
        Session asked = handle;
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

    private void takeView(NodeChange change) {
        take(nodes -> {
            change.applyTo(nodes);
            nodes.view().ifPresent(history::published);
        });
    }

    private void take(NodeChange change) {
        if (tree != null) {
            change.applyTo(tree);
            tell();
        }
    }

    /** Notifies the observer of what is known now, or as soon as it is consistent. */
    public void tell() {
        queue.tell();
    }

    private void tellTree() {
        teller.observed(tree.snapshot(history.highest()));
    }
}
