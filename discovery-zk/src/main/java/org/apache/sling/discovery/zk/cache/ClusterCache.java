// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the nodes of the cluster. After each connect, and when an inconsistency is found, the cache reads everything again; in between
 * a watch event costs at most one small read, unless the view has been written by another client. An event takes one way: {@link #handle}
 * decides what it changes and what is read for that, {@link OrderedUpdates} applies it in its place and notifies the observer.
 */
public final class ClusterCache {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterCache.class);

    private static final long DENIED_READ_MILLIS = 5_000;

    private final Paths paths;
    private final StoreThread thread;
    private final ObserverNotifier notifier;
    private final Listener listener;
    private final OwnNodes ownNodes = new OwnNodes();
    private final HistoryNames historyNames = new HistoryNames();
    private final FullReadSchedule schedule;
    private final OrderedUpdates updates;
    private final NodeReader reader;
    private final ClusterWatches watches;

    private ClusterNodes nodes;
    private boolean deniedReadScheduled;

    /** Creates an empty cache. */
    public ClusterCache(Paths paths, Codecs codecs, StoreThread thread, ObserverNotifier notifier, Listener listener) {
        this.paths = paths;
        this.thread = thread;
        this.notifier = notifier;
        this.listener = listener;
        this.schedule = new FullReadSchedule(thread, this::startFullRead);
        this.updates = new OrderedUpdates(thread, this::sendSnapshot, this::readAfterFailure);
        this.reader = new NodeReader(paths, codecs, ownNodes, updates::applyTogether);
        this.watches = new ClusterWatches(paths, this::handle);
    }

    /** Is notified of whether requests can be sent. */
    public interface Listener {
        /** Called when everything has been read. */
        default void usable() {}

        /** Called when requests cannot be sent any more although the connection is there. */
        default void unusable() {}
    }

    /** Starts over on a new connection. */
    public void start(Session started) {
        stop();
        watches.use(started);
        schedule.readAfterConnect(started.sessionTimeoutMillis(), ThreadLocalRandom.current()::nextLong);
    }

    /** Discards what is in progress: the connection is lost. */
    public void stop() {
        if (nodes != null) {
            schedule.expect(nodes.childCount());
        }
        nodes = null;
        schedule.cancel();
        updates.clear();
        reader.reset();
        historyNames.clear();
    }

    /** Returns whether requests may be sent: everything has been read since the last connect. */
    public boolean isUsable() {
        return nodes != null;
    }

    /** Returns the last session that was started; null before the first. */
    public Session session() {
        return watches.session();
    }

    /** Returns the cached nodes; null unless {@link #isUsable}. */
    public ClusterNodes nodes() {
        return nodes;
    }

    public HistoryNames historyNames() {
        return historyNames;
    }

    public OwnNodes ownNodes() {
        return ownNodes;
    }

    private void handle(WatchedEvent event) {
        String path = event.getPath();
        String parent = Paths.parentOf(path);
        String name = Paths.nameOf(path);
        boolean deleted = event.getType() == EventType.NodeDeleted;
        if (path.equals(paths.cluster())) {
            if (event.getType() == EventType.NodeDataChanged) {
                add(reader.clusterId(session()));
            }
        } else if (path.equals(paths.members()) || path.equals(paths.acks()) || path.equals(paths.view())) {
            if (deleted) {
                schedule.readAfterDeletions();
            } else if (path.equals(paths.view())) {
                updates.holdForEvents();
                updates.addAhead(reader.view(session(), event, heldSlot()), this::applyView);
            }
        } else if (parent.equals(paths.members())) {
            boolean deletedByOther = deleted && ownNodes.remove(name);
            if (deletedByOther) {
                schedule.readAfterDeletions();
            }
            add(deleted ? known(all -> all.removeMember(name)) : reader.member(session(), name));
        } else if (parent.equals(paths.acks())) {
            add(known(deleted ? all -> all.removeAcknowledgement(name) : all -> all.addAcknowledgement(name)));
        }
    }

    private static CompletableFuture<NodeChange> known(NodeChange change) {
        return CompletableFuture.completedFuture(change);
    }

    private void add(CompletableFuture<NodeChange> change) {
        updates.holdForEvents();
        updates.add(change, this::apply);
    }

    /** Returns the slot of the view if all changes that were reported until now have been applied to it. */
    private Optional<ViewSlot> heldSlot() {
        return updates.isAheadPending() || nodes == null ? Optional.empty() : Optional.of(nodes.slot());
    }

    private void apply(NodeChange change) {
        if (nodes != null) {
            change.applyTo(nodes);
            notifyObserver();
        }
    }

    private void applyView(NodeChange change) {
        apply(all -> {
            change.applyTo(all);
            all.view().ifPresent(historyNames::add);
        });
    }

    /** Notifies the observer of what is known now, or as soon as it is consistent. */
    public void notifyObserver() {
        updates.notifyObserver();
    }

    private void sendSnapshot() {
        notifier.notifySnapshot(nodes.snapshot(historyNames.highest()));
        if (!nodes.deniedMembers().isEmpty() && !deniedReadScheduled) {
            deniedReadScheduled = true;
            thread.schedule(DENIED_READ_MILLIS, this::readDeniedMembers);
        }
    }

    /** A change of access rights causes no event, so the cache reads denied members at intervals until the server shows them. */
    private void readDeniedMembers() {
        deniedReadScheduled = false;
        if (nodes != null) {
            nodes.deniedMembers().forEach(name -> updates.add(reader.member(session(), name), this::apply));
        }
    }

    /** Runs an action after the observer was notified of all changes that were reported until now. */
    public void afterUpdates(Runnable action) {
        updates.afterUpdates(action);
    }

    /** Sets whether the acknowledgements are to be cached too. */
    public void collect(boolean acknowledgements) {
        if (watches.want(acknowledgements) && isUsable()) {
            followAcknowledgements();
        }
    }

    /** An instance that sees the acknowledgements may publish, so it must know the history by then. */
    private void followAcknowledgements() {
        Session asked = session();
        CompletableFuture<Void> listed =
                watches.wantsAcknowledgements() ? listHistory() : CompletableFuture.completedFuture(null);
        listed.whenComplete((done, thrown) -> {
            if (asked == session() && isUsable()) {
                updates.add(watches.followAcknowledgements(), this::apply);
            }
        });
    }

    /** Lists the history entries, unless their names are known. */
    public CompletableFuture<Void> listHistory() {
        return historyNames.list(this, paths);
    }

    /** Reads everything again, after the read that runs. */
    public void read() {
        schedule.read();
    }

    /** Reads everything again after a while: parts of the tree are gone. */
    public void readLater() {
        schedule.readLater();
    }

    /** Completes when no part of the tree is known to be missing; never when the connection is lost before. */
    public CompletableFuture<Void> whenTreeComplete() {
        return schedule.whenIdle();
    }

    private void startFullRead() {
        Session asked = session();
        int connection = asked.connectionNumber();
        OrderedUpdates.Update place = updates.reserve();
        new FullRead(paths, watches, reader, this::handleCompleteTree).read().whenComplete((all, thrown) -> {
            if (asked == session() && connection == asked.connectionNumber()) {
                schedule.end(() -> endFullRead(place, all, thrown));
            }
        });
    }

    private void handleCompleteTree() {
        if (!notifier.hasNotifiedConnected()) {
            notifier.notifyConnected(session().id(), session().sessionTimeoutMillis());
        }
        if (watches.wantsAcknowledgements()) {
            listHistory();
        }
    }

    private void endFullRead(OrderedUpdates.Update place, ClusterNodes all, Throwable thrown) {
        if (thrown == null) {
            place.fillAhead(() -> replaceNodes(all));
            return;
        }
        Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
        if (!(cause instanceof Failure failure && failure.isUnknown())) {
            place.fill(() -> {});
            handleFailure(cause);
        }
    }

    private void replaceNodes(ClusterNodes all) {
        if (nodes != null) {
            all.keepFrom(nodes);
        }
        nodes = all;
        if (nodes.hasAcknowledgements() != watches.wantsAcknowledgements()) {
            followAcknowledgements();
        }
        nodes.view().ifPresent(historyNames::add);
        notifier.notifyTrouble("");
        notifyObserver();
        listener.usable();
    }

    private void handleFailure(Throwable thrown) {
        if (thrown instanceof Failure failure && failure.is(Code.NONODE)) {
            readLater();
            return;
        }
        if (thrown instanceof Failure failure) {
            notifier.notifyTrouble("ZooKeeper replies " + failure.code() + " for " + failure.path()
                    + ". Check the access rights and the quota of the root path.");
        } else if (thrown instanceof Refused) {
            notifier.notifyTrouble(thrown.getMessage());
        } else {
            LOG.error("Unexpected failure while reading the cluster", thrown);
        }
        nodes = null;
        listener.unusable();
        schedule.retry();
    }

    private void readAfterFailure(Throwable thrown) {
        if (!(thrown instanceof Failure) && !(thrown instanceof Refused)) {
            LOG.error("Unexpected failure in the ZooKeeper store", thrown);
        }
        schedule.readLater();
    }
}
