// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.KeeperException.Code;

/** Reads the cluster: two requests, one more for each member and one for the acknowledgements. */
final class FullRead {
    private final Session session;
    private final Paths paths;
    private final ClusterNodes nodes;

    FullRead(Session session, Paths paths, Codecs codecs, String clusterId) {
        this.session = session;
        this.paths = paths;
        this.nodes = new ClusterNodes(paths, codecs, clusterId);
    }

    CompletableFuture<ClusterNodes> read(boolean acknowledgements) {
        CompletableFuture<Void> members = session.list(paths.members()).thenCompose(this::members);
        CompletableFuture<Void> view = session.read(paths.view()).thenAccept(nodes::putView);
        CompletableFuture<Void> acks = acknowledgements
                ? session.list(paths.acks()).thenAccept(nodes::putAcknowledgements)
                : CompletableFuture.completedFuture(null);
        return CompletableFuture.allOf(members, view, acks).thenApply(done -> nodes);
    }

    private CompletableFuture<Void> members(List<String> names) {
        return CompletableFuture.allOf(names.stream()
                .map(name -> member(session, paths, name).thenAccept(change -> change.applyTo(nodes)))
                .toArray(CompletableFuture[]::new));
    }

    /** Reads one child of the members' node. The read succeeds when the node has gone. */
    static CompletableFuture<NodeChange> member(Session session, Paths paths, String name) {
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
            return unreadable(session, paths.member(name), name, failure);
        };
        return session.read(paths.member(name)).handle(outcome).thenCompose(Function.identity());
    }

    /** Some servers return the owner of a node to an instance that must not read its data. Others deny that too, which proves that the node exists. */
    private static CompletableFuture<NodeChange> unreadable(
            Session session, String path, String name, Failure failure) {
        String why = "the server says " + failure.code();
        return session.exists(path)
                .<NodeChange>thenApply(stat -> nodes -> nodes.putUnreadableMember(name, stat, why))
                .exceptionallyCompose(thrown -> {
                    Failure again = Failure.of(thrown);
                    if (again.isUnknown()) {
                        return CompletableFuture.failedFuture(again);
                    }
                    return CompletableFuture.completedFuture(
                            again.is(Code.NONODE)
                                    ? nodes -> nodes.removeMember(name)
                                    : nodes -> nodes.putUnreadableMember(name, why));
                });
    }
}
