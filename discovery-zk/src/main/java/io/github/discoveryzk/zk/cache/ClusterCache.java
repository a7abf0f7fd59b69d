// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
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
    private static final long RETRY_MILLIS = 5_000;

    private final Paths paths;
    private final StoreThread thread;
    private final ObserverNotifier notifier;
    private final Runnable usable;
    private final Runnable unusable;
    private final Set<String> ownNodes = new HashSet<>();
    private final HistoryNames historyNames = new HistoryNames();
    private final FullReadSchedule schedule;
    private final OrderedUpdates updates;
    private final ClusterReader reader;

    private ClusterNodes nodes;
    private boolean deniedReadScheduled;

    /**
     * Creates an empty cache.
     *
     * @param usable called when everything has been read for the first time over a connection, and requests can be sent
     * @param unusable called when requests can no longer be sent although the connection is there
     */
    public ClusterCache(
            Paths paths,
            Codecs codecs,
            StoreThread thread,
            ObserverNotifier notifier,
            Runnable usable,
            Runnable unusable) {
        this.paths = paths;
        this.thread = thread;
        this.notifier = notifier;
        this.usable = usable;
        this.unusable = unusable;
        this.schedule = new FullReadSchedule(thread, this::startFullRead);
        this.updates = new OrderedUpdates(thread, this::sendSnapshot, this::readAfterFailure);
        this.reader = new ClusterReader(paths, codecs, ownNodes, this::handle, updates::applyTogether);
    }

    /** Starts over on a new connection. */
    public void start(Session started) {
        stop();
        reader.use(started);
        schedule.readAfterConnect(started.sessionTimeoutMillis(), ThreadLocalRandom.current()::nextLong);
    }

    /** Discards what is in progress: the connection is lost. */
    public void stop() {
        if (nodes != null) {
            schedule.expect(nodes.members().count());
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
        return reader.session();
    }

    /** Returns the cached nodes; null unless {@link #isUsable}. */
    public ClusterNodes nodes() {
        return nodes;
    }

    public HistoryNames historyNames() {
        return historyNames;
    }

    /** Returns the unique parts of the names of the member nodes that this session creates and has not deleted; they need no reply. */
    public Set<String> ownNodes() {
        return ownNodes;
    }

    /** Returns when everything is read again. */
    public FullReadSchedule schedule() {
        return schedule;
    }

    /** Returns the changes that have been reported, and the notifications that follow them. */
    public OrderedUpdates updates() {
        return updates;
    }

    private void handle(WatchedEvent event) {
        String path = event.getPath();
        String parent = Paths.parentOf(path);
        String name = Paths.nameOf(path);
        boolean deleted = event.getType() == EventType.NodeDeleted;
        if (path.equals(paths.cluster())) {
            if (event.getType() == EventType.NodeDataChanged) {
                add(reader.clusterId());
            }
        } else if (Set.of(paths.members(), paths.acks(), paths.suspects(), paths.view())
                .contains(path)) {
            if (deleted) {
                schedule.readAfterDeletions();
            } else if (path.equals(paths.view())) {
                updates.holdForEvents();
                updates.addAhead(reader.view(event, heldSlot()), change -> apply(change.andThen(this::addToHistory)));
            }
        } else if (parent.equals(paths.members())) {
            boolean deletedByOther = deleted && ownNodes.remove(Names.uniquePart(name));
            if (deletedByOther) {
                schedule.readAfterDeletions();
            }
            add(deleted ? CompletableFuture.completedFuture(all -> all.members().remove(name)) : reader.member(name));
        } else if (parent.equals(paths.suspects())) {
            add(CompletableFuture.completedFuture(
                    deleted ? all -> all.removeSuspicion(name) : all -> all.addSuspicion(name)));
        } else if (parent.equals(paths.acks())) {
            add(CompletableFuture.completedFuture(
                    deleted ? all -> all.removeAcknowledgement(name) : all -> all.addAcknowledgement(name)));
        }
    }

    private void add(CompletableFuture<Consumer<ClusterNodes>> change) {
        updates.holdForEvents();
        updates.add(change, this::apply);
    }

    /** Returns the slot of the view if all changes that were reported until now have been applied to it. */
    private Optional<ViewSlot> heldSlot() {
        return updates.isAheadPending() || nodes == null ? Optional.empty() : Optional.of(nodes.slot());
    }

    private void apply(Consumer<ClusterNodes> change) {
        if (nodes != null) {
            change.accept(nodes);
            updates.notifyObserver();
        }
    }

    private void addToHistory(ClusterNodes all) {
        all.view().ifPresent(historyNames::add);
    }

    private void sendSnapshot() {
        notifier.notifySnapshot(nodes.snapshot(historyNames.highest()));
        if (!nodes.members().denied().isEmpty() && !deniedReadScheduled) {
            deniedReadScheduled = true;
            thread.schedule(DENIED_READ_MILLIS, this::readDeniedMembers);
        }
    }

    /** A change of access rights causes no event, so the cache reads denied members at intervals until the server shows them. */
    private void readDeniedMembers() {
        deniedReadScheduled = false;
        if (nodes != null) {
            nodes.members().denied().forEach(name -> updates.add(reader.member(name), this::apply));
        }
    }

    /** Applies what was read after the observer was notified of all changes that were reported until now; nothing without a connection. */
    public CompletableFuture<Void> applyAfterUpdates(Consumer<ClusterNodes> change) {
        Runnable apply = () -> {
            if (isUsable()) {
                change.accept(nodes);
            }
        };
        return CompletableFuture.runAsync(apply, updates::afterUpdates);
    }

    /** Sets whether the acknowledgements are to be cached too. */
    public void collect(boolean acknowledgements) {
        if (reader.want(acknowledgements) && isUsable()) {
            followAcknowledgements();
        }
    }

    /** An instance that sees the acknowledgements may publish, so it must know the history by then. */
    private void followAcknowledgements() {
        Session asked = session();
        CompletableFuture<Void> listed =
                reader.wantsAcknowledgements() ? listHistory() : CompletableFuture.completedFuture(null);
        listed.whenComplete((done, thrown) -> {
            if (asked == session() && isUsable()) {
                updates.add(reader.acknowledgements(), this::apply);
            }
        });
    }

    /** Lists the history entries, unless their names are known. */
    public CompletableFuture<Void> listHistory() {
        return historyNames.list(this, paths);
    }

    private void startFullRead() {
        Session asked = session();
        int connection = asked.connectionNumber();
        OrderedUpdates.Update place = updates.reserve();
        new FullRead(paths, reader, this::handleCompleteTree).read().whenComplete((all, thrown) -> {
            if (asked == session() && connection == asked.connectionNumber()) {
                schedule.end(() -> endFullRead(place, all, thrown));
            }
        });
    }

    private void handleCompleteTree() {
        if (!notifier.hasNotifiedConnected()) {
            notifier.notifyConnected(session().id(), session().sessionTimeoutMillis());
        }
        if (reader.wantsAcknowledgements()) {
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
        boolean first = nodes == null;
        if (!first) {
            all.keepFrom(nodes);
        }
        nodes = all;
        if (nodes.hasAcknowledgements() != reader.wantsAcknowledgements()) {
            followAcknowledgements();
        }
        addToHistory(nodes);
        notifier.notifyTrouble("");
        updates.notifyObserver();
        if (first) {
            usable.run();
        }
    }

    private void handleFailure(Throwable thrown) {
        if (thrown instanceof Failure failure && failure.is(Code.NONODE)) {
            schedule.readLater();
            return;
        }
        if (thrown instanceof Failure failure) {
            notifier.notifyTrouble(
                    "ZooKeeper replies " + failure.code() + " for " + failure.path() + ". " + failure.remedy());
        } else if (thrown instanceof FullRead.Refused) {
            notifier.notifyTrouble(thrown.getMessage());
        } else {
            LOG.error("Unexpected failure while reading the cluster", thrown);
        }
        nodes = null;
        unusable.run();
        schedule.readIn(RETRY_MILLIS);
    }

    private void readAfterFailure(Throwable thrown) {
        if (!(thrown instanceof Failure) && !(thrown instanceof FullRead.Refused)) {
            LOG.error("Unexpected failure in the ZooKeeper store", thrown);
        }
        schedule.readLater();
    }
}
