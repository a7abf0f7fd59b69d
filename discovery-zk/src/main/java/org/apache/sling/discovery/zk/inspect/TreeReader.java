// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.inspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.StoreTree.Field;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Outcomes;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.NodeKind;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.RecordFields;
import org.apache.sling.discovery.zk.tree.Unreadable;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * Reads the tree for display, level by level: one read for each node and one listing for each node that has children. Nodes below
 * foreign nodes are not read. An instance of this class is used once.
 */
public final class TreeReader {
    private final Session session;
    private final Paths paths;
    private final Codecs codecs;
    private final int limit;
    private final List<StoreTree.Node> nodes = new ArrayList<>();
    private boolean complete = true;

    /**
     * Creates a reader.
     *
     * @param limit how many nodes are read at most
     */
    public TreeReader(Session session, Paths paths, Codecs codecs, int limit) {
        this.session = session;
        this.paths = paths;
        this.codecs = codecs;
        this.limit = limit;
    }

    /** Reads the tree. The caller sets the time of the result, because this class reads no clock. */
    public CompletableFuture<StoreTree> read() {
        return readLevel(List.of(paths.root())).thenApply(done -> {
            // Parents come before their children and siblings by name when the separator is lower than any other
            // character.
            nodes.sort(Comparator.comparing(node -> node.path().replace('/', '\0')));
            return new StoreTree(0, nodes, complete);
        });
    }

    private CompletableFuture<Void> readLevel(List<String> wanted) {
        int room = limit - nodes.size();
        complete &= wanted.size() <= room;
        List<String> level = wanted.subList(0, Math.min(room, wanted.size()));
        if (level.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return Batches.readAll(level, this::readNode)
                .thenCompose(children ->
                        readLevel(children.stream().flatMap(List::stream).toList()));
    }

    /** Reads a node and returns the paths of its children. */
    private CompletableFuture<List<String>> readNode(String path) {
        NodeKind kind = NodeKind.of(paths.root(), path);
        CompletableFuture<List<String>> children = kind == NodeKind.FOREIGN
                ? session.exists(path).thenApply(stat -> addForeign(path, stat))
                : session.read(path).thenCompose(found -> addNode(path, kind, found));
        return children.exceptionallyCompose(thrown -> handleFailure(path, kind, Failure.of(thrown)));
    }

    private CompletableFuture<List<String>> addNode(String path, NodeKind kind, NodeData found) {
        if (kind.isForeign(Paths.nameOf(path), found.stat().getEphemeralOwner())) {
            return CompletableFuture.completedFuture(addForeign(path, found.stat()));
        }
        addOwn(path, kind, found);
        if (found.stat().getNumChildren() == 0 || !kind.hasChildren()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return session.list(path)
                .thenApply(names ->
                        names.stream().sorted().map(name -> path + "/" + name).toList());
    }

    private void addOwn(String path, NodeKind kind, NodeData found) {
        int bytes = found.data().length;
        try {
            if (bytes > 0 && !kind.holdsRecord()) {
                throw new Unreadable(bytes + " bytes are in it, but discovery keeps it empty");
            }
            List<Field> record = bytes == 0
                    ? RecordFields.of(kind, Paths.nameOf(path))
                    : RecordFields.of(kind, Paths.nameOf(path), found.data(), codecs);
            add(path, kind, found.stat(), record, Optional.empty());
        } catch (Unreadable e) {
            add(path, kind, found.stat(), List.of(), Optional.of("It cannot be read: " + e.getMessage() + "."));
        }
    }

    private List<String> addForeign(String path, Stat stat) {
        String below = stat.getNumChildren() == 0 ? "" : " Its children (" + stat.getNumChildren() + ") are not shown.";
        add(path, NodeKind.FOREIGN, stat, List.of(), Optional.of(NodeKind.foreignSentence(path) + below));
        return List.of();
    }

    /** Omits a node that has gone since its parent was listed, and adds one that must not be read. */
    private CompletableFuture<List<String>> handleFailure(String path, NodeKind kind, Failure failure) {
        if (failure.isUnknown()) {
            return CompletableFuture.failedFuture(failure);
        }
        if (!failure.is(Code.NONODE)) {
            boolean read = nodes.stream().anyMatch(known -> known.path().equals(path));
            complete &= !read;
            if (!read) {
                String why = Outcomes.of(failure).detail();
                add(path, kind, new Stat(), List.of(), Optional.of(why));
            }
        }
        return CompletableFuture.completedFuture(List.of());
    }

    private void add(String path, NodeKind kind, Stat stat, List<Field> record, Optional<String> problem) {
        nodes.add(new StoreTree.Node(
                path,
                kind.words(),
                Optional.of(stat.getEphemeralOwner())
                        .filter(owner -> owner != 0)
                        .map(TreeReader::hexadecimal),
                new StoreTree.Stat(
                        stat.getDataLength(),
                        hexadecimal(stat.getCzxid()),
                        stat.getCtime(),
                        stat.getMtime(),
                        stat.getVersion()),
                record,
                problem));
    }

    private static String hexadecimal(long id) {
        return "0x" + Long.toHexString(id);
    }
}
