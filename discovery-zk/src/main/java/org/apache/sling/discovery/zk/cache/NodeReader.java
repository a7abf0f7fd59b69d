// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.MultiRead;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.HistoryEntryName;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.Unreadable;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;

/**
 * Reads the nodes of the cluster. A read of a member succeeds when the node has gone, or exists and must not be read. Members that are to
 * be read while a read is in flight are read together, in one packet, when it has been answered: when many members join together, each
 * instance sends a few packets and not one for each of them. Of the view, if possible only the history entry of the next one is read,
 * which has the difference between the two views and does not grow with the number of members.
 */
final class NodeReader {
    private static final Object NOTHING = new Object();

    private final Paths paths;
    private final Codecs codecs;
    private final OwnNodes ownNodes;
    private final Consumer<Runnable> delivery;

    /** What is to be read next; a member is read once, however often it has changed by then. */
    private Map<String, CompletableFuture<NodeChange>> waiting = new LinkedHashMap<>();

    private Object inFlight = NOTHING;

    /**
     * Creates a reader.
     *
     * @param delivery runs what completes the reads of one packet
     */
    NodeReader(Paths paths, Codecs codecs, OwnNodes ownNodes, Consumer<Runnable> delivery) {
        this.paths = paths;
        this.codecs = codecs;
        this.ownNodes = ownNodes;
        this.delivery = delivery;
    }

    /** Forgets the reads that wait: the connection is lost. */
    void reset() {
        waiting = new LinkedHashMap<>();
        inFlight = NOTHING;
    }

    /** Returns the nodes of a cluster of which only the id has been read. */
    ClusterNodes empty(String clusterId) {
        return new ClusterNodes(paths, codecs, clusterId);
    }

    /** A client that restores the tree writes the earlier id over the one that an instance has created in the meantime. */
    CompletableFuture<NodeChange> clusterId(Session session) {
        return session.read(paths.cluster())
                .thenApply(found -> nodes -> nodes.setClusterId(Bootstrap.clusterId(found, paths)));
    }

    /** Reads one member, as it is after this call. */
    CompletableFuture<NodeChange> member(Session session, String name) {
        CompletableFuture<NodeChange> read = waiting.computeIfAbsent(name, same -> new CompletableFuture<>());
        if (inFlight == NOTHING) {
            readWaiting(session);
        }
        return read;
    }

    private void readWaiting(Session session) {
        Map<String, CompletableFuture<NodeChange>> together = waiting;
        waiting = new LinkedHashMap<>();
        inFlight = together;
        Map<String, CompletableFuture<NodeChange>> reads = new LinkedHashMap<>();
        if (together.size() == 1) {
            String name = together.keySet().iterator().next();
            reads.put(name, outcome(session, name, session.read(paths.member(name))));
        } else {
            reads.putAll(readMembers(session, together.keySet()));
        }
        reads.forEach((name, read) -> read.whenComplete((change, thrown) -> {
            if (thrown == null) {
                together.get(name).complete(change);
            } else {
                together.get(name).completeExceptionally(Failure.of(thrown));
            }
        }));
        allOf(reads.values()).whenComplete((all, thrown) -> {
            if (inFlight == together) {
                inFlight = NOTHING;
                if (!waiting.isEmpty()) {
                    readWaiting(session);
                }
            }
        });
    }

    /** Reads members, with one packet for many, and puts them. */
    CompletableFuture<Void> members(Session session, List<String> names, ClusterNodes nodes) {
        Map<String, CompletableFuture<NodeChange>> reads = readMembers(session, names);
        return allOf(reads.values().stream()
                .map(read -> read.thenAccept(change -> change.applyTo(nodes)))
                .toList());
    }

    private Map<String, CompletableFuture<NodeChange>> readMembers(Session session, Collection<String> names) {
        Map<String, CompletableFuture<NodeChange>> changes = new LinkedHashMap<>();
        List<String> all = List.copyOf(names);
        for (int begin = 0; begin < all.size(); begin += MultiRead.LIMIT) {
            MultiRead reads = session.multiRead();
            all.subList(begin, Math.min(all.size(), begin + MultiRead.LIMIT))
                    .forEach(name -> changes.put(name, outcome(session, name, reads.read(paths.member(name)))));
            reads.send(delivery);
        }
        return changes;
    }

    private static CompletableFuture<Void> allOf(Collection<? extends CompletableFuture<?>> reads) {
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<NodeChange> outcome(Session session, String name, CompletableFuture<NodeData> data) {
        return unlessLost(
                data.thenApply(found -> nodes -> nodes.putMember(name, found)),
                failure -> failure.is(Code.NONODE)
                        ? CompletableFuture.completedFuture(nodes -> nodes.removeMember(name))
                        : readOwner(session, name, "the server says " + failure.code()));
    }

    /**
     * Some servers return the owner of a node to an instance that must not read its data. Others deny that too, which proves that the
     * node exists. An instance knows its own nodes by their names.
     */
    private CompletableFuture<NodeChange> readOwner(Session session, String name, String why) {
        Stat own = new Stat();
        own.setEphemeralOwner(ownNodes.contains(name) ? session.id() : 0);
        return unlessLost(
                session.exists(paths.member(name))
                        .thenApply(stat -> nodes -> nodes.putDeniedMember(name, stat, true, why)),
                failure -> CompletableFuture.completedFuture(
                        failure.is(Code.NONODE)
                                ? nodes -> nodes.removeMember(name)
                                : nodes -> nodes.putDeniedMember(name, own, false, why)));
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
    CompletableFuture<NodeChange> view(Session session, WatchedEvent event, Optional<ViewSlot> held) {
        Optional<EstablishedView> view = held.flatMap(ViewSlot::view);
        if (view.isEmpty() || event.getType() != EventType.NodeDataChanged) {
            return readView(session);
        }
        CompletableFuture<Optional<ViewSlot>> derived = session.read(
                        paths.historyEntry(HistoryEntryName.of(view.get().number() + 1)))
                .thenCombine(
                        writtenBy(session, event),
                        (entry, transaction) -> next(held.get(), view.get(), entry, transaction));
        return unlessLost(derived, failure -> CompletableFuture.completedFuture(Optional.empty()))
                .thenCompose(next -> next.isEmpty()
                        ? readView(session)
                        : CompletableFuture.completedFuture(nodes -> nodes.putNextView(held.get(), next.get())));
    }

    private CompletableFuture<NodeChange> readView(Session session) {
        return session.read(paths.view()).thenApply(found -> nodes -> nodes.putView(found));
    }

    /** Returns the transaction that wrote the view. Servers before version 3.9 do not report it with the event. */
    private CompletableFuture<Long> writtenBy(Session session, WatchedEvent event) {
        return event.getZxid() == WatchedEvent.NO_ZXID
                ? session.exists(paths.view()).thenApply(Stat::getMzxid)
                : CompletableFuture.completedFuture(event.getZxid());
    }

    /**
     * Returns the slot with the next view. Empty when the entry was not written by the transaction that wrote the view, cannot be read
     * or does not fit.
     */
    private Optional<ViewSlot> next(ViewSlot held, EstablishedView view, NodeData entry, long transaction) {
        if (entry.stat().getMzxid() != transaction) {
            return Optional.empty();
        }
        try {
            return codecs.views()
                    .readEntry(entry.data())
                    .difference()
                    .applyTo(view)
                    .map(next -> new ViewSlot(held.version() + 1, transaction, 0, Optional.of(next)));
        } catch (Unreadable e) {
            return Optional.empty();
        }
    }
}
