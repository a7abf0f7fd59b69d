// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.MultiRead;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.Payload;
import org.apache.sling.discovery.zk.tree.Unreadable;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Reads the tree of the cluster, and creates the missing parts as plain persistent nodes: ZooKeeper would delete empty containers. The
 * instance that creates the cluster's node gives the cluster its id; the others read it.
 */
final class Bootstrap {
    private static final String PRODUCT = "discovery-zk";
    private static final List<String> PARTS =
            List.of(Paths.MEMBERS, Paths.ACKS, Paths.VIEW, Paths.HISTORY, Paths.LEASE, Paths.DEPARTURES);

    private final Session session;
    private final Paths paths;

    Bootstrap(Session session, Paths paths) {
        this.session = session;
        this.paths = paths;
    }

    /**
     * Reads the tree, and creates or fills what is missing.
     *
     * @param reads sent by the caller
     * @return the cluster id; empty when parts of the tree were written, so that it has to be read again. It fails with {@link Refused}
     *     when the root cannot be used.
     */
    CompletableFuture<Optional<String>> advance(MultiRead reads) {
        CompletableFuture<NodeData> root = readOrNull(reads.read(paths.root()));
        CompletableFuture<NodeData> cluster = readOrNull(reads.read(paths.cluster()));
        CompletableFuture<List<String>> parts = readOrNull(reads.list(paths.cluster()));
        return CompletableFuture.allOf(root, cluster, parts)
                .thenCompose(read -> advance(root.join(), cluster.join(), parts.join()));
    }

    private CompletableFuture<Optional<String>> advance(NodeData root, NodeData cluster, List<String> parts) {
        if (root != null && root.data().length == 0 && root.stat().getNumChildren() == 0) {
            return again(initialize(paths.root(), marker(), root));
        }
        if (root != null) {
            checkRoot(root);
        }
        if (cluster != null && cluster.data().length == 0) {
            return again(initialize(paths.cluster(), newClusterId(), cluster));
        }
        if (cluster == null || parts == null || !parts.containsAll(PARTS)) {
            return again(makeParts(parts == null ? List.of() : parts));
        }
        return CompletableFuture.completedFuture(Optional.of(clusterId(cluster, paths)));
    }

    private static CompletableFuture<Optional<String>> again(CompletableFuture<Void> done) {
        return done.thenApply(made -> Optional.empty());
    }

    private void checkRoot(NodeData root) {
        String remedy =
                " Nothing was written there. Configure another root path, or the same one as the other instances.";
        try {
            if (!Payload.LASTING.read(root.data()).find("product").equals(Optional.of(PRODUCT))) {
                throw new Refused("The node " + paths.root() + " belongs to another product." + remedy);
            }
        } catch (Unreadable e) {
            throw new Refused(
                    "The node " + paths.root() + " cannot be the root of discovery: " + e.getMessage() + "." + remedy);
        }
    }

    /** Returns the id of a cluster; throws {@link Refused} when its node does not have one. */
    static String clusterId(NodeData cluster, Paths paths) {
        try {
            return Payload.clusterId(cluster.data());
        } catch (Unreadable e) {
            throw new Refused("The node " + paths.cluster() + " does not hold the id of a cluster: " + e.getMessage()
                    + ". Nothing was written there. Configure another cluster name, or empty that node's data.");
        }
    }

    /** Writes into an empty node, unless another instance writes at the same time and wins. */
    private CompletableFuture<Void> initialize(String path, byte[] data, NodeData empty) {
        return ignore(
                Code.BADVERSION,
                session.write(path, data, empty.stat().getVersion()).thenAccept(stat -> {}));
    }

    private CompletableFuture<Void> makeParts(List<String> there) {
        List<CompletableFuture<Void>> made = new ArrayList<>();
        PARTS.stream()
                .filter(part -> !there.contains(part))
                .forEach(part -> made.add(make(paths.cluster() + "/" + part)));
        return CompletableFuture.allOf(made.toArray(CompletableFuture[]::new));
    }

    /** Creates a node and its missing parents. Existing parents are not touched, because access to them may be denied. */
    private CompletableFuture<Void> make(String path) {
        CompletableFuture<Void> made =
                session.create(path, dataOf(path), CreateMode.PERSISTENT).thenAccept(name -> {});
        return ignore(Code.NODEEXISTS, made).exceptionallyCompose(thrown -> {
            if (!Failure.of(thrown).is(Code.NONODE)) {
                return CompletableFuture.failedFuture(thrown);
            }
            return make(Paths.parentOf(path))
                    .thenCompose(parent -> session.create(path, dataOf(path), CreateMode.PERSISTENT))
                    .thenAccept(name -> {})
                    .exceptionallyCompose(again -> gone(again)
                            ? CompletableFuture.completedFuture(null)
                            : CompletableFuture.failedFuture(again));
        });
    }

    /** Returns whether other clients create or delete the same nodes now; the next attempt reads them again. */
    private static boolean gone(Throwable thrown) {
        Failure failure = Failure.of(thrown);
        return failure.is(Code.NODEEXISTS) || failure.is(Code.NONODE);
    }

    private byte[] dataOf(String path) {
        if (path.equals(paths.root())) {
            return marker();
        }
        return path.equals(paths.cluster()) ? newClusterId() : new byte[0];
    }

    private static byte[] marker() {
        return Payload.LASTING.write(Payload.lasting().put("product", PRODUCT));
    }

    private static byte[] newClusterId() {
        return Payload.LASTING.write(
                Payload.lasting().put("id", UUID.randomUUID().toString()));
    }

    private static <T> CompletableFuture<T> readOrNull(CompletableFuture<T> future) {
        return ignore(Code.NONODE, future);
    }

    private static <T> CompletableFuture<T> ignore(Code harmless, CompletableFuture<T> future) {
        Function<Throwable, CompletableFuture<T>> judge =
                thrown -> Failure.of(thrown).is(harmless)
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(thrown);
        return future.exceptionallyCompose(judge);
    }
}
