// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.inspect;

import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.HistoryReading;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.NodeKind;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.RecordFields;
import io.github.discoveryzk.zk.tree.Unreadable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * Reads the history or the tree for display, a few nodes at a time, so that requests of the protocol do not wait for hundreds of reads.
 * It does not read several nodes in one packet, because that could be larger than the client accepts, which would end the connection.
 * An instance of this class is used once.
 */
public final class StoreReader {
    private static final int MAX_READS = 20;
    private static final int MAX_SHOWN_CHARACTERS = 20_000_000;

    private final Session session;
    private final Paths paths;
    private final Codecs codecs;
    private final List<HistoryEntry> entries = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<StoreTree.Node> nodes = new ArrayList<>();
    private final List<String> guests = new ArrayList<>();
    private boolean complete = true;
    private long shown;

    public StoreReader(Session session, Paths paths, Codecs codecs) {
        this.session = session;
        this.paths = paths;
        this.codecs = codecs;
    }

    /** Reads each item and returns the results in the order given; fails when one read fails. */
    public static <T, R> CompletableFuture<List<R>> readAll(List<T> all, Function<T, CompletableFuture<R>> read) {
        List<CompletableFuture<R>> batch =
                all.stream().limit(MAX_READS).map(read).toList();
        return CompletableFuture.allOf(batch.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            List<R> results =
                    new ArrayList<>(batch.stream().map(CompletableFuture::join).toList());
            if (batch.size() == all.size()) {
                return CompletableFuture.completedFuture(results);
            }
            return readAll(all.subList(MAX_READS, all.size()), read).thenApply(others -> {
                results.addAll(others);
                return results;
            });
        });
    }

    /**
     * Reads the history: one listing, and one read for each entry whose number is not known. Entries that cannot be read are among the
     * problems of the result.
     */
    public CompletableFuture<HistoryReading> readHistory(Set<Long> known) {
        return session.list(paths.history()).thenCompose(names -> {
            Set<Long> numbers = new HashSet<>();
            List<String> wanted = new ArrayList<>();
            for (String name : names) {
                if (!Names.isEntry(name)) {
                    problems.add(NodeKind.foreignSentence(paths.historyEntry(name)));
                } else if (numbers.add(Names.number(name)) && !known.contains(Names.number(name))) {
                    wanted.add(name);
                }
            }
            wanted.sort(Comparator.reverseOrder());
            return readAll(wanted, this::readEntry).thenApply(all -> new HistoryReading(numbers, entries, problems));
        });
    }

    private CompletableFuture<Void> readEntry(String name) {
        return session.read(paths.historyEntry(name))
                .thenAccept(found -> takeEntry(name, found))
                .exceptionallyCompose(thrown -> {
                    Failure failure = Failure.of(thrown);
                    if (failure.isUnknown()) {
                        return CompletableFuture.failedFuture(failure);
                    }
                    // The oldest entries may be deleted while others are read.
                    if (!failure.is(Code.NONODE)) {
                        reportUnreadable(name, "the server says " + failure.code() + ". Check the access rights");
                    }
                    return CompletableFuture.completedFuture(null);
                });
    }

    private void takeEntry(String name, NodeData found) {
        try {
            HistoryEntry entry = codecs.readEntry(found.data());
            if (!name.equals(Names.entry(entry.number()))) {
                throw new Unreadable("it has view " + entry.number());
            }
            entries.add(entry);
        } catch (Unreadable e) {
            reportUnreadable(name, e.getMessage() + ". Delete it if it is not needed");
        }
    }

    private void reportUnreadable(String name, String why) {
        problems.add("The history entry " + paths.historyEntry(name) + " cannot be read: " + why + ".");
    }

    /**
     * Reads the tree, level by level: one read for each node and one listing for each node that has children. Nodes below foreign nodes
     * are not read. Shared data comes last, so that it leaves no node of the clusters out. The caller sets the time of the result, because this class reads no clock.
     *
     * @param limit how many nodes are read at most
     */
    public CompletableFuture<StoreTree> readTree(int limit) {
        CompletableFuture<Void> clusters = readLevel(List.of(paths.root()), limit);
        return clusters.thenCompose(done -> readLevel(guests, limit)).thenApply(done -> {
            // Parents come before their children and siblings by name when the separator is lower than any other
            // character.
            nodes.sort(Comparator.comparing(node -> node.path().replace('/', '\0')));
            return new StoreTree(0, nodes, complete);
        });
    }

    private CompletableFuture<Void> readLevel(List<String> wanted, int limit) {
        int room = limit - nodes.size();
        complete &= wanted.size() <= room;
        List<String> level = wanted.subList(0, Math.min(room, wanted.size()));
        if (level.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return readAll(level, this::readNode).thenCompose(children -> {
            Map<Boolean, List<String>> data = children.stream()
                    .flatMap(List::stream)
                    .collect(Collectors.partitioningBy(path -> NodeKind.of(paths.root(), path) == NodeKind.DATA));
            guests.addAll(data.get(true));
            return readLevel(data.get(false), limit);
        });
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
        String name = Paths.nameOf(path);
        if (kind.isForeign(name, found.stat().getEphemeralOwner())) {
            return CompletableFuture.completedFuture(addForeign(path, found.stat()));
        }
        try {
            List<StoreTree.Field> record = RecordFields.of(kind, name, found.data(), codecs);
            shown += record.stream().mapToLong(field -> field.value().length()).sum();
            complete &= shown <= MAX_SHOWN_CHARACTERS;
            add(path, kind, found.stat(), shown <= MAX_SHOWN_CHARACTERS ? record : List.of(), Optional.empty());
        } catch (Unreadable e) {
            add(path, kind, found.stat(), List.of(), Optional.of("It cannot be read: " + e.getMessage() + "."));
        }
        if (found.stat().getNumChildren() == 0) {
            return CompletableFuture.completedFuture(List.of());
        }
        return session.list(path)
                .thenApply(names ->
                        names.stream().sorted().map(child -> path + "/" + child).toList());
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
                String why = failure.outcome().detail();
                add(path, kind, new Stat(), List.of(), Optional.of(why));
            }
        }
        return CompletableFuture.completedFuture(List.of());
    }

    private void add(String path, NodeKind kind, Stat stat, List<StoreTree.Field> record, Optional<String> problem) {
        nodes.add(new StoreTree.Node(
                path,
                kind.words(),
                Optional.of(stat.getEphemeralOwner())
                        .filter(owner -> owner != 0)
                        .map(StoreReader::hexadecimal),
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
