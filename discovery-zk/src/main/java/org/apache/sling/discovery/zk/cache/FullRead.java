// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;

/** Reads the cluster: two requests, one more for each member and one for the acknowledgements. */
final class FullRead {
    private final Session session;
    private final Paths paths;
    private final MemberReader members;
    private final ClusterNodes nodes;

    FullRead(Session session, Paths paths, Codecs codecs, MemberReader members, String clusterId) {
        this.session = session;
        this.paths = paths;
        this.members = members;
        this.nodes = new ClusterNodes(paths, codecs, clusterId);
    }

    CompletableFuture<ClusterNodes> read(boolean acknowledgements) {
        CompletableFuture<Void> children = session.list(paths.members()).thenCompose(this::readAll);
        CompletableFuture<Void> view = session.read(paths.view()).thenAccept(nodes::putView);
        CompletableFuture<Void> acks = acknowledgements
                ? session.list(paths.acks()).thenAccept(nodes::putAcknowledgements)
                : CompletableFuture.completedFuture(null);
        return CompletableFuture.allOf(children, view, acks).thenApply(done -> nodes);
    }

    private CompletableFuture<Void> readAll(List<String> names) {
        return CompletableFuture.allOf(names.stream()
                .map(name -> members.read(session, name).thenAccept(change -> change.applyTo(nodes)))
                .toArray(CompletableFuture[]::new));
    }
}
