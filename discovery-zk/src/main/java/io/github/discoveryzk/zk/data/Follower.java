// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.data;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.DataStore.Content;
import io.github.discoveryzk.spi.DataStore.Stored;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.data.Node.State;
import io.github.discoveryzk.zk.follow.FollowedNodes;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.NodeKind;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Follows one value or map, and remembers what its writers compare with. Nothing is decoded here. */
final class Follower extends FollowedNodes {
    /** What is small is read together, because one after the other would take as long as so many ways to the server and back. */
    private static final int READS = 32;

    private static final int SMALL = 4 * 1024;

    private final boolean map;
    private final String folder;
    private final Consumer<Content> observer;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, Stored> entries = new HashMap<>();

    /** What this instance has written and not read yet, by path. */
    private final Map<String, State> written = new HashMap<>();

    private boolean denied;
    private boolean reported;

    /**
     * Creates one that knows nothing.
     *
     * @param folder the node of the value, or the folder of the map
     * @param observer receives the whole content after changes
     */
    Follower(DataAddress address, String folder, StoreThread thread, Consumer<Content> observer) {
        super(folder, List.of(folder), READS, thread, () -> {});
        this.map = address.map();
        this.folder = folder;
        this.observer = observer;
    }

    /** Discards what is in progress, and reports that the connection is lost. */
    void suspend() {
        stop();
        written.clear();
        if (reported) {
            reported = false;
            report();
        }
    }

    /** Returns what is at a path if all reported changes have been read, or what this instance has written there since. */
    Optional<State> state(String path) {
        if (written.containsKey(path)) {
            return Optional.of(written.get(path));
        }
        return isCurrent(folder) && isCurrent(path) ? Optional.of(read(path)) : Optional.empty();
    }

    private State read(String path) {
        Optional<Node> node = Optional.ofNullable(nodes.get(path));
        return map ? new State(Optional.ofNullable(nodes.get(folder)), node) : State.ofValue(node);
    }

    /** Remembers what this instance has written. Its watch event has come before the reply, and is still to be read. */
    void wrote(String path, State state) {
        written.put(path, state);
    }

    /** The replies to a lease wait behind: what was large, and what is not known, is read alone. */
    @Override
    protected List<String> next(Collection<String> stale) {
        List<String> small = stale.stream().filter(this::isSmall).limit(READS).toList();
        return small.isEmpty() ? stale.stream().limit(1).toList() : small;
    }

    private boolean isSmall(String path) {
        return Optional.ofNullable(nodes.get(path))
                .filter(node -> node.length() <= SMALL)
                .isPresent();
    }

    /** Each in a packet of its own: what a foreign client wrote may be as large as a packet can be. */
    @Override
    protected Map<String, CompletableFuture<NodeData>> read(Session session, List<String> paths) {
        return paths.stream().collect(Collectors.toMap(Function.identity(), session::read));
    }

    @Override
    protected boolean skips(String path) {
        boolean foreign = !map || Names.unescaped(Paths.nameOf(path)).isEmpty();
        if (foreign) {
            problems.report(path, NodeKind.foreignSentence(path));
        }
        return foreign;
    }

    @Override
    protected boolean put(String path, NodeData found) {
        Node node = Node.of(path, found);
        remove(path);
        nodes.put(path, node);
        if (map || !node.isEmpty()) {
            key(path).ifPresent(key -> entries.put(key, node.stored()));
        }
        return true;
    }

    private Optional<String> key(String path) {
        if (map == path.equals(folder)) {
            return Optional.empty();
        }
        return map ? Names.unescaped(Paths.nameOf(path)) : Optional.of(DataStore.VALUE);
    }

    /** Its content stays as it was read last, but no write is based on it. */
    @Override
    protected void deny(String path) {
        nodes.remove(path);
        denied |= path.equals(folder);
    }

    @Override
    protected void remove(String path) {
        nodes.remove(path);
        denied &= !path.equals(folder);
        key(path).ifPresent(entries::remove);
    }

    @Override
    protected void settled() {
        written.clear();
        reported = true;
        report();
    }

    private void report() {
        List<String> found = NodeKind.shortened(
                problems.sentences().stream(), problems.sentences().size());
        observer.accept(new Content(reported && !denied, entries, found));
    }
}
