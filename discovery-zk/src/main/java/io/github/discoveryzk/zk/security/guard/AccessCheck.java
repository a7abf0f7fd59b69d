// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security.guard;

import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.NodeRights;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.inspect.StoreReader;
import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Id;

/**
 * Compares the ACLs of nodes with the configured one, a few nodes at a time, and sets those that differ if that is requested. A node
 * gets its ACL before its children are listed, so that an outsider cannot add a child after the listing. Everything below the node of
 * the clusters counts as ours; other nodes below the root are left alone. Confined to the store's thread and used once.
 */
final class AccessCheck {
    private static final int MAX_READS = 20;

    private final Session session;
    private final Paths paths;
    private final Access access;
    private final boolean whole;
    private final boolean repair;
    private final Deque<String> pending = new ArrayDeque<>();
    private final List<StoreAccess.DifferingNode> nodes = new ArrayList<>();
    private final CompletableFuture<StoreAccess> result = new CompletableFuture<>();
    private List<Id> identities = List.of();
    private int checked;
    private int changed;
    private int differing;

    /**
     * Prepares a comparison.
     *
     * @param whole whether all nodes are compared, or those that each instance uses
     */
    AccessCheck(Session session, Paths paths, Access access, boolean whole, boolean repair) {
        this.session = session;
        this.paths = paths;
        this.access = access;
        this.whole = whole;
        this.repair = repair;
    }

    CompletableFuture<StoreAccess> run() {
        Stream.iterate(paths.root(), path -> !path.equals("/"), Paths::parentOf).forEach(pending::addFirst);
        if (!whole) {
            pending.addAll(List.of(paths.clusters(), paths.cluster(), paths.members(), paths.acks(), paths.view()));
            pending.addAll(List.of(paths.history(), paths.lease(), paths.departures(), paths.suspects()));
            pending.addAll(List.of(paths.announcements(), paths.data()));
        }
        session.identities()
                .thenAccept(known -> identities = known)
                .whenComplete((done, thrown) -> advance(List.of(), thrown));
        return result;
    }

    private void advance(List<String> found, Throwable thrown) {
        if (thrown != null) {
            result.completeExceptionally(thrown);
            return;
        }
        pending.addAll(found);
        List<String> batch = Stream.generate(pending::poll)
                .limit(Math.min(MAX_READS, pending.size()))
                .toList();
        if (batch.isEmpty()) {
            result.complete(summary());
        } else {
            StoreReader.readAll(batch, this::visit)
                    .thenApply(
                            children -> children.stream().flatMap(List::stream).toList())
                    .whenComplete(this::advance);
        }
    }

    /** Compares a node, and returns the paths of its children if they are to be compared too. */
    private CompletableFuture<List<String>> visit(String path) {
        boolean above = !path.startsWith(paths.root());
        if (!above && !path.equals(paths.root()) && !(path + "/").startsWith(paths.clusters() + "/")) {
            add(path, "foreign", Optional.of("It is none of discovery's nodes, and is left alone."));
            return done();
        }
        return session.readRights(path)
                .thenCompose(found -> above && !leadsToTheRootOnly(found) ? done() : compare(path, found, !above))
                .exceptionallyCompose(thrown -> {
                    Failure failure = Failure.of(thrown);
                    if (failure.is(Code.NOAUTH) && !above) {
                        checked++;
                        differing++;
                        add(path, "denied", Optional.empty());
                    }
                    // A node may have gone since its parent was listed. What is denied above the root is none of ours.
                    return failure.is(Code.NOAUTH) || failure.is(Code.NONODE)
                            ? done()
                            : CompletableFuture.failedFuture(failure);
                });
    }

    /** A node with data, other children or other owners was not made by an instance, or has another use by now. */
    private boolean leadsToTheRootOnly(NodeRights found) {
        return found.stat().getDataLength() == 0
                && found.stat().getNumChildren() == 1
                && Access.permitsAll(found.acl(), identities);
    }

    private CompletableFuture<List<String>> compare(String path, NodeRights found, boolean listed) {
        checked++;
        CompletableFuture<Boolean> set = CompletableFuture.completedFuture(false);
        if (!access.matches(found.acl(), identities)) {
            if (repair) {
                set = session.resetRights(path).thenApply(done -> ++changed > 0);
            } else {
                differs(path, found, Optional.empty());
            }
        }
        return set.exceptionallyCompose(Failure.on(Code.NOAUTH, () -> {
                    differs(path, found, Optional.of("ZooKeeper denies this instance the right to change it."));
                    return CompletableFuture.completedFuture(false);
                }))
                // A child may have come while the node was open.
                .thenCompose(isSet ->
                        whole && listed && (isSet || found.stat().getNumChildren() > 0) ? session.list(path) : done())
                .thenApply(
                        names -> names.stream().map(name -> path + "/" + name).toList());
    }

    private void differs(String path, NodeRights found, Optional<String> reason) {
        differing++;
        add(path, Access.words(found.acl()), reason);
    }

    private void add(String path, String found, Optional<String> reason) {
        if (nodes.size() < StoreAccess.NAMED) {
            nodes.add(new StoreAccess.DifferingNode(path, found, reason));
        }
    }

    private static CompletableFuture<List<String>> done() {
        return CompletableFuture.completedFuture(List.of());
    }

    private StoreAccess summary() {
        return new StoreAccess(access.words(), words(identities), checked, changed, differing, nodes);
    }

    /** Returns identities for display. */
    static String words(List<Id> identities) {
        return identities.isEmpty()
                ? "unknown"
                : String.join(", ", identities.stream().map(Access::words).toList());
    }
}
