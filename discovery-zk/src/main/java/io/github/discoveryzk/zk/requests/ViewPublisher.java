// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.requests;

import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.zk.cache.ClusterCache;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Formats;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.TooLarge;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Renews the lease by a write, because a write is only acknowledged by a quorum, and publishes a view in one transaction with its history
 * entry. The transaction also deletes the oldest entries and the leave records that are taken in. If these are unknown or cannot be
 * deleted, the view is published without deleting any, so that a publication never waits and requests keep their order.
 */
final class ViewPublisher {
    private static final int ENTRY = 2;
    private static final int ANY_VERSION = -1;

    /** Keeps the packet below the server's limit, even with the largest view. */
    private static final int MAX_REMOVED = 100;

    private final Paths paths;
    private final ClusterCache cache;

    ViewPublisher(Paths paths, ClusterCache cache) {
        this.paths = paths;
        this.cache = cache;
    }

    /** Renews the lease, unless the member node has gone or the view has another version. */
    CompletableFuture<Void> renew(Session session, Request.Renew request) {
        return session.commit(List.of(
                Op.check(paths.member(request.node()), ANY_VERSION),
                Op.check(paths.view(), request.slotVersion()),
                renewal(request.renewal(), ANY_VERSION)));
    }

    private Op renewal(Renewal renewal, int leaseVersion) {
        return Op.setData(paths.lease(), Codecs.write(renewal), leaseVersion);
    }

    CompletableFuture<Void> publish(Session session, Request.Publish request) throws TooLarge {
        List<Op> operations;
        try {
            operations = operations(session, request);
        } catch (Failure e) {
            return CompletableFuture.failedFuture(e);
        }
        List<Op> withRemovals = new ArrayList<>(operations);
        withRemovals.addAll(removals(request));
        boolean listed = cache.historyNames().isKnown();
        return session.commit(withRemovals)
                .exceptionallyCompose(thrown -> {
                    if (Failure.of(thrown).index() < operations.size()) {
                        return CompletableFuture.failedFuture(thrown);
                    }
                    cache.historyNames().clear();
                    return session.commit(operations);
                })
                .exceptionallyCompose(thrown -> explain(Failure.of(thrown)))
                .thenRun(() -> finish(request, listed));
    }

    private List<Op> operations(Session session, Request.Publish request) throws TooLarge, Failure {
        byte[] view = Codecs.write(request.next(), request.format());
        byte[] entry = Codecs.write(request.entry(), request.format());
        if (view.length + entry.length > Formats.LIMIT) {
            throw new TooLarge("View " + request.next().number() + " of "
                    + request.next().members().size() + " members and its history entry take "
                    + (view.length + entry.length) + " bytes, but the store accepts only " + Formats.LIMIT + ".");
        }
        List<Op> operations = new ArrayList<>();
        operations.add(Op.check(paths.member(request.node()), ANY_VERSION));
        operations.add(Op.setData(paths.view(), view, request.expectedVersion()));
        operations.add(session.creation(
                paths.historyEntry(Names.entry(request.next().number())), entry, CreateMode.PERSISTENT));
        if (request.byNextLeader()) {
            operations.add(renewal(request.renewal(), leaseVersion(request)));
        } else if (request.renewals().isPresent()) {
            operations.add(Op.check(paths.lease(), leaseVersion(request)));
        }
        return operations;
    }

    /**
     * Returns the version that the lease must have. The publication rests on the number of renewals that the last lease probe read. If
     * the request has another number, that is older, and the lease has been renewed since.
     */
    private int leaseVersion(Request.Publish request) throws Failure {
        if (request.renewals().isEmpty()) {
            return ANY_VERSION;
        }
        long renewals = request.renewals().getAsLong();
        return cache.nodes().leaseVersion(renewals).orElseThrow(() -> new Failure(Code.BADVERSION, paths.lease()));
    }

    private List<Op> removals(Request.Publish request) {
        List<Op> removals = new ArrayList<>();
        cache.historyNames().surplus().forEach(name -> removals.add(Op.delete(paths.historyEntry(name), -1)));
        request.heard().stream()
                .limit(MAX_REMOVED)
                .forEach(leaveRecord -> removals.add(Op.delete(paths.leaveRecord(Names.leaveRecord(leaveRecord)), -1)));
        return removals;
    }

    private void finish(Request.Publish request, boolean listed) {
        if (cache.isUsable()) {
            cache.nodes().removeLeaveRecords(request.heard());
        }
        if (!listed) {
            // A list that was on its way does not have the new entry, for which no other one was deleted.
            cache.historyNames().clear();
        }
        cache.listHistory();
    }

    /** Fails, after the history was listed again when the entry of the next number exists: the view is older than the history then. */
    private CompletableFuture<Void> explain(Failure failure) {
        CompletableFuture<Void> listed = CompletableFuture.completedFuture(null);
        if (failure.is(Code.NODEEXISTS) && failure.index() == ENTRY) {
            cache.historyNames().clear();
            listed = cache.listHistory();
        }
        return listed.handle((names, thrown) -> failure).thenCompose(CompletableFuture::failedFuture);
    }
}
