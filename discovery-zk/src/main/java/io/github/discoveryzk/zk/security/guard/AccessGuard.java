// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security.guard;

import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
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
    private static final int PARENT = 0;

    private final Paths paths;
    private final Access access;
    private final StoreThread thread;
    private volatile Optional<StoreAccess> latest = Optional.empty();
    private int attempt;
    private int comparison;

    public AccessGuard(Paths paths, Access access, StoreThread thread) {
        this.paths = paths;
        this.access = access;
        this.thread = thread;
    }

    /** Returns the last comparison. */
    public Optional<StoreAccess> latest() {
        return latest;
    }

    /**
     * Lets an instance create nodes over a new connection if it could use them. A transaction without a lasting effect proves that,
     * because only the server knows what the entries of an ACL mean.
     *
     * @param refused receives the reason why it could not; the attempt is repeated
     */
    public void admit(Session session, Runnable admitted, Consumer<String> refused) {
        int begun = ++attempt;
        CompletableFuture<Optional<String>> refusal = access.equals(Access.OPEN)
                ? CompletableFuture.completedFuture(Optional.empty())
                : rehearse(session, paths.root());
        refusal.thenAccept(reason -> {
            if (begun != attempt) {
                return;
            }
            reason.ifPresentOrElse(refused, admitted);
            if (reason.isPresent()) {
                thread.schedule(RETRY_MILLIS, () -> {
                    if (begun == attempt) {
                        admit(session, admitted, refused);
                    }
                });
            }
        });
    }

    /** Returns why the nodes could not be used. */
    private CompletableFuture<Optional<String>> rehearse(Session session, String parent) {
        String node = (parent.equals("/") ? "" : parent) + "/acl-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        List<Op> operations = List.of(
                session.creation(node, new byte[0], CreateMode.PERSISTENT),
                Op.check(node, -1),
                Op.setData(node, new byte[0], -1),
                session.creation(node + "/child", new byte[0], CreateMode.PERSISTENT),
                Op.delete(node + "/child", -1),
                Op.delete(node, -1));
        return session.commit(operations)
                .thenApply(done -> Optional.<String>empty())
                .exceptionallyCompose(thrown -> {
                    Failure failure = Failure.of(thrown);
                    if (failure.is(Code.NONODE) && failure.index() == PARENT && !parent.equals("/")) {
                        return rehearse(session, Paths.parentOf(parent));
                    }
                    if (failure.isUnknown()) {
                        return CompletableFuture.failedFuture(failure);
                    }
                    // Where the parent denies a creation or deletion, the first real request reports it.
                    boolean ofParent = failure.index() == PARENT || failure.index() == operations.size() - 1;
                    return failure.is(Code.INVALIDACL) || failure.is(Code.NOAUTH) && !ofParent
                            ? session.identities().thenApply(known -> Optional.of(refusal(failure, known)))
                            : CompletableFuture.completedFuture(Optional.empty());
                });
    }

    private String refusal(Failure failure, List<Id> identities) {
        return "The option acl (" + access.words() + ") does not let this instance use the nodes that it would create ("
                + failure.code() + "): ZooKeeper knows it as " + AccessCheck.words(identities)
                + ". Nothing was created. Correct acl or the credentials; this instance keeps trying.";
    }

    /** Compares the access rights soon, on a connection over which everything has been read or denied. */
    public void start(Session session) {
        compareIn(FIRST_MILLIS, session);
    }

    private void compareIn(long millis, Session session) {
        int begun = ++comparison;
        thread.schedule(millis, () -> {
            if (begun == comparison) {
                new AccessCheck(session, paths, access, false, false).run().whenComplete((found, thrown) -> {
                    if (begun == comparison && thrown == null) {
                        take(session, found);
                    }
                });
            }
        });
    }

    private void take(Session session, StoreAccess found) {
        String before = latest.flatMap(StoreAccess::problem).orElse("");
        String now = found.problem().orElse("");
        latest = Optional.of(found);
        if (!now.isEmpty()) {
            if (!now.equals(before)) {
                LOG.warn(now);
            }
            compareIn(AGAIN_MILLIS, session);
        } else if (!before.isEmpty()) {
            LOG.info("The access rights are as configured again.");
        }
    }

    /** Compares all nodes, and sets the rights of those that differ if that is requested. */
    public CompletableFuture<StoreAccess> check(Session session, boolean repair) {
        return new AccessCheck(session, paths, access, true, repair).run().whenComplete((found, thrown) -> {
            if (repair) {
                LOG.info("Repair of the access rights: {}", thrown == null ? found.words() : thrown);
                compareIn(0, session);
            }
        });
    }

    /** Discards what is in progress: the connection is lost. */
    public void stop() {
        attempt++;
        comparison++;
    }
}
