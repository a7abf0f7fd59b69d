// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.HashMap;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches one other cluster of the root: its view and the records of its members. It only reads. While that cluster changes, or cannot
 * be read, its last view is shown, until the next one is published or no member of it is seen to live. Confined to the store's thread.
 */
final class RemoteCache {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteCache.class);

    private static final long AGAIN_MILLIS = 1_000;

    /** Access rights and the data of the cluster's node change without an event. */
    private static final long REFUSED_AGAIN_MILLIS = 60_000;

    private static final long NEVER = Long.MAX_VALUE;

    private final Paths paths;
    private final Codecs codecs;
    private final StoreThread thread;
    private final Runnable changed;
    private final LastingWatch membersWatch;
    private final LastingWatch viewWatch;
    private final MemberReader members;
    private final WatchEvents watchEvents;
    private final UpdateQueue queue;

    private Session session;
    private Watcher watcher;
    private ClusterNodes nodes;
    private Sequencer.Reservation viewUpdate;
    private Optional<EstablishedView> lastView = Optional.empty();
    private Optional<RemoteCluster> shown = Optional.empty();
    private String reported = "";
    private String told = "";
    private int reads;
    private boolean reading;
    private long scheduled = NEVER;
    private boolean eventsMissed;
    private boolean known;
    private boolean closed;

    /**
     * Creates an empty cache.
     *
     * @param paths the paths of the other cluster
     * @param changed called when {@link #cluster} or {@link #isKnown} may return something else
     */
    RemoteCache(Paths paths, Codecs codecs, StoreThread thread, Runnable changed) {
        this.paths = paths;
        this.codecs = codecs;
        this.thread = thread;
        this.changed = changed;
        this.membersWatch = new LastingWatch(paths.members(), AddWatchMode.PERSISTENT_RECURSIVE);
        this.viewWatch = new LastingWatch(paths.view(), AddWatchMode.PERSISTENT);
        this.queue = new UpdateQueue(this::update, this::readAfterFailure);
        OwnNodes none = new OwnNodes();
        this.members = new MemberReader(paths, none, queue::applyTogether);
        this.watchEvents = new WatchEvents(paths, members, new ViewReader(paths, codecs), none);
    }

    /** Returns the cluster as it was settled last; empty when it has no view, or no member of its view lives. */
    Optional<RemoteCluster> cluster() {
        return shown;
    }

    /** Returns whether the cluster has been read since the last {@link #start}, or cannot be read. */
    boolean isKnown() {
        return known;
    }

    /** Reads the cluster again: after a connect. */
    void start(Session started) {
        if (session != started) {
            session = started;
            watcher = WatchEvents.watcher(thread, started, event -> process(started, event));
        }
        membersWatch.set(session, watcher);
        viewWatch.set(session, watcher);
        known = false;
        read();
    }

    /** Ends the watches: the cluster has been deleted. */
    void close() {
        closed = true;
        membersWatch.end();
        viewWatch.end();
    }

    private void read() {
        int number = ++reads;
        nodes = null;
        reading = true;
        scheduled = NEVER;
        eventsMissed = false;
        queue.clear();
        members.reset();
        Sequencer.Reservation reservation = queue.reserve();
        Session asked = session;
        int connection = asked.connectionNumber();
        MultiRead packet = asked.multiRead();
        CompletableFuture<NodeData> cluster = packet.read(paths.cluster());
        CompletableFuture<List<String>> names = packet.list(paths.members());
        CompletableFuture<NodeData> view = packet.read(paths.view());
        packet.send();
        cluster.thenCombine(view, this::nodes)
                .thenCombine(names, this::readMembers)
                .thenCompose(all -> all)
                .whenComplete((all, thrown) -> {
                    if (!closed && number == reads && connection == asked.connectionNumber()) {
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
        if (thrown == null) {
            queue.applyAhead(reservation, () -> {
                nodes = all;
                queue.notifyObserver();
            });
            return;
        }
        Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
        if (cause instanceof Failure failure && failure.isUnknown()) {
            return;
        }
        reservation.fill(() -> {});
        if (!(cause instanceof Failure failure)) {
            keep(cause.getMessage());
        } else if (!failure.is(Code.NONODE)) {
            keep("ZooKeeper replies " + failure.code() + " for " + failure.path() + ". Check the access rights.");
        } else {
            if (eventsMissed) {
                // The missing part may have been created after it was read.
                readLater(AGAIN_MILLIS);
            }
            reported = "";
            show(Optional.empty());
        }
    }

    /** Shows what was read last: that the cluster cannot be read does not say that it has gone. */
    private void keep(String why) {
        report(shown.isPresent() ? "is shown as it was read last" : "is not shown", why);
        readLater(REFUSED_AGAIN_MILLIS);
        show(shown);
    }

    private void readAfterFailure(Throwable thrown) {
        if (!(thrown instanceof Failure)) {
            report("is shown as it was read last", "what was read cannot be processed: " + thrown);
            show(shown);
        }
        readLater(AGAIN_MILLIS);
    }

    /** Returns why the cluster is not shown as it is; empty if it is. */
    Optional<String> problem() {
        return reported.isEmpty()
                ? Optional.empty()
                : Optional.of("The cluster at " + paths.cluster() + " " + reported);
    }

    private void report(String how, String why) {
        String what = how + ": " + why;
        if (!reported.equals(what)) {
            reported = what;
            LOG.warn("The cluster at {} {}", paths.cluster(), what);
        }
    }

    private void process(Session source, WatchedEvent event) {
        if (closed || source != session) {
            return;
        }
        if (nodes == null && !reading) {
            readLater(AGAIN_MILLIS);
            return;
        }
        eventsMissed |= nodes == null;
        WatchEvents.Update update = watchEvents.update(session, event, heldSlot());
        if (update.deletion()) {
            readLater(AGAIN_MILLIS);
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
        return pending || nodes == null ? Optional.empty() : Optional.of(nodes.slot());
    }

    private void apply(NodeChange change) {
        if (nodes != null) {
            change.applyTo(nodes);
            queue.notifyObserver();
        }
    }

    private void readLater(long millis) {
        if (millis < scheduled) {
            scheduled = millis;
            int after = reads;
            thread.schedule(millis, () -> {
                if (!closed && after == reads) {
                    read();
                }
            });
        }
    }

    private void update() {
        StoreSnapshot store = nodes.snapshot(0);
        if (store.view().isPresent()) {
            lastView = store.view();
        }
        try {
            Optional<RemoteCluster> next =
                    lastView.filter(view -> hasLiveMember(store, view)).map(view -> cluster(store, view));
            reported = "";
            show(next);
        } catch (IllegalArgumentException e) {
            report("is not shown", "its view is contradictory: " + e.getMessage());
            show(Optional.empty());
        }
    }

    private void show(Optional<RemoteCluster> next) {
        boolean news = !known || !shown.equals(next) || !reported.equals(told);
        known = true;
        shown = next;
        told = reported;
        if (news) {
            changed.run();
        }
    }

    private static boolean hasLiveMember(StoreSnapshot store, EstablishedView view) {
        return view.members().stream().anyMatch(member -> store.isLive(member.node()));
    }

    private RemoteCluster cluster(StoreSnapshot store, EstablishedView view) {
        Map<String, Map<String, String>> before = new HashMap<>();
        shown.ifPresent(
                last -> last.instances().forEach(instance -> before.put(instance.instanceId(), instance.properties())));
        return new RemoteCluster(
                store.clusterId(),
                view.members().stream()
                        .map(member -> instance(store, member, before))
                        .toList(),
                view.leader().instanceId());
    }

    /** A member that has gone, or whose record cannot be read, keeps the properties that it was shown with. */
    private static RemoteInstance instance(
            StoreSnapshot store, Incarnation member, Map<String, Map<String, String>> before) {
        return new RemoteInstance(
                member.instanceId(),
                store.member(member.node())
                        .map(Member::record)
                        .map(MemberRecord::properties)
                        .orElseGet(() -> before.getOrDefault(member.instanceId(), Map.of())));
    }
}
