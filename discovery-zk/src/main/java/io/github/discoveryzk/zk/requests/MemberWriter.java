// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.requests;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.zk.cache.ClusterCache;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.TooLarge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;

/**
 * Creates, rewrites and deletes member nodes, and replaces the acknowledgement of this instance, normally in one transaction and without
 * a read. A leave record, which only matters for members of the established view, is written with the deletion. The node is deleted
 * even when the leave record cannot be written: the session then counts as ended, and a successor waits for the end of the lease.
 */
final class MemberWriter {
    private final Paths paths;
    private final Codecs codecs;
    private final ClusterCache cache;
    private Optional<String> lastAcknowledgement = Optional.empty();

    MemberWriter(Paths paths, Codecs codecs, ClusterCache cache) {
        this.paths = paths;
        this.codecs = codecs;
        this.cache = cache;
    }

    /** Forgets the nodes that have gone with their session. */
    void forgetSession() {
        lastAcknowledgement = Optional.empty();
        cache.ownNodes().clear();
    }

    /** Creates a node, but not while parts of the tree are gone. */
    CompletableFuture<String> announce(MemberRecord record) throws TooLarge {
        byte[] data = Codecs.write(record);
        return cache.schedule().whenIdle().thenCompose(complete -> {
            String path = paths.newMember(ThreadLocalRandom.current().nextLong(), codecs.formats());
            cache.ownNodes().add(Names.uniquePart(Paths.nameOf(path)));
            return cache.session().create(path, data, CreateMode.EPHEMERAL_SEQUENTIAL);
        });
    }

    CompletableFuture<Stat> update(Session session, Request.Update request) throws TooLarge {
        return session.write(paths.member(request.node()), Codecs.write(request.record()), -1);
    }

    /** Deletes the node of a leave record, then its acknowledgement if it is one of this instance. */
    CompletableFuture<Void> delete(Session session, LeaveRecord leaveRecord) {
        String name = Names.leaveRecord(leaveRecord);
        if (Names.parseLeaveRecord(name).isEmpty()) {
            throw new IllegalArgumentException("'" + name + "' does not name two member nodes");
        }
        String member = paths.member(leaveRecord.node());
        CompletableFuture<Void> deleted = remove(session, leaveRecord, List.of(Op.delete(member, -1)));
        boolean own = cache.ownNodes().remove(Names.uniquePart(leaveRecord.node()));
        return deleted.exceptionallyCompose(Failure.on(Code.NONODE, () -> CompletableFuture.completedFuture(null)))
                .whenComplete((done, thrown) -> {
                    if (thrown != null && own) {
                        cache.ownNodes().add(Names.uniquePart(leaveRecord.node()));
                    }
                })
                .thenRun(() -> deleteAcknowledgement(session, leaveRecord.node()));
    }

    CompletableFuture<Void> suspect(Session session, Suspicion suspicion) {
        return session.commit(List.of(
                Op.check(paths.member(suspicion.node()), -1),
                Op.check(paths.member(suspicion.by()), -1),
                session.creation(paths.suspicion(Names.suspicion(suspicion)), new byte[0], CreateMode.EPHEMERAL)));
    }

    CompletableFuture<Void> remove(Session session, Suspicion suspicion) {
        return session.delete(paths.suspicion(Names.suspicion(suspicion)))
                .exceptionallyCompose(Failure.on(Code.NONODE, () -> CompletableFuture.completedFuture(null)));
    }

    /** Removes suspicion and member in one transaction, which fails if the suspicion has gone. */
    CompletableFuture<Void> convict(Session session, Request.Convict request) {
        Op suspicion = Op.delete(paths.suspicion(Names.suspicion(request.suspicion())), -1);
        Op member = Op.delete(paths.member(request.leaveRecord().node()), -1);
        return remove(session, request.leaveRecord(), List.of(suspicion, member));
    }

    private CompletableFuture<Void> remove(Session session, LeaveRecord leaveRecord, List<Op> deletions) {
        List<Op> all = new ArrayList<>(deletions);
        String path = paths.leaveRecord(Names.leaveRecord(leaveRecord));
        cache.nodes()
                .view()
                .filter(view -> view.contains(leaveRecord.node()))
                .ifPresent(view -> all.add(session.creation(path, new byte[0], CreateMode.PERSISTENT)));
        return session.commit(all)
                .exceptionallyCompose(thrown -> Failure.of(thrown).index() == deletions.size()
                        ? session.commit(deletions)
                        : CompletableFuture.failedFuture(thrown));
    }

    private void deleteAcknowledgement(Session session, String node) {
        lastAcknowledgement
                .filter(name -> Names.isAcknowledgementOf(name, node))
                .ifPresent(name -> {
                    session.delete(paths.ack(name));
                    lastAcknowledgement = Optional.empty();
                });
    }

    CompletableFuture<Void> acknowledge(Session session, Request.Acknowledge request) {
        String name = Names.acknowledgement(new Acknowledgement(request.node(), request.number()));
        Optional<String> previous = lastAcknowledgement;
        lastAcknowledgement = Optional.of(name);
        if (previous.equals(lastAcknowledgement)) {
            return repair(session, request.node(), name);
        }
        List<Op> operations = new ArrayList<>();
        previous.ifPresent(old -> operations.add(Op.delete(paths.ack(old), -1)));
        operations.add(acknowledgement(session, name));
        return session.commit(operations)
                .exceptionallyCompose(Failure.on(Code.NONODE, () -> repair(session, request.node(), name)))
                .exceptionallyCompose(Failure.on(Code.NODEEXISTS, () -> repair(session, request.node(), name)));
    }

    /** Makes the named acknowledgement the only one of a node: the nodes are not as expected, because a reply was lost earlier. */
    private CompletableFuture<Void> repair(Session session, String node, String name) {
        return session.list(paths.acks()).thenCompose(names -> {
            List<Op> operations = new ArrayList<>();
            names.stream()
                    .filter(one -> Names.isAcknowledgementOf(one, node) && !one.equals(name))
                    .forEach(old -> operations.add(Op.delete(paths.ack(old), -1)));
            if (!names.contains(name)) {
                operations.add(acknowledgement(session, name));
            }
            return operations.isEmpty() ? CompletableFuture.completedFuture(null) : session.commit(operations);
        });
    }

    private Op acknowledgement(Session session, String name) {
        return session.creation(paths.ack(name), new byte[0], CreateMode.EPHEMERAL);
    }
}
