// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.zk.client.MultiRead;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;

/**
 * Reads the cluster: one packet for the tree, the view and the names of the members, then one for the records of each {@link
 * MultiRead#LIMIT} members. Missing parts of the tree are created first.
 */
final class FullRead {
    private static final int ATTEMPTS = 10;

    private final Session session;
    private final Paths paths;
    private final Codecs codecs;
    private final MemberReader members;
    private final Steps steps;

    FullRead(Session session, Paths paths, Codecs codecs, MemberReader members, Steps steps) {
        this.session = session;
        this.paths = paths;
        this.codecs = codecs;
        this.members = members;
        this.steps = steps;
    }

    /** What the caller does beside the reads. */
    interface Steps {
        /** Sets the watches. What is read is sent after this call, so that a later change causes an event. */
        CompletableFuture<?> watch();

        /** Returns whether the acknowledgements are read too. */
        boolean readsAcknowledgements();

        /** Called when the tree is complete, before the records are read. */
        void treeComplete();
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
        CompletableFuture<?> watched = steps.watch();
        MultiRead reads = session.multiRead();
        CompletableFuture<Optional<String>> tree = new Bootstrap(session, paths).advance(reads);
        CompletableFuture<List<String>> names = reads.list(paths.members());
        CompletableFuture<NodeData> view = reads.read(paths.view());
        CompletableFuture<Optional<List<String>>> acks = steps.readsAcknowledgements()
                ? reads.list(paths.acks()).thenApply(Optional::of)
                : CompletableFuture.completedFuture(Optional.empty());
        reads.send();
        // While the tree is incomplete the other reads fail, which means nothing.
        return tree.thenCompose(clusterId -> {
            if (clusterId.isEmpty()) {
                return attempt(number + 1);
            }
            steps.treeComplete();
            ClusterNodes nodes = new ClusterNodes(paths, codecs, clusterId.get());
            return CompletableFuture.allOf(
                            names.thenCompose(all -> readMembers(all, nodes)),
                            view.thenAccept(nodes::putView),
                            acks.thenAccept(all -> all.ifPresent(nodes::putAcknowledgements)))
                    .thenCombine(watched, (read, watching) -> nodes);
        });
    }

    private CompletableFuture<Void> readMembers(List<String> names, ClusterNodes nodes) {
        return CompletableFuture.allOf(members.read(session, names).stream()
                .map(read -> read.thenAccept(change -> change.applyTo(nodes)))
                .toArray(CompletableFuture[]::new));
    }
}
