// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.requests;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.cache.ClusterCache;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.DepartureNoteName;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.TooLarge;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;

/**
 * Creates, rewrites and deletes member nodes. A departure note, which only matters for members of the established view, is written with
 * the deletion. The node is deleted even when the note cannot be written: the session then counts as ended, and a successor waits for the
 * end of the lease.
 */
final class MemberWriter {
    private static final int NODE = 0;
    private static final int MAX_REMOVED = 100;

    private final Paths paths;
    private final Codecs codecs;
    private final ClusterCache cache;

    MemberWriter(Paths paths, Codecs codecs, ClusterCache cache) {
        this.paths = paths;
        this.codecs = codecs;
        this.cache = cache;
    }

    /** Creates a node, but not while parts of the tree are gone. */
    CompletableFuture<String> announce(MemberRecord record) throws TooLarge {
        byte[] data = codecs.members().write(record);
        return cache.whenTreeComplete().thenCompose(complete -> {
            String path = paths.newMember(ThreadLocalRandom.current().nextLong(), codecs.formats());
            cache.ownNodes().add(Paths.nameOf(path));
            return cache.session().create(path, data, CreateMode.EPHEMERAL_SEQUENTIAL);
        });
    }

    CompletableFuture<Stat> update(Session session, Request.Update request) throws TooLarge {
        return session.write(paths.member(request.node()), codecs.members().write(request.record()), -1);
    }

    /** Deletes the node of a departure note. */
    CompletableFuture<Void> delete(Session session, DepartureNote note) {
        String name = DepartureNoteName.of(note);
        if (DepartureNoteName.parse(name).isEmpty()) {
            throw new IllegalArgumentException("'" + name + "' does not name two member nodes");
        }
        String member = paths.member(note.node());
        boolean isInView =
                cache.nodes().view().filter(view -> view.contains(note.node())).isPresent();
        CompletableFuture<Void> deleted =
                isInView ? commitWithNote(session, member, paths.note(name)) : deleteNode(session, member);
        boolean own = cache.ownNodes().remove(note.node());
        return deleted.whenComplete((done, thrown) -> {
            if (thrown != null && own) {
                cache.ownNodes().add(note.node());
            }
        });
    }

    private static CompletableFuture<Void> commitWithNote(Session session, String member, String note) {
        List<Op> operations = List.of(
                Op.delete(member, -1), Op.create(note, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        return session.commit(operations).exceptionallyCompose(thrown -> {
            Failure failure = Failure.of(thrown);
            return failure.index() > NODE ? deleteNode(session, member) : unlessGone(failure);
        });
    }

    private static CompletableFuture<Void> deleteNode(Session session, String member) {
        return session.delete(member).exceptionallyCompose(thrown -> unlessGone(Failure.of(thrown)));
    }

    private static CompletableFuture<Void> unlessGone(Failure failure) {
        return failure.is(Code.NONODE)
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(failure);
    }

    /**
     * Deletes departure notes of kinds that only newer versions know when those versions need them no longer: the node is neither live nor
     * in the view that was published last. The notes would accumulate otherwise, because this version does not take them in.
     */
    void removeUnknown(Session session, Set<String> names, EstablishedView published) {
        StoreSnapshot known = cache.nodes().snapshot(0);
        names.stream()
                .filter(name -> DepartureNoteName.nodeOfUnknownKind(name)
                        .filter(node -> !published.contains(node) && !known.isLive(node))
                        .isPresent())
                .limit(MAX_REMOVED)
                .forEach(name -> session.delete(paths.note(name)));
    }
}
