// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the nodes of the cluster. After each connect, and when an inconsistency is found, the cache reads everything again; in between
 * a watch event costs at most one small read, unless the view has been written by another client. The observer is notified of changes and outcomes in the order in which the server sent them.
 */
public final class ClusterCache {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterCache.class);

    private static final long DENIED_READ_MILLIS = 5_000;

    private final Paths paths;
    private final Codecs codecs;
    private final StoreThread thread;
    private final ObserverNotifier notifier;
    private final Runnable usable;
    private final Runnable unusable;
    private final OwnNodes ownNodes = new OwnNodes();
    private final MemberReader members;
    private final WatchEvents watchEvents;
    private final AcknowledgementWatch acknowledgementWatch;
    private final HistoryNames historyNames = new HistoryNames();
    private final FullReadSchedule schedule;
    private final UpdateQueue queue;

    private Session session;
    private Watcher watcher;
    private ClusterNodes nodes;
    private Sequencer.Reservation viewUpdate;
    private boolean deniedReadScheduled;
    private boolean together;
    private int lastChildCount;
    private List<String> problemsOfOthers = List.of();

    /**
     * Creates an empty cache.
     *
     * @param usable called when everything has been read
     * @param unusable called when requests cannot be sent any more although the connection is there
     */
    public ClusterCache(
            Paths paths,
            Codecs codecs,
            StoreThread thread,
            ObserverNotifier notifier,
            Runnable usable,
            Runnable unusable) {
        this.paths = paths;
        this.codecs = codecs;
        this.thread = thread;
        this.notifier = notifier;
        this.usable = usable;
        this.unusable = unusable;
        this.schedule = new FullReadSchedule(thread, this::startFullRead);
        this.queue = new UpdateQueue(this::sendSnapshot, this::readAfterFailure);
        this.members = new MemberReader(paths, ownNodes, queue::applyTogether);
        this.watchEvents = new WatchEvents(paths, members, new ViewReader(paths, codecs), ownNodes);
        this.acknowledgementWatch = new AcknowledgementWatch(paths);
    }

    /** Starts over on a new connection. */
    public void start(Session started) {
        stop();
        if (session != started) {
            session = started;
            acknowledgementWatch.forget();
            watcher = started.watcher(event -> process(started, event));
        }
        schedule.readAfterConnect(
                lastChildCount, started.sessionTimeoutMillis(), ThreadLocalRandom.current()::nextLong);
    }

    private void readAfterFailure(Throwable thrown) {
        if (!(thrown instanceof Failure) && !(thrown instanceof Refused)) {
            LOG.error("Unexpected failure in the ZooKeeper store", thrown);
        }
        schedule.readLater();
    }

    private void process(Session source, WatchedEvent event) {
        if (source != session) {
            return;
        }
        WatchEvents.Update update = watchEvents.update(session, event, heldSlot());
        if (update.deletion()) {
            schedule.readAfterDeletions();
        }
        update.change().ifPresent(change -> {
            notifyTogether();
            if (update.view()) {
                viewUpdate = queue.addAhead(change, this::applyView);
            } else {
                queue.add(change, this::apply);
            }
        });
    }

    /** Events that wait for the thread together, as all acknowledgements of a view do, cause one notification. */
    private void notifyTogether() {
        if (!together) {
            together = true;
            queue.hold();
            thread.execute(() -> {
                if (together) {
                    together = false;
                    queue.release();
                }
            });
        }
    }

    /** Returns the slot of the view if all changes that were reported until now have been applied to it. */
    private Optional<ViewSlot> heldSlot() {
        boolean pending = viewUpdate != null && viewUpdate.isPending();
        return pending || nodes == null ? Optional.empty() : Optional.of(nodes.slot());
    }

    /** Discards what is in progress: the connection is lost. */
    public void stop() {
        if (nodes != null) {
            lastChildCount = nodes.childCount();
        }
        nodes = null;
        schedule.cancel();
        together = false;
        queue.clear();
        members.reset();
        historyNames.clear();
    }

    /** Returns whether requests may be sent: everything has been read since the last connect. */
    public boolean isUsable() {
        return nodes != null;
    }

    /** Returns the last session that was started; null before the first. */
    public Session session() {
        return session;
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

    /** Sets whether the acknowledgements are to be cached too. */
    public void collect(boolean acknowledgements) {
        if (acknowledgementWatch.setWanted(acknowledgements) && isUsable()) {
            followAcknowledgements();
        }
    }

    /** An instance that sees the acknowledgements may publish, so it must know the history by then. */
    private void followAcknowledgements() {
        Session asked = session;
        CompletableFuture<Void> listed =
                acknowledgementWatch.isWanted() ? listHistory() : CompletableFuture.completedFuture(null);
        listed.whenComplete((done, thrown) -> {
            if (asked == session && isUsable()) {
                queue.add(acknowledgementWatch.follow(asked, watcher), this::apply);
            }
        });
    }

    /** Runs an action after the observer was notified of all changes that were reported until now. */
    public void afterUpdates(Runnable action) {
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

    /** Completes when no part of the tree is known to be missing; never when the connection is lost before. */
    public CompletableFuture<Void> whenTreeComplete() {
        return schedule.whenIdle();
    }

    private void startFullRead() {
        Session asked = session;
        int connection = asked.connectionNumber();
        Sequencer.Reservation reservation = queue.reserve();
        new FullRead(asked, paths, codecs, members, new FullReadSteps(asked))
                .read()
                .whenComplete((all, thrown) -> {
                    if (asked == session && connection == asked.connectionNumber()) {
                        schedule.end(() -> endFullRead(reservation, all, thrown));
                    }
                });
    }

    private void endFullRead(Sequencer.Reservation reservation, ClusterNodes all, Throwable thrown) {
        if (thrown == null) {
            queue.applyAhead(reservation, () -> replaceNodes(all));
        } else {
            handleFailure(reservation, thrown.getCause() == null ? thrown : thrown.getCause());
        }
    }

    private void replaceNodes(ClusterNodes all) {
        if (nodes != null) {
            all.keepLeaseProbe(nodes);
            all.keepView(nodes);
        }
        nodes = all;
        if (nodes.hasAcknowledgements() != acknowledgementWatch.isWanted()) {
            followAcknowledgements();
        }
        nodes.view().ifPresent(historyNames::add);
        notifier.notifyTrouble("");
        notifyObserver();
        usable.run();
    }

    private void handleFailure(Sequencer.Reservation reservation, Throwable thrown) {
        if (thrown instanceof Failure failure && failure.isUnknown()) {
            return;
        }
        reservation.fill(() -> {});
        if (thrown instanceof Failure failure && failure.is(Code.NONODE)) {
            readLater();
            return;
        }
        if (thrown instanceof Refused) {
            notifier.notifyTrouble(thrown.getMessage());
        } else if (thrown instanceof Failure failure) {
            notifier.notifyTrouble("ZooKeeper replies " + failure.code() + " for " + failure.path()
                    + ". Check the access rights and the quota of the root path.");
        } else {
            LOG.error("Unexpected failure while reading the cluster", thrown);
        }
        nodes = null;
        unusable.run();
        schedule.retry();
    }

    /**
     * Lists the history entries, unless their names are known, and deletes the entries that exceed the bound. The observer is
     * notified of a number above that of the view.
     */
    public CompletableFuture<Void> listHistory() {
        if (historyNames.isKnown()) {
            return CompletableFuture.completedFuture(null);
        }
        Session asked = session;
        return asked.list(paths.history()).thenCompose(names -> {
            CompletableFuture<Void> taken = new CompletableFuture<>();
            afterUpdates(() -> {
                if (nodes != null) {
                    // Each entry was written together with a view.
                    historyNames.set(names, nodes.slot().stamp());
                    historyNames.removeExcess().forEach(name -> asked.delete(paths.historyEntry(name)));
                    if (nodes.isBehind(historyNames.highest())) {
                        notifyObserver();
                    }
                }
                taken.complete(null);
            });
            return taken;
        });
    }

    private void applyView(NodeChange change) {
        apply(nodes -> {
            change.applyTo(nodes);
            nodes.view().ifPresent(historyNames::add);
        });
    }

    private void apply(NodeChange change) {
        if (nodes != null) {
            change.applyTo(nodes);
            notifyObserver();
        }
    }

    /** Notifies the observer of what is known now, or as soon as it is consistent. */
    public void notifyObserver() {
        queue.notifyObserver();
    }

    private void sendSnapshot() {
        StoreSnapshot snapshot = nodes.snapshot(historyNames.highest());
        notifier.notifySnapshot(problemsOfOthers.isEmpty() ? snapshot : withProblemsOfOthers(snapshot));
        if (!nodes.deniedMembers().isEmpty() && !deniedReadScheduled) {
            deniedReadScheduled = true;
            thread.schedule(DENIED_READ_MILLIS, this::readDeniedMembers);
        }
    }

    private StoreSnapshot withProblemsOfOthers(StoreSnapshot snapshot) {
        List<String> all = new ArrayList<>(snapshot.problems());
        all.addAll(problemsOfOthers);
        return snapshot.withProblems(all);
    }

    /** Sets what is wrong with announcements and other clusters, for display only. */
    public void reportProblemsOfOthers(List<String> problems) {
        if (!problems.equals(problemsOfOthers)) {
            problemsOfOthers = problems;
            if (isUsable()) {
                notifyObserver();
            }
        }
    }

    /** A change of access rights causes no event, so the cache reads denied members at intervals until the server shows them. */
    private void readDeniedMembers() {
        deniedReadScheduled = false;
        if (nodes != null) {
            nodes.deniedMembers().forEach(name -> queue.add(members.read(session, name), this::apply));
        }
    }

    /** What belongs to a full read besides the reads. */
    private final class FullReadSteps implements FullRead.Steps {
        private final Session asked;

        private FullReadSteps(Session asked) {
            this.asked = asked;
        }

        @Override
        public CompletableFuture<?> watch() {
            return CompletableFuture.allOf(
                    asked.watch(paths.cluster(), watcher, AddWatchMode.PERSISTENT),
                    asked.watch(paths.members(), watcher, AddWatchMode.PERSISTENT_RECURSIVE),
                    asked.watch(paths.view(), watcher, AddWatchMode.PERSISTENT),
                    acknowledgementWatch.watch(asked, watcher));
        }

        @Override
        public boolean readsAcknowledgements() {
            return acknowledgementWatch.isWanted();
        }

        @Override
        public void treeComplete() {
            if (!notifier.hasNotifiedConnected()) {
                notifier.notifyConnected(asked.id(), asked.sessionTimeoutMillis());
            }
            if (acknowledgementWatch.isWanted()) {
                listHistory();
            }
        }
    }
}
