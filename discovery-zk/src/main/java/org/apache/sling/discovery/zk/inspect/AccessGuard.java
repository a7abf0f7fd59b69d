// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.inspect;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.sling.discovery.commons.report.StoreAccess;
import org.apache.sling.discovery.zk.client.Access;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Id;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an instance from creating nodes that it could not use, and compares the access rights after each connect; while they differ, again
 * at intervals. Confined to the store's thread, except for {@link #latest}.
 */
public final class AccessGuard {
    private static final Logger LOG = LoggerFactory.getLogger(AccessGuard.class);

    /** The comparison comes after what a new connection has to do first. */
    private static final long FIRST_MILLIS = 1_000;

    private static final long AGAIN_MILLIS = 10_000;
    private static final long RETRY_MILLIS = 5_000;
    private static final List<String> NEEDED = List.of("create", "read", "write", "create", "delete", "delete");

    private final Paths paths;
    private final Access access;
    private final StoreThread thread;
    private volatile Optional<StoreAccess> latest = Optional.empty();
    private int connection;
    private int comparison;

    public AccessGuard(Paths paths, Access access, StoreThread thread) {
        this.paths = paths;
        this.access = access;
        this.thread = thread;
    }

    /** Is notified of whether an instance may create nodes. */
    public interface Gate {
        void admitted();

        void refused(String sentence);
    }

    /** Returns the last comparison. */
    public Optional<StoreAccess> latest() {
        return latest;
    }

    /**
     * Lets an instance create nodes on a new connection if it can use them. With {@link Access#OPEN} it can; otherwise a transaction
     * without a lasting effect proves it, because only the server knows what the entries of an ACL mean.
     */
    public void admit(Session session, Gate gate) {
        int begun = ++connection;
        if (access.equals(Access.OPEN)) {
            gate.admitted();
            return;
        }
        AccessCheck.identities(session)
                .thenCompose(identities -> rehearse(session, paths.root(), identities))
                .whenComplete((refusal, thrown) -> {
                    if (begun != connection
                            || thrown != null && Failure.of(thrown).isUnknown()) {
                        return;
                    }
                    // Another failure will occur again, with the first real request, which reports it.
                    if (thrown != null || refusal.isEmpty()) {
                        gate.admitted();
                    } else {
                        gate.refused(refusal.get());
                        thread.schedule(RETRY_MILLIS, () -> {
                            if (begun == connection) {
                                admit(session, gate);
                            }
                        });
                    }
                });
    }

    /** Returns why a node with the ACL could not be used; empty if it could, or if no node can be created there. */
    private CompletableFuture<Optional<String>> rehearse(Session session, String parent, List<Id> identities) {
        String node = (parent.equals("/") ? "" : parent) + "/acl-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        String child = node + "/child";
        return session.commit(List.of(
                        session.creation(node, new byte[0], CreateMode.PERSISTENT),
                        Op.check(node, -1),
                        Op.setData(node, new byte[0], -1),
                        session.creation(child, new byte[0], CreateMode.PERSISTENT),
                        Op.delete(child, -1),
                        Op.delete(node, -1)))
                .thenApply(done -> Optional.<String>empty())
                .exceptionallyCompose(thrown -> {
                    Failure failure = Failure.of(thrown);
                    if (failure.is(Code.NONODE) && failure.index() == 0 && !parent.equals("/")) {
                        return rehearse(session, Paths.parentOf(parent), identities);
                    }
                    return failure.isUnknown()
                            ? CompletableFuture.failedFuture(failure)
                            : CompletableFuture.completedFuture(refusal(failure, identities));
                });
    }

    private Optional<String> refusal(Failure failure, List<Id> identities) {
        String known = "ZooKeeper knows this instance as " + AccessCheck.words(identities);
        String remedy = ". Nothing was created. Correct acl or the credentials of this instance, which keeps trying.";
        if (failure.is(Code.INVALIDACL)) {
            return Optional.of("ZooKeeper does not accept the option acl (" + access.words() + "): " + known
                    + (access.isOfCreator() ? ", which is not authenticated" : "") + remedy);
        }
        boolean own = failure.index() > 0 && failure.index() < NEEDED.size() - 1;
        return failure.is(Code.NOAUTH) && own
                ? Optional.of("The option acl (" + access.words() + ") does not give this instance the right to "
                        + NEEDED.get(failure.index()) + " its own nodes: " + known + remedy)
                : Optional.empty();
    }

    /** Compares the access rights soon, on a connection over which everything has been read or denied. */
    public void start(Session session) {
        compareIn(FIRST_MILLIS, session);
    }

    private void compareIn(long millis, Session session) {
        int begun = ++comparison;
        thread.schedule(millis, () -> {
            if (begun == comparison) {
                compare(session, begun);
            }
        });
    }

    private void compare(Session session, int begun) {
        new AccessCheck(session, paths, access, false).ofFixedNodes().whenComplete((found, thrown) -> {
            if (begun != comparison || thrown != null) {
                LOG.debug("The access rights were not compared", thrown);
                return;
            }
            Optional<String> before = latest.flatMap(StoreAccess::problem);
            latest = Optional.of(found);
            if (!found.problem().equals(before)) {
                found.problem()
                        .ifPresentOrElse(LOG::warn, () -> LOG.info("The access rights are as configured again."));
            }
            if (found.differing() > 0) {
                compareIn(AGAIN_MILLIS, session);
            }
        });
    }

    /** Compares all nodes, and sets the rights of those that differ if that is requested. */
    public CompletableFuture<StoreAccess> check(Session session, boolean repair) {
        return new AccessCheck(session, paths, access, repair).ofAllNodes().thenApply(found -> {
            if (repair) {
                LOG.info(
                        "The access rights of {} nodes were set, of {} that were compared; {} could not be set.",
                        found.changed(),
                        found.checked(),
                        found.differing());
                compareIn(0, session);
            }
            return found;
        });
    }

    /** Discards what is in progress: the connection is lost. */
    public void stop() {
        connection++;
        comparison++;
    }
}
