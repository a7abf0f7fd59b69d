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

/** Reads all there is to know of the cluster: two requests, one more for each member and one for the acknowledgements. */
final class FullRead {
    private final Session handle;
    private final Paths paths;
    private final ClusterNodes tree;

    FullRead(Session handle, Paths paths, Codecs codecs, String clusterId) {
        this.handle = handle;
        this.paths = paths;
        this.tree = new ClusterNodes(paths, codecs, clusterId);
    }

    CompletableFuture<ClusterNodes> all(boolean acknowledgements) {
        CompletableFuture<Void> members = handle.list(paths.members()).thenCompose(this::members);
        CompletableFuture<Void> view = handle.read(paths.view()).thenAccept(tree::putView);
        CompletableFuture<Void> acks = acknowledgements
                ? handle.list(paths.acks()).thenAccept(tree::putAcks)
                : CompletableFuture.completedFuture(null);
        return CompletableFuture.allOf(members, view, acks).thenApply(done -> tree);
    }

    private CompletableFuture<Void> members(List<String> names) {
        return CompletableFuture.allOf(names.stream()
                .map(name -> member(handle, paths, name).thenAccept(change -> change.applyTo(tree)))
                .toArray(CompletableFuture[]::new));
    }

    /** Reads one child of the members' node. It may have gone, which is no failure. */
    static CompletableFuture<NodeChange> member(Session handle, Paths paths, String name) {
        BiFunction<NodeData, Throwable, CompletableFuture<NodeChange>> told = (found, thrown) -> {
            if (thrown == null) {
                return CompletableFuture.completedFuture(tree -> tree.putMember(name, found));
            }
            Failure failure = Failure.of(thrown);
            if (failure.isUnknown()) {
                return CompletableFuture.failedFuture(failure);
            }
            if (failure.is(Code.NONODE)) {
                return CompletableFuture.completedFuture(tree -> tree.removeMember(name));
            }
            return unreadable(handle, paths.member(name), name, failure);
        };
        return handle.read(paths.member(name)).handle(told).thenCompose(Function.identity());
    }

    /** Some servers tell whose node it is to an instance that may not read its data; others tell that it is there, no more. */
    private static CompletableFuture<NodeChange> unreadable(Session handle, String path, String name, Failure failure) {
        String why = "the server says " + failure.code();
        return handle.exists(path)
                .<NodeChange>thenApply(stat -> tree -> tree.putUnreadableMember(name, stat, why))
                .exceptionallyCompose(thrown -> {
                    Failure again = Failure.of(thrown);
                    if (again.isUnknown()) {
                        return CompletableFuture.failedFuture(again);
                    }
                    return CompletableFuture.completedFuture(
                            again.is(Code.NONODE)
                                    ? tree -> tree.removeMember(name)
                                    : tree -> tree.putUnreadableMember(name, why));
                });
    }
}
