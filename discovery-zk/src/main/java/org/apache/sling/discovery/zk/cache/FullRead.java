// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.zk.client.MultiRead;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Paths;

/**
 * Reads the cluster: one packet for the tree, the view and the names of the members, then one for the records of each {@link
 * MultiRead#LIMIT} members. Missing parts of the tree are created first.
 */
final class FullRead {
    private static final int ATTEMPTS = 10;

    private final Paths paths;
    private final ClusterWatches watches;
    private final NodeReader reader;
    private final Runnable treeComplete;
    private final Session session;

    /**
     * Creates a read over the present session.
     *
     * @param treeComplete called when the tree is complete, before the records are read
     */
    FullRead(Paths paths, ClusterWatches watches, NodeReader reader, Runnable treeComplete) {
        this.paths = paths;
        this.watches = watches;
        this.reader = reader;
        this.treeComplete = treeComplete;
        this.session = watches.session();
    }

    /** Returns the nodes of the cluster; fails with {@link Refused} when the root cannot be used. */
    CompletableFuture<ClusterNodes> read() {
        return attempt(1);
    }

    private CompletableFuture<ClusterNodes> attempt(int number) {
        if (number > ATTEMPTS) {
            return CompletableFuture.failedFuture(
                    new Refused("The tree below " + paths.root() + " keeps changing while it is being set up."));
        }
        CompletableFuture<Void> watched = watches.set();
        MultiRead reads = session.multiRead();
        CompletableFuture<Optional<String>> tree = new Bootstrap(session, paths).advance(reads);
        CompletableFuture<List<String>> names = reads.list(paths.members());
        CompletableFuture<NodeData> view = reads.read(paths.view());
        CompletableFuture<Optional<List<String>>> acks = watches.wantsAcknowledgements()
                ? reads.list(paths.acks()).thenApply(Optional::of)
                : CompletableFuture.completedFuture(Optional.empty());
        reads.send();
        // While the tree is incomplete the other reads fail, which means nothing.
        return tree.thenCompose(clusterId -> {
            if (clusterId.isEmpty()) {
                return attempt(number + 1);
            }
            treeComplete.run();
            ClusterNodes nodes = reader.empty(clusterId.get());
            return CompletableFuture.allOf(
                            names.thenCompose(all -> reader.members(session, all, nodes)),
                            view.thenAccept(nodes::putView),
                            acks.thenAccept(all -> all.ifPresent(nodes::putAcknowledgements)))
                    .thenCombine(watched, (read, watching) -> nodes);
        });
    }
}
