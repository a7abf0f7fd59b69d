// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.requests;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.model.LeaveRecord;
import org.apache.sling.discovery.commons.model.Suspicion;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.cache.ClusterCache;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Names;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Creates and removes suspicions, and removes the members that do not refute theirs. A suspicion has two ephemeral nodes: the accused
 * watches the one that all suspicions of it share, and the verdict names the one that only this suspicion has. Otherwise a late verdict
 * would rest on the suspicion that another accuser has created since.
 */
final class SuspicionWriter {
    private final Paths paths;
    private final ClusterCache cache;

    SuspicionWriter(Paths paths, ClusterCache cache) {
        this.paths = paths;
        this.cache = cache;
    }

    /** The watch is there before the suspicion, so that its accuser notices its end. */
    CompletableFuture<Void> suspect(Session session, Suspicion suspicion) {
        List<Op> creation = List.of(
                session.creation(
                        paths.suspicion(suspicion.node()),
                        suspicion.by().getBytes(StandardCharsets.US_ASCII),
                        CreateMode.EPHEMERAL),
                session.creation(paths.suspicion(Names.suspicion(suspicion)), new byte[0], CreateMode.EPHEMERAL));
        return cache.follow(suspicion.node())
                .thenCompose(watched -> session.commit(creation))
                .exceptionallyCompose(Failure.on(
                        Code.NONODE, () -> makeFolder(session).thenCompose(made -> session.commit(creation))))
                .whenComplete((done, thrown) -> {
                    if (thrown != null && !Failure.of(thrown).isUnknown()) {
                        cache.unfollow(suspicion.node());
                    }
                });
    }

    private CompletableFuture<Void> makeFolder(Session session) {
        return session.create(paths.suspects(), new byte[0], CreateMode.PERSISTENT)
                .<Void>thenApply(path -> null)
                .exceptionallyCompose(Failure.on(Code.NODEEXISTS, () -> CompletableFuture.completedFuture(null)));
    }

    CompletableFuture<Void> refute(Session session, Suspicion suspicion) {
        return session.commit(removal(suspicion))
                .exceptionallyCompose(Failure.on(Code.NONODE, () -> CompletableFuture.completedFuture(null)));
    }

    private List<Op> removal(Suspicion suspicion) {
        return List.of(
                Op.delete(paths.suspicion(Names.suspicion(suspicion)), -1),
                Op.delete(paths.suspicion(suspicion.node()), -1));
    }

    /** Removes suspicion and member in one transaction, which fails if the suspicion has gone. */
    CompletableFuture<Void> convict(Session session, Request.Convict request) {
        LeaveRecord leaveRecord = request.leaveRecord();
        List<Op> operations = new ArrayList<>(removal(request.suspicion()));
        operations.add(Op.delete(paths.member(leaveRecord.node()), -1));
        if (cache.nodes()
                .view()
                .filter(view -> view.contains(leaveRecord.node()))
                .isPresent()) {
            operations.add(session.creation(
                    paths.leaveRecord(Names.leaveRecord(leaveRecord)), new byte[0], CreateMode.PERSISTENT));
        }
        return session.commit(operations);
    }
}
