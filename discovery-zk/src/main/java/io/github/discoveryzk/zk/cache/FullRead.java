// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.MultiRead;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.Unreadable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Reads the cluster: one packet for the tree, the view and the names of the members, then one for the records of each {@link
 * MultiRead#LIMIT} members. Missing parts of the tree are created first, as plain persistent nodes: ZooKeeper would delete empty
 * containers. The instance that creates the cluster's node gives the cluster its id; the others read it.
 */
final class FullRead {
    private static final int ATTEMPTS = 10;
    private static final List<String> PARTS = List.of(
            Paths.MEMBERS, Paths.ACKS, Paths.VIEW, Paths.HISTORY, Paths.LEASE, Paths.DEPARTURES, Paths.SUSPECTS);

    private final Paths paths;
    private final ClusterReader reader;
    private final Runnable treeComplete;
    private final Session session;

    /**
     * Creates a read over the present session.
     *
     * @param treeComplete called when the tree is complete, before the records are read
     */
    FullRead(Paths paths, ClusterReader reader, Runnable treeComplete) {
        this.paths = paths;
        this.reader = reader;
        this.treeComplete = treeComplete;
        this.session = reader.session();
    }

    /** The root cannot be used, for the reason in the message. Nothing was written there. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Refused(String sentence) {
            super(sentence, null, false, false);
        }
    }

    /** Returns the nodes of the cluster; fails with {@link Refused} when the root cannot be used. */
    CompletableFuture<ClusterNodes> read() {
        return attempt(1);
    }

    private CompletableFuture<ClusterNodes> attempt(int number) {
        if (number > ATTEMPTS) {
            return CompletableFuture.failedFuture(
                    new Refused("The tree below " + paths.root() + " keeps changing while it is being set up."));
        }
        CompletableFuture<Void> watched = reader.watch();
        MultiRead reads = new MultiRead(session);
        CompletableFuture<NodeData> root = readOrNull(reads.read(paths.root()));
        CompletableFuture<NodeData> cluster = readOrNull(reads.read(paths.cluster()));
        CompletableFuture<List<String>> parts = readOrNull(reads.list(paths.cluster()));
        CompletableFuture<List<String>> names = reads.list(paths.members());
        CompletableFuture<List<String>> suspicions = reads.list(paths.suspects())
                .exceptionallyCompose(Failure.on(Code.NOAUTH, () -> CompletableFuture.completedFuture(List.of())));
        CompletableFuture<NodeData> view = reads.read(paths.view());
        CompletableFuture<Optional<List<String>>> acks = reader.wantsAcknowledgements()
                ? reads.list(paths.acks()).thenApply(Optional::of)
                : CompletableFuture.completedFuture(Optional.empty());
        reads.send();
        // While the tree is incomplete the other reads fail, which means nothing.
        return CompletableFuture.allOf(root, cluster, parts).thenCompose(tree -> {
            Optional<CompletableFuture<Void>> creation = create(root.join(), cluster.join(), parts.join());
            if (creation.isPresent()) {
                return creation.get().thenCompose(made -> attempt(number + 1));
            }
            ClusterNodes nodes = reader.empty(clusterId(cluster.join(), paths));
            treeComplete.run();
            return CompletableFuture.allOf(
                            names.thenCompose(all -> reader.members(all, nodes))
                                    .thenAcceptBoth(suspicions, (read, all) -> all.forEach(nodes::addSuspicion)),
                            view.thenAccept(nodes::putView),
                            acks.thenAccept(all -> all.ifPresent(nodes::putAcknowledgements)))
                    .thenCombine(watched, (read, watching) -> nodes);
        });
    }

    /** Creates or fills what is missing in the tree. Returns empty when nothing is; throws {@link Refused} when the root cannot be used. */
    private Optional<CompletableFuture<Void>> create(NodeData root, NodeData cluster, List<String> parts) {
        if (root != null && root.data().length == 0 && root.stat().getNumChildren() == 0) {
            return Optional.of(fill(paths.root(), root));
        }
        if (root != null) {
            checkRoot(root);
        }
        if (cluster != null && cluster.data().length == 0) {
            return Optional.of(fill(paths.cluster(), cluster));
        }
        if (cluster == null || parts == null || !parts.containsAll(PARTS)) {
            return Optional.of(CompletableFuture.allOf(PARTS.stream()
                    .filter(part -> parts == null || !parts.contains(part))
                    .map(part -> make(paths.cluster() + "/" + part))
                    .toArray(CompletableFuture[]::new)));
        }
        return Optional.empty();
    }

    private void checkRoot(NodeData root) {
        String remedy =
                " Nothing was written there. Configure another root path, or the same one as the other instances.";
        try {
            if (!Codecs.isMarker(root.data())) {
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
            return Codecs.readClusterId(cluster.data());
        } catch (Unreadable e) {
            throw new Refused("The node " + paths.cluster() + " does not hold the id of a cluster: " + e.getMessage()
                    + ". Nothing was written there. Configure another cluster name, or empty that node's data.");
        }
    }

    /** Writes into an empty node, unless another instance writes at the same time and wins. */
    private CompletableFuture<Void> fill(String path, NodeData empty) {
        return session.write(path, dataOf(path), empty.stat().getVersion())
                .<Void>thenApply(stat -> null)
                .exceptionallyCompose(Failure.on(Code.BADVERSION, FullRead::done));
    }

    /**
     * Creates a node and its missing parents. Existing parents are not touched, because access to them may be denied. Where other
     * clients create or delete the same nodes now, the next attempt reads them again.
     */
    private CompletableFuture<Void> make(String path) {
        return makeNode(path).exceptionallyCompose(Failure.on(Code.NONODE, () -> make(Paths.parentOf(path))
                .thenCompose(parent -> makeNode(path))
                .exceptionallyCompose(Failure.on(Code.NONODE, FullRead::done))));
    }

    private CompletableFuture<Void> makeNode(String path) {
        return session.create(path, dataOf(path), CreateMode.PERSISTENT)
                .<Void>thenApply(name -> null)
                .exceptionallyCompose(Failure.on(Code.NODEEXISTS, FullRead::done));
    }

    private byte[] dataOf(String path) {
        if (path.equals(paths.root())) {
            return Codecs.marker();
        }
        return path.equals(paths.cluster()) ? Codecs.newClusterId() : new byte[0];
    }

    private static <T> CompletableFuture<T> readOrNull(CompletableFuture<T> future) {
        return future.exceptionallyCompose(Failure.on(Code.NONODE, FullRead::done));
    }

    private static <T> CompletableFuture<T> done() {
        return CompletableFuture.completedFuture(null);
    }
}
