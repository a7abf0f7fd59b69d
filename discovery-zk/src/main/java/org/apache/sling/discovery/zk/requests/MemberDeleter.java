// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.requests;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.DepartureNoteName;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;

/**
 * Deletes a member node and writes its departure note, which only matters for members of the established view. The node is deleted even
 * when the note cannot be written: the session then counts as ended, and a successor waits for the end of the lease.
 */
final class MemberDeleter {
    private static final int NODE = 0;
    private static final int REMOVED_AT_ONCE = 100;

    private final Paths paths;

    MemberDeleter(Paths paths) {
        this.paths = paths;
    }

    /**
     * Deletes the node of a departure note.
     *
     * @param view the established view; empty when it is not known
     */
    CompletableFuture<Void> delete(Session session, DepartureNote note, Optional<EstablishedView> view) {
        String name = DepartureNoteName.of(note);
        if (DepartureNoteName.parse(name).isEmpty()) {
            throw new IllegalArgumentException("'" + name + "' does not name two member nodes");
        }
        String member = paths.member(note.node());
        if (view.filter(known -> known.contains(note.node())).isEmpty()) {
            return deleteNode(session, member);
        }
        List<Op> operations = List.of(
                Op.delete(member, -1),
                Op.create(paths.note(name), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        return session.commit(operations).exceptionallyCompose(thrown -> {
            Failure failure = Failure.of(thrown);
            if (failure.is(Code.NONODE) && failure.isAt(NODE)) {
                return CompletableFuture.completedFuture(null);
            }
            return failure.index() > NODE ? deleteNode(session, member) : CompletableFuture.failedFuture(failure);
        });
    }

    /**
     * Deletes departure notes of kinds that only newer versions know when those versions need them no longer: the node is neither live nor
     * in the view that was published last. The notes would accumulate otherwise, because this version does not take them in.
     */
    void removeUnknown(Session session, Set<String> names, EstablishedView published, StoreSnapshot known) {
        names.stream()
                .filter(name -> DepartureNoteName.nodeOfUnknownKind(name)
                        .filter(node -> !published.contains(node) && !known.isLive(node))
                        .isPresent())
                .limit(REMOVED_AT_ONCE)
                .forEach(name -> session.delete(paths.note(name)));
    }

    private static CompletableFuture<Void> deleteNode(Session session, String member) {
        return session.delete(member).exceptionallyCompose(thrown -> {
            Failure failure = Failure.of(thrown);
            return failure.is(Code.NONODE)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(failure);
        });
    }
}
