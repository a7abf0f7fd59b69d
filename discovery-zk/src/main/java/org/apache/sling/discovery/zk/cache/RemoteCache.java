// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.RemoteCluster.RemoteInstance;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.MultiRead;
import org.apache.sling.discovery.zk.client.NodeData;
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
 * Caches one other cluster of the root: its view and the records of its members. It only reads. While that cluster changes its last view
 * is shown, until the next one is published or no member of it lives. Confined to the store's thread.
 */
final class RemoteCache {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteCache.class);

    private static final long AGAIN_MILLIS = 1_000;

    private final Paths paths;
    private final Codecs codecs;
    private final StoreThread thread;
    private final Session session;
    private final Runnable changed;
    private final Watcher watcher;
    private final MemberReader members;
    private final WatchEvents watchEvents;
    private final UpdateQueue queue;

    private ClusterNodes nodes;
    private Sequencer.Reservation viewUpdate;
    private boolean reading;
    private boolean known;
    private boolean closed;
    private Optional<RemoteCluster> shown = Optional.empty();

    /**
     * Creates an empty cache.
     *
     * @param paths the paths of the other cluster
     * @param changed called when {@link #cluster} or {@link #isKnown} may return something else
     */
    RemoteCache(Paths paths, Codecs codecs, StoreThread thread, Session session, Runnable changed) {
        this.paths = paths;
        this.codecs = codecs;
        this.thread = thread;
        this.session = session;
        this.changed = changed;
        this.watcher = event -> thread.execute(() -> process(event));
        this.queue = new UpdateQueue(this::update, this::readAgain);
        OwnNodes none = new OwnNodes();
        this.members = new MemberReader(paths, none, queue::applyTogether);
        this.watchEvents = new WatchEvents(paths, members, new ViewReader(paths, codecs), none);
    }

    /** Returns the cluster as it was settled last; empty when it has no view, or no member of its view lives. */
    Optional<RemoteCluster> cluster() {
        return shown;
    }

    /** Returns whether the cluster has been read since the last {@link #read}, or cannot be read. */
    boolean isKnown() {
        return known;
    }

    /** Reads the cluster again: after a connect. The watches of a session outlive its connections. */
    void start() {
        session.watch(paths.members(), watcher, AddWatchMode.PERSISTENT_RECURSIVE);
        session.watch(paths.view(), watcher, AddWatchMode.PERSISTENT);
        known = false;
        read();
    }

    /** Ends the watches: the cluster has been deleted. */
    void close() {
        closed = true;
        session.unwatch(paths.members());
        session.unwatch(paths.view());
    }

    private void read() {
        nodes = null;
        reading = true;
        queue.clear();
        members.reset();
        Sequencer.Reservation reservation = queue.reserve();
        int connection = session.connectionNumber();
        MultiRead reads = session.multiRead();
        CompletableFuture<NodeData> cluster = reads.read(paths.cluster());
        CompletableFuture<List<String>> names = reads.list(paths.members());
        CompletableFuture<NodeData> view = reads.read(paths.view());
        reads.send();
        cluster.thenCombine(view, this::nodes)
                .thenCombine(names, this::readMembers)
                .thenCompose(all -> all)
                .whenComplete((all, thrown) -> {
                    if (!closed && connection == session.connectionNumber()) {
                        reading = false;
                        end(reservation, all, thrown);
                    }
                });
    }

    private ClusterNodes nodes(NodeData cluster, NodeData view) {
        ClusterNodes all = new ClusterNodes(paths, codecs, Bootstrap.clusterId(cluster, paths));
        all.putView(view);
        return all;
    }

    private CompletableFuture<ClusterNodes> readMembers(ClusterNodes all, List<String> names) {
        return CompletableFuture.allOf(members.read(session, names).stream()
                        .map(read -> read.thenAccept(change -> change.applyTo(all)))
                        .toArray(CompletableFuture[]::new))
                .thenApply(done -> all);
    }

    private void end(Sequencer.Reservation reservation, ClusterNodes all, Throwable thrown) {
        known = true;
        if (thrown == null) {
            queue.applyAhead(reservation, () -> {
                nodes = all;
                queue.notifyObserver();
            });
            return;
        }
        reservation.fill(() -> {});
        Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
        if (!(cause instanceof Failure failure)) {
            LOG.warn("The cluster at {} is not shown: {}", paths.cluster(), cause.getMessage());
        } else if (failure.isUnknown()) {
            return;
        } else if (!failure.is(Code.NONODE)) {
            LOG.warn(
                    "The cluster at {} is not shown: ZooKeeper replies {} for {}. Check the access rights.",
                    paths.cluster(),
                    failure.code(),
                    failure.path());
        }
        shown = Optional.empty();
        changed.run();
    }

    private void process(WatchedEvent event) {
        if (closed || event.getType() == EventType.None) {
            return;
        }
        if (nodes == null) {
            // What is being read may be older than this event.
            readAgain();
            return;
        }
        WatchEvents.Update update = watchEvents.update(session, event, heldSlot());
        if (update.deletion()) {
            readAgain();
        }
        update.change().ifPresent(change -> {
            if (update.view()) {
                viewUpdate = queue.addAhead(change, this::apply);
            } else {
                queue.add(change, this::apply);
            }
        });
    }

    private Optional<ViewSlot> heldSlot() {
        boolean pending = viewUpdate != null && viewUpdate.isPending();
        return pending ? Optional.empty() : Optional.of(nodes.slot());
    }

    private void apply(NodeChange change) {
        if (nodes != null) {
            change.applyTo(nodes);
            queue.notifyObserver();
        }
    }

    private void readAgain() {
        if (!reading) {
            reading = true;
            thread.schedule(AGAIN_MILLIS, () -> {
                if (!closed) {
                    read();
                }
            });
        }
    }

    private void update() {
        StoreSnapshot store = nodes.snapshot(0);
        Optional<RemoteCluster> before = shown;
        shown = store.view().map(view -> cluster(store, view)).orElse(Optional.empty());
        if (!shown.equals(before) || !known) {
            known = true;
            changed.run();
        }
    }

    private Optional<RemoteCluster> cluster(StoreSnapshot store, EstablishedView view) {
        boolean complete = view.members().stream().allMatch(member -> store.isLive(member.node()));
        if (complete) {
            return Optional.of(new RemoteCluster(
                    store.clusterId(),
                    view.members().stream()
                            .map(member -> instance(store, member))
                            .toList(),
                    view.leader().instanceId()));
        }
        boolean lives = view.members().stream().anyMatch(member -> store.isLive(member.node()));
        return lives ? shown : Optional.empty();
    }

    /** A member whose record cannot be read lives, but its properties are unknown. */
    private static RemoteInstance instance(StoreSnapshot store, Incarnation member) {
        return new RemoteInstance(
                member.instanceId(),
                store.member(member.node())
                        .map(Member::record)
                        .map(MemberRecord::properties)
                        .orElse(Map.of()));
    }
}
