// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.data;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.spi.DataStore.Result;
import io.github.discoveryzk.spi.DataStore.Stored;
import io.github.discoveryzk.spi.DataStore.Write;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.MultiRead;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.data.Node.State;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * A write until its outcome is known: one transaction, which checks the member node, the view or the proof if it is fenced, and that the entry is
 * what was seen.
 *
 * <p>ZooKeeper compares data versions, which begin again with a node that is created again. So each creation of an entry also writes the
 * folder of its map, and what replaces an entry checks the folder; the node of a value is never deleted. A creation of another entry
 * in between is a false conflict: the write is repeated.
 */
final class Attempts {
    private static final int REPETITIONS = 20;
    private static final int MEMBER = 0;
    private static final int FENCE = 1;
    private static final byte[] NO_DATA = {};

    /** As a condition it holds for each version, also for another one than what was seen. */
    private static final int ANY_VERSION = -1;

    private final DataWriter writer;
    private final Paths paths;
    private final Session session;
    private final Write write;
    private final byte[] data;
    private final boolean map;
    private final String folder;
    final String path;
    private int left = REPETITIONS;

    /** The transaction that wrote the entry if its owner is a member. */
    private long lasting;

    Attempts(DataWriter writer, Write write, byte[] data) {
        this.writer = writer;
        this.paths = writer.paths;
        this.session = writer.session;
        this.write = write;
        this.data = data;
        this.map = write.address().map();
        this.folder = paths.data(write.address());
        this.path = paths.data(write.address(), write.key());
    }

    CompletableFuture<Result> begin() {
        Optional<State> known = writer.follower(write.address()).flatMap(follower -> follower.state(path));
        return known.filter(this::isSeen).map(this::commit).orElseGet(this::readAndCommit);
    }

    private CompletableFuture<Result> readAndCommit() {
        if (writer.hasEnded()) {
            return lost();
        }
        if (left-- == 0) {
            return reject("It was tried " + REPETITIONS + " times, and each time another write came in between.");
        }
        return read().thenCompose(state -> isSeen(state) ? commit(state) : replaceLeft(state));
    }

    private boolean isSeen(State state) {
        OptionalLong there = state.entry().stream().mapToLong(Node::transaction).findFirst();
        return there.equals(write.seen());
    }

    /** Reads the entry and its folder as of one instant. */
    private CompletableFuture<State> read() {
        if (!map) {
            return node(path, session.read(path)).thenApply(State::ofValue);
        }
        MultiRead reads = new MultiRead(session);
        CompletableFuture<Optional<Node>> above = node(folder, reads.read(folder));
        CompletableFuture<Optional<Node>> entry = node(path, reads.read(path));
        reads.send();
        return above.thenCombine(entry, State::new);
    }

    private static CompletableFuture<Optional<Node>> node(String path, CompletableFuture<NodeData> reply) {
        return reply.thenApply(found -> Optional.of(Node.of(path, found)))
                .exceptionallyCompose(
                        Failure.on(Code.NONODE, () -> CompletableFuture.completedFuture(Optional.empty())));
    }

    /**
     * Replaces an entry that counts as none, because it is left from an earlier stay of this instance, or because its owner, which was a
     * member when it wrote the entry, is a member no longer: a member node that has gone never returns. Any other entry overtakes, with
     * what was read last: an earlier reading could be older than what has been reported meanwhile.
     */
    private CompletableFuture<Result> replaceLeft(State state) {
        Optional<DataRecord> owned = state.entry()
                .filter(entry -> write.seen().isEmpty() && entry.session() != 0 && entry.transaction() != lasting)
                .flatMap(entry -> record(entry.stored()))
                .filter(record ->
                        record.owner().isPresent() && !record.owner().get().equals(write.node()));
        if (owned.isEmpty()) {
            return CompletableFuture.completedFuture(new Result(
                    Outcome.overtaken("The " + write.address() + " has been written in the meantime."),
                    state.entry().map(Node::stored)));
        }
        if (owned.get().writer().equals(write.next().orElseThrow().writer())) {
            return commit(state);
        }
        return session.exists(paths.member(owned.get().owner().get()))
                .thenApply(stat -> true)
                .exceptionallyCompose(Failure.on(Code.NONODE, () -> CompletableFuture.completedFuture(false)))
                .thenCompose(lives -> {
                    if (!lives) {
                        return commit(state);
                    }
                    lasting = state.entry().get().transaction();
                    return readAndCommit();
                });
    }

    private static Optional<DataRecord> record(Stored stored) {
        try {
            return Optional.of(stored.record().get());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private CompletableFuture<Result> commit(State state) {
        if (writer.hasEnded()) {
            return lost();
        } else if (state.folder().isEmpty()) {
            return createFolders()
                    .handle((done, thrown) -> thrown)
                    .thenCompose(thrown -> thrown == null ? readAndCommit() : explainFolder(Failure.of(thrown)));
        }
        List<Op> operations = new ArrayList<>();
        operations.add(Op.check(paths.member(write.node()), ANY_VERSION));
        if (write.ledView().isPresent()) {
            long led = write.ledView().getAsLong();
            if (writer.cache.nodes().view().filter(view -> view.number() == led).isEmpty()) {
                return rejectFence();
            }
            operations.add(Op.check(paths.view(), writer.cache.nodes().slotVersion()));
        }
        return write.proof().isEmpty() ? commit(state, operations) : prove(state, operations);
    }

    private CompletableFuture<Result> prove(State state, List<Op> operations) {
        DataAddress value = write.proof().get().value();
        String proof = paths.data(value);
        return writer.follower(value)
                .flatMap(follower -> follower.state(proof))
                .map(known -> CompletableFuture.completedFuture(known.entry()))
                .orElseGet(() -> node(proof, session.read(proof)))
                .thenCompose(found -> {
                    if (found.filter(this::isProof).isEmpty()) {
                        return rejectFence();
                    }
                    operations.add(FENCE, Op.check(proof, found.get().version()));
                    return commit(state, operations);
                });
    }

    private boolean isProof(Node value) {
        return value.transaction() == write.proof().get().version() && value.version() != ANY_VERSION;
    }

    private CompletableFuture<Result> commit(State state, List<Op> operations) {
        Optional<Node> before = map ? state.entry() : state.folder();
        if (before.isPresent() && before.get().version() == ANY_VERSION) {
            return reject("The node " + path + " has the data version -1, with which nothing can be compared."
                    + " Write it once with a client of ZooKeeper.");
        }
        if (map && before.isPresent()) {
            int creations = state.folder().get().version();
            if (creations == ANY_VERSION) {
                return session.write(folder, NO_DATA, ANY_VERSION).thenCompose(done -> readAndCommit());
            }
            operations.add(Op.check(folder, creations));
        }
        addWrite(operations, before);
        return session.commit(operations, data.length)
                .thenApply(results -> done(state, results))
                .exceptionallyCompose(thrown -> explain(Failure.of(thrown)));
    }

    private <T> CompletableFuture<T> lost() {
        return CompletableFuture.failedFuture(new Failure(Code.CONNECTIONLOSS, path));
    }

    /** Adds what changes the entry; the last result has the transaction if anything remains. */
    private void addWrite(List<Op> operations, Optional<Node> before) {
        if (map && write.next().isEmpty()) {
            operations.add(Op.delete(path, before.orElseThrow().version()));
        } else if (keepsNode(before)) {
            int version = before.get().version();
            operations.add(Op.setData(path, data, version));
            if (version + 1 == ANY_VERSION) {
                // The next version is skipped.
                operations.add(Op.setData(path, data, ANY_VERSION));
            }
        } else {
            before.ifPresent(node -> operations.add(Op.delete(path, node.version())));
            operations.add(session.creation(path, data, isOwned() ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT));
            operations.add(Op.setData(folder, NO_DATA, ANY_VERSION));
        }
    }

    /** Says whether the node can stay: it ends with this session, or never, as it shall. */
    private boolean keepsNode(Optional<Node> before) {
        return !map || before.filter(node -> node.session() == owner()).isPresent();
    }

    private boolean isOwned() {
        return write.next().flatMap(DataRecord::owner).isPresent();
    }

    private long owner() {
        return isOwned() ? session.id() : 0;
    }

    private Result done(State before, List<OpResult> results) {
        Optional<Stat> written = results.get(results.size() - 1) instanceof OpResult.SetDataResult last
                ? Optional.of(last.getStat())
                : Optional.empty();
        State state = written.map(stat -> after(before, stat)).orElse(new State(before.folder(), Optional.empty()));
        writer.follower(write.address()).ifPresent(follower -> follower.wrote(path, state));
        return new Result(Outcome.DONE, state.entry().map(Node::stored));
    }

    /** Returns what is there; {@code stat} is that of the entry, or of the folder if the entry was created. */
    private State after(State before, Stat stat) {
        boolean created = !keepsNode(before.entry());
        Optional<Node> node = Optional.of(Node.of(path, data, stat, created ? 0 : stat.getVersion(), owner()));
        Optional<Node> above = created ? Optional.of(Node.of(folder, new NodeData(NO_DATA, stat))) : before.folder();
        return map ? new State(above, node) : State.ofValue(node);
    }

    private CompletableFuture<Result> explain(Failure failure) {
        boolean changed = failure.is(Code.BADVERSION) || failure.is(Code.NONODE) || failure.is(Code.NODEEXISTS);
        if (!changed) {
            return CompletableFuture.failedFuture(failure);
        } else if (failure.index() == MEMBER) {
            return rejectMember();
        } else if (failure.index() == FENCE && isFenced()) {
            return rejectFence();
        }
        return readAndCommit();
    }

    /** Creates what is missing on first use: the folders, or the node of a value without data. */
    private CompletableFuture<Void> createFolders() {
        return createFolder(paths.data())
                .thenCompose(done -> createFolder(Paths.parentOf(folder)))
                .thenCompose(done -> createFolder(folder));
    }

    /** Only a member creates it: an operator who deletes the tree has removed the members before, or will not have to wait for them. */
    private CompletableFuture<Void> createFolder(String missing) {
        return session.commit(List.of(
                        Op.check(paths.member(write.node()), ANY_VERSION),
                        session.creation(missing, NO_DATA, CreateMode.PERSISTENT)))
                .exceptionallyCompose(Failure.on(Code.NODEEXISTS, () -> CompletableFuture.completedFuture(null)));
    }

    /** The folder above may have been deleted in between. */
    private CompletableFuture<Result> explainFolder(Failure failure) {
        if (!failure.is(Code.NONODE)) {
            return CompletableFuture.failedFuture(failure);
        }
        return failure.index() == MEMBER ? rejectMember() : readAndCommit();
    }

    private CompletableFuture<Result> rejectMember() {
        return reject("The member node " + write.node() + " of this instance has gone.");
    }

    private boolean isFenced() {
        return write.ledView().isPresent() || write.proof().isPresent();
    }

    private CompletableFuture<Result> rejectFence() {
        return reject(write.proof()
                .map(proof -> "The " + proof.value() + ", which proves the fence, has been written in the meantime.")
                .orElseGet(() -> "The leadership in view " + write.ledView().getAsLong()
                        + " is over: it lasts until the next view exists."));
    }

    private CompletableFuture<Result> reject(String why) {
        return CompletableFuture.completedFuture(new Result(Outcome.rejected(why), Optional.empty()));
    }
}
