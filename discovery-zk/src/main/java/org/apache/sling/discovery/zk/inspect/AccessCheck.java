// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.inspect;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.StoreAccess;
import org.apache.sling.discovery.zk.client.Access;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.NodeRights;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Id;

/**
 * Compares the ACLs of nodes with the configured one, a few nodes at a time, and sets those that differ if that is requested. A node
 * gets its ACL before its children are listed, so that an outsider cannot add a child after the listing. Everything below the node of
 * the clusters counts as ours; other nodes below the root are left alone. Confined to the store's thread; an instance of this class is
 * used once.
 */
public final class AccessCheck {
    private static final int MAX_READS = 20;

    private final Session session;
    private final Paths paths;
    private final Access access;
    private final boolean repair;
    private final Deque<String> pending = new ArrayDeque<>();
    private final List<StoreAccess.Node> nodes = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();
    private final Set<String> strangers = new LinkedHashSet<>();
    private final CompletableFuture<StoreAccess> result = new CompletableFuture<>();
    private List<Id> identities = List.of();
    private boolean whole;
    private boolean denied;
    private int checked;
    private int changed;
    private int differing;

    /** @param repair whether the ACLs that differ are set */
    public AccessCheck(Session session, Paths paths, Access access, boolean repair) {
        this.session = session;
        this.paths = paths;
        this.access = access;
        this.repair = repair;
    }

    /** Compares the nodes that each instance uses, those above the root that only lead to it, and some of this session. */
    public CompletableFuture<StoreAccess> ofFixedNodes() {
        return ofNodes(Stream.concat(
                        parents(),
                        Stream.of(
                                paths.root(),
                                paths.clusters(),
                                paths.cluster(),
                                paths.members(),
                                paths.acks(),
                                paths.view(),
                                paths.history(),
                                paths.lease(),
                                paths.departures(),
                                paths.announcements()))
                .toList());
    }

    /** Compares all nodes below the root, the root, and the nodes above it that only lead to it. */
    public CompletableFuture<StoreAccess> ofAllNodes() {
        whole = true;
        return ofNodes(Stream.concat(parents(), Stream.of(paths.root())).toList());
    }

    private Stream<String> parents() {
        return Stream.iterate(Paths.parentOf(paths.root()), path -> !path.equals("/"), Paths::parentOf);
    }

    private CompletableFuture<StoreAccess> ofNodes(Collection<String> start) {
        pending.addAll(start);
        identities(session)
                .thenCompose(known -> {
                    identities = known;
                    return whole
                            ? CompletableFuture.completedFuture(List.<String>of())
                            : session.ownNodes(paths.root());
                })
                .whenComplete((own, thrown) -> {
                    if (thrown == null) {
                        own.stream().limit(MAX_READS).forEach(pending::add);
                        advance();
                    } else {
                        result.completeExceptionally(thrown);
                    }
                });
        return result;
    }

    /** Returns the identities by which the server knows the session; none when the server is too old to say. */
    public static CompletableFuture<List<Id>> identities(Session session) {
        return session.identities()
                .exceptionallyCompose(
                        Failure.on(Code.UNIMPLEMENTED, () -> CompletableFuture.completedFuture(List.of())));
    }

    private void advance() {
        List<String> batch = new ArrayList<>();
        while (batch.size() < MAX_READS && !pending.isEmpty()) {
            batch.add(pending.remove());
        }
        if (batch.isEmpty()) {
            result.complete(summary());
            return;
        }
        StoreReader.readAll(batch, this::visit).whenComplete((children, thrown) -> {
            if (thrown == null) {
                children.forEach(pending::addAll);
                advance();
            } else {
                result.completeExceptionally(thrown);
            }
        });
    }

    /** Compares a node, and returns the paths of its children if they are to be compared too. */
    private CompletableFuture<List<String>> visit(String path) {
        boolean above = !path.startsWith(paths.root());
        if (!above && !path.equals(paths.root()) && !(path + "/").startsWith(paths.clusters() + "/")) {
            name(foreign, path);
            return done();
        }
        return session.readRights(path)
                .thenCompose(found -> above && !leadsToTheRootOnly(found) ? done() : compare(path, found))
                .exceptionallyCompose(thrown -> handleDenial(path, above, Failure.of(thrown)));
    }

    /** A node with data, other children or other owners was not made by an instance, or has another use by now. */
    private boolean leadsToTheRootOnly(NodeRights found) {
        return found.stat().getDataLength() == 0
                && found.stat().getNumChildren() == 1
                && Access.permitsAll(found.acl(), identities);
    }

    private CompletableFuture<List<String>> compare(String path, NodeRights found) {
        checked++;
        boolean listed = whole && path.startsWith(paths.root()) && found.stat().getNumChildren() > 0;
        CompletableFuture<Void> ready = CompletableFuture.completedFuture(null);
        if (!access.matches(found.acl(), identities)) {
            if (access.isOfCreator()) {
                access.strangers(found.acl(), identities).map(Access::words).forEach(strangers::add);
            }
            ready = repair ? set(path, found) : differs(path, found, Optional.empty());
        }
        return ready.thenCompose(compared -> listed ? children(path) : done());
    }

    private CompletableFuture<Void> set(String path, NodeRights found) {
        return session.resetRights(path).thenRun(() -> changed++).exceptionallyCompose(thrown -> {
            Failure failure = Failure.of(thrown);
            return failure.isUnknown() || failure.is(Code.NONODE)
                    ? CompletableFuture.failedFuture(failure)
                    : differs(path, found, Optional.of(failure.outcome().detail()));
        });
    }

    private CompletableFuture<Void> differs(String path, NodeRights found, Optional<String> reason) {
        add(path, Access.words(found.acl()), reason);
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<List<String>> children(String path) {
        return session.list(path)
                .thenApply(
                        names -> names.stream().map(name -> path + "/" + name).toList());
    }

    /** A node may have gone since its parent was listed. What is above the root and denied is none of ours. */
    private CompletableFuture<List<String>> handleDenial(String path, boolean above, Failure failure) {
        if (!failure.is(Code.NOAUTH) && !failure.is(Code.NONODE)) {
            return CompletableFuture.failedFuture(failure);
        }
        if (failure.is(Code.NOAUTH) && !above) {
            denied = true;
            add(path, "denied", Optional.empty());
        }
        return done();
    }

    private void add(String path, String found, Optional<String> reason) {
        differing++;
        name(nodes, new StoreAccess.Node(path, found, reason));
    }

    private static <T> void name(List<T> named, T next) {
        if (named.size() < StoreAccess.NAMED) {
            named.add(next);
        }
    }

    private static CompletableFuture<List<String>> done() {
        return CompletableFuture.completedFuture(List.of());
    }

    private StoreAccess summary() {
        return new StoreAccess(
                access.words(),
                identities.stream().map(Access::words).toList(),
                checked,
                changed,
                differing,
                nodes,
                foreign,
                cause());
    }

    private Optional<String> cause() {
        if (!strangers.isEmpty()) {
            return Optional.of("Other instances are " + String.join(", ", strangers) + ", and this one is "
                    + words(identities)
                    + ". With creator all instances need one identity, because they write and delete the nodes of each other:"
                    + " give them the same credentials, or list the identities of all in acl.");
        }
        return denied
                ? Optional.of("ZooKeeper knows this instance as " + words(identities)
                        + " and denies it access. Give it the credentials of the other instances, or let one of them add it"
                        + " with acl and discovery:acl repair.")
                : Optional.empty();
    }

    /** Returns identities for display. */
    static String words(List<Id> identities) {
        return identities.isEmpty()
                ? "a client of unknown identity"
                : String.join(", ", identities.stream().map(Access::words).toList());
    }
}
