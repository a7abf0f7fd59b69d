// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.MultiRead;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.Unreadable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;

/**
 * Watches and reads the nodes of the cluster over the last session. What was read is a change of the cached nodes.
 *
 * <p>A read of a member succeeds when the node has gone, or exists and must not be read. Members that are to be read while a read is in
 * flight are read together, in one packet, when it has been answered: when many members join together, each instance sends a few packets
 * and not one for each of them. Of the view, if possible only the history entry of the next one is read, which has the difference
 * between the two views and does not grow with the number of members.
 *
 * <p>The acknowledgements are watched only while they are wanted, so that the store reports each of them to one instance and not to all.
 */
final class ClusterReader {
    private final Paths paths;
    private final Codecs codecs;
    private final Set<String> ownNodes;
    private final Consumer<WatchedEvent> changed;
    private final Consumer<Runnable> delivery;
    private Session session;
    private Watcher watcher;
    private boolean wanted;
    private boolean watched;

    /** The members to be read next; a member is read once, however often it has changed by then. */
    private Map<String, CompletableFuture<Consumer<ClusterNodes>>> waiting = new LinkedHashMap<>();

    /** The members that are being read; null when there are none. */
    private Map<String, CompletableFuture<Consumer<ClusterNodes>>> inFlight;

    /**
     * Creates a reader without a session.
     *
     * @param ownNodes the unique parts of the names of this session's member nodes
     * @param changed gets the events of the last session
     * @param delivery runs what completes the reads of one packet
     */
    ClusterReader(
            Paths paths,
            Codecs codecs,
            Set<String> ownNodes,
            Consumer<WatchedEvent> changed,
            Consumer<Runnable> delivery) {
        this.paths = paths;
        this.codecs = codecs;
        this.ownNodes = ownNodes;
        this.changed = changed;
        this.delivery = delivery;
    }

    /** Returns the last session; null before the first. */
    Session session() {
        return session;
    }

    /** Takes a session, which has no watches yet unless it is the last one. */
    void use(Session next) {
        if (session != next) {
            session = next;
            watched = false;
            watcher = next.watcher(event -> {
                if (session == next) {
                    changed.accept(event);
                }
            });
        }
    }

    /** Forgets the reads that wait: the connection is lost. */
    void reset() {
        waiting = new LinkedHashMap<>();
        inFlight = null;
    }

    /** Sets all watches. What is read is sent after this call, so that a later change causes an event. */
    CompletableFuture<Void> watch() {
        return CompletableFuture.allOf(
                session.watch(paths.cluster(), watcher, AddWatchMode.PERSISTENT),
                session.watch(paths.members(), watcher, AddWatchMode.PERSISTENT_RECURSIVE),
                session.watch(paths.suspects(), watcher, AddWatchMode.PERSISTENT_RECURSIVE),
                session.watch(paths.view(), watcher, AddWatchMode.PERSISTENT),
                watchAcknowledgements());
    }

    boolean wantsAcknowledgements() {
        return wanted;
    }

    /** Sets whether the acknowledgements are wanted, and returns whether that is new. */
    boolean want(boolean acknowledgements) {
        boolean isNew = acknowledgements != wanted;
        wanted = acknowledgements;
        return isNew;
    }

    /** Sets or ends the watch as wanted, and returns the change after which the cache has the acknowledgements or not. */
    CompletableFuture<Consumer<ClusterNodes>> acknowledgements() {
        CompletableFuture<Void> done = watchAcknowledgements();
        if (wanted) {
            return session.list(paths.acks())
                    .thenCombine(done, (names, watching) -> nodes -> nodes.putAcknowledgements(names));
        }
        return CompletableFuture.completedFuture(ClusterNodes::dropAcknowledgements);
    }

    /** The client renews all its watches at each reconnect, so the watch is ended when it is not wanted. */
    private CompletableFuture<Void> watchAcknowledgements() {
        boolean ends = watched && !wanted;
        watched = wanted;
        if (wanted) {
            return session.watch(paths.acks(), watcher, AddWatchMode.PERSISTENT_RECURSIVE);
        }
        return ends ? session.unwatch(paths.acks()) : CompletableFuture.completedFuture(null);
    }

    /** Returns the nodes of a cluster of which only the id has been read. */
    ClusterNodes empty(String clusterId) {
        return new ClusterNodes(paths, codecs, clusterId);
    }

    /** A client that restores the tree writes the earlier id over the one that an instance has created in the meantime. */
    CompletableFuture<Consumer<ClusterNodes>> clusterId() {
        return session.read(paths.cluster())
                .thenApply(found -> nodes -> nodes.setClusterId(FullRead.clusterId(found, paths)));
    }

    /** Reads one member, as it is after this call. A node that can only be foreign is not read, because it may be large. */
    CompletableFuture<Consumer<ClusterNodes>> member(String name) {
        if (!Names.isMember(name)) {
            return CompletableFuture.completedFuture(nodes -> nodes.members().putForeign(name));
        }
        CompletableFuture<Consumer<ClusterNodes>> read =
                waiting.computeIfAbsent(name, same -> new CompletableFuture<>());
        if (inFlight == null) {
            readWaiting();
        }
        return read;
    }

    private void readWaiting() {
        Map<String, CompletableFuture<Consumer<ClusterNodes>>> together = waiting;
        waiting = new LinkedHashMap<>();
        inFlight = together;
        Map<String, CompletableFuture<Consumer<ClusterNodes>>> changes = changes(together.keySet());
        changes.forEach((name, change) -> change.whenComplete((found, thrown) -> {
            if (thrown == null) {
                together.get(name).complete(found);
            } else {
                together.get(name).completeExceptionally(Failure.of(thrown));
            }
        }));
        CompletableFuture.allOf(changes.values().toArray(CompletableFuture[]::new))
                .whenComplete((all, thrown) -> {
                    if (inFlight == together) {
                        inFlight = null;
                        if (!waiting.isEmpty()) {
                            readWaiting();
                        }
                    }
                });
    }

    /** Reads members, with one packet for many, and puts them. */
    CompletableFuture<Void> members(List<String> all, ClusterNodes nodes) {
        List<String> names = all.stream().filter(Names::isMember).toList();
        all.stream().filter(name -> !Names.isMember(name)).forEach(nodes.members()::putForeign);
        return CompletableFuture.allOf(changes(names).values().stream()
                .map(change -> change.thenAccept(found -> found.accept(nodes)))
                .toArray(CompletableFuture[]::new));
    }

    private Map<String, CompletableFuture<Consumer<ClusterNodes>>> changes(Collection<String> names) {
        Map<String, CompletableFuture<Consumer<ClusterNodes>>> changes = new LinkedHashMap<>();
        MultiRead.readAll(session, names.stream().map(paths::member).toList(), delivery)
                .forEach((path, data) -> changes.put(Paths.nameOf(path), change(Paths.nameOf(path), data)));
        return changes;
    }

    private CompletableFuture<Consumer<ClusterNodes>> change(String name, CompletableFuture<NodeData> data) {
        return unlessLost(
                data.thenApply(found -> nodes -> nodes.members().put(name, found)),
                failure -> failure.is(Code.NONODE)
                        ? CompletableFuture.completedFuture(
                                nodes -> nodes.members().remove(name))
                        : readOwner(
                                name,
                                "the server says " + failure.code()
                                        + ": give this instance the credentials of that one, or set acl=open there"));
    }

    /**
     * Some servers return the owner of a node to an instance that must not read its data. Others deny that too, which proves that the
     * node exists. An instance knows its own nodes by their names.
     */
    private CompletableFuture<Consumer<ClusterNodes>> readOwner(String name, String why) {
        Stat own = new Stat();
        own.setEphemeralOwner(ownNodes.contains(Names.uniquePart(name)) ? session.id() : 0);
        return unlessLost(
                session.exists(paths.member(name))
                        .thenApply(stat -> nodes -> nodes.members().putDenied(name, stat, true, why)),
                failure -> CompletableFuture.completedFuture(
                        failure.is(Code.NONODE)
                                ? nodes -> nodes.members().remove(name)
                                : nodes -> nodes.members().putDenied(name, own, false, why)));
    }

    /** Returns what a read gives, or what follows from its failure; a lost reply stays a failure. */
    private static <T> CompletableFuture<T> unlessLost(
            CompletableFuture<T> read, Function<Failure, CompletableFuture<T>> otherwise) {
        return read.exceptionallyCompose(thrown -> {
            Failure failure = Failure.of(thrown);
            return failure.isUnknown() ? CompletableFuture.failedFuture(failure) : otherwise.apply(failure);
        });
    }

    /**
     * Reads what an event of the view's node reports.
     *
     * @param held the cached slot, which has all changes before that event; empty when there is none
     */
    CompletableFuture<Consumer<ClusterNodes>> view(WatchedEvent event, Optional<ViewSlot> held) {
        Optional<EstablishedView> view = held.flatMap(ViewSlot::view);
        CompletableFuture<Optional<ViewSlot>> derived = CompletableFuture.completedFuture(Optional.empty());
        if (view.isPresent() && event.getType() == EventType.NodeDataChanged) {
            String entry = paths.historyEntry(Names.entry(view.get().number() + 1));
            derived = session.read(entry)
                    .thenCombine(writtenBy(event), (found, transaction) -> next(held.get(), found, transaction));
        }
        return unlessLost(derived, failure -> CompletableFuture.completedFuture(Optional.empty()))
                .thenCompose(next -> next.isPresent()
                        ? CompletableFuture.completedFuture(nodes -> nodes.putNextView(held.get(), next.get()))
                        : session.read(paths.view()).thenApply(found -> nodes -> nodes.putView(found)));
    }

    /** Returns the transaction that wrote the view. Servers before version 3.9 do not report it with the event. */
    private CompletableFuture<Long> writtenBy(WatchedEvent event) {
        return event.getZxid() == WatchedEvent.NO_ZXID
                ? session.exists(paths.view()).thenApply(Stat::getMzxid)
                : CompletableFuture.completedFuture(event.getZxid());
    }

    /**
     * Returns the slot with the next view. Empty when the entry was not written by the transaction that wrote the view, cannot be read
     * or does not fit.
     */
    private Optional<ViewSlot> next(ViewSlot held, NodeData entry, long transaction) {
        if (entry.stat().getMzxid() != transaction) {
            return Optional.empty();
        }
        try {
            return codecs.readEntry(entry.data())
                    .difference()
                    .applyTo(held.view().orElseThrow())
                    .map(next -> new ViewSlot(held.version() + 1, transaction, 0, Optional.of(next)));
        } catch (Unreadable e) {
            return Optional.empty();
        }
    }
}
