// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.MultiRead;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * Reads children of the members' node. A read succeeds when the node has gone, or exists and must not be read. Children that are to be
 * read while a read is in flight are read together, in one packet, when it has been answered: when many members join at once, each
 * instance sends a few packets and not one for each of them.
 */
final class MemberReader {
    private static final Object NOTHING = new Object();

    private final Paths paths;
    private final OwnNodes ownNodes;
    private final Consumer<Runnable> delivery;

    /** What is to be read next; a child is read once, however often it has changed by then. */
    private final Map<String, CompletableFuture<NodeChange>> waiting = new LinkedHashMap<>();

    private Object inFlight = NOTHING;

    /**
     * Creates a reader.
     *
     * @param delivery runs what completes the reads of one packet
     */
    MemberReader(Paths paths, OwnNodes ownNodes, Consumer<Runnable> delivery) {
        this.paths = paths;
        this.ownNodes = ownNodes;
        this.delivery = delivery;
    }

    /** Forgets the reads that wait: the connection is lost. */
    void reset() {
        waiting.clear();
        inFlight = NOTHING;
    }

    /** Reads one child, as it is after this call. */
    CompletableFuture<NodeChange> read(Session session, String name) {
        CompletableFuture<NodeChange> read = waiting.computeIfAbsent(name, same -> new CompletableFuture<>());
        if (inFlight == NOTHING) {
            readWaiting(session);
        }
        return read;
    }

    private void readWaiting(Session session) {
        Map<String, CompletableFuture<NodeChange>> together = new LinkedHashMap<>(waiting);
        waiting.clear();
        Object sent = new Object();
        inFlight = sent;
        List<CompletableFuture<NodeChange>> reads = together.size() == 1
                ? List.of(readAlone(session, together.keySet().iterator().next()))
                : read(session, List.copyOf(together.keySet()));
        Iterator<CompletableFuture<NodeChange>> read = reads.iterator();
        together.values().forEach(result -> read.next().whenComplete((change, thrown) -> {
            if (thrown == null) {
                result.complete(change);
            } else {
                result.completeExceptionally(Failure.of(thrown));
            }
        }));
        CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).whenComplete((all, thrown) -> {
            if (inFlight == sent) {
                inFlight = NOTHING;
                if (!waiting.isEmpty()) {
                    readWaiting(session);
                }
            }
        });
    }

    private CompletableFuture<NodeChange> readAlone(Session session, String name) {
        return outcome(session, name, session.read(paths.member(name)));
    }

    /** Reads children, with one packet for many. */
    List<CompletableFuture<NodeChange>> read(Session session, List<String> names) {
        List<CompletableFuture<NodeChange>> changes = new ArrayList<>();
        for (int begin = 0; begin < names.size(); begin += MultiRead.LIMIT) {
            MultiRead reads = session.multiRead();
            names.subList(begin, Math.min(names.size(), begin + MultiRead.LIMIT))
                    .forEach(name -> changes.add(outcome(session, name, reads.read(paths.member(name)))));
            reads.send(delivery);
        }
        return changes;
    }

    private CompletableFuture<NodeChange> outcome(Session session, String name, CompletableFuture<NodeData> data) {
        BiFunction<NodeData, Throwable, CompletableFuture<NodeChange>> outcome = (found, thrown) -> {
            if (thrown == null) {
                return CompletableFuture.completedFuture(nodes -> nodes.putMember(name, found));
            }
            Failure failure = Failure.of(thrown);
            if (failure.isUnknown()) {
                return CompletableFuture.failedFuture(failure);
            }
            if (failure.is(Code.NONODE)) {
                return CompletableFuture.completedFuture(nodes -> nodes.removeMember(name));
            }
            return readOwner(session, name, "the server says " + failure.code());
        };
        return data.handle(outcome).thenCompose(Function.identity());
    }

    /**
     * Some servers return the owner of a node to an instance that must not read its data. Others deny that too, which proves that the
     * node exists. An instance knows its own nodes by their names.
     */
    private CompletableFuture<NodeChange> readOwner(Session session, String name, String why) {
        Stat own = new Stat();
        own.setEphemeralOwner(ownNodes.contains(name) ? session.id() : 0);
        return session.exists(paths.member(name))
                .<NodeChange>thenApply(stat -> nodes -> nodes.putDeniedMember(name, stat, why))
                .exceptionallyCompose(thrown -> {
                    Failure again = Failure.of(thrown);
                    if (again.isUnknown()) {
                        return CompletableFuture.failedFuture(again);
                    }
                    return CompletableFuture.completedFuture(
                            again.is(Code.NONODE)
                                    ? nodes -> nodes.removeMember(name)
                                    : nodes -> nodes.putDeniedMemberOf(own, name, why));
                });
    }
}
