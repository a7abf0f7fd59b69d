// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;

/**
 * One session with servers, that is one client handle of ZooKeeper. It uses the asynchronous API only, so that replies arrive after the
 * watch events that came before them. Replies are passed to the store's thread. A request that is sent over one connection and replied to
 * over the next fails with connection loss, because watch events may have been missed in between. A future that fails has a
 * {@link Failure}.
 */
public final class Session {
    private final Client zooKeeper;
    private final List<ACL> acl;
    private final Executor thread;
    private final BiConsumer<Session, Code> onReply;
    private final Consumer<Session> onDisconnect;
    private final Set<String> confirmedWatches = new HashSet<>();
    private final LargeWrites largeWrites = new LargeWrites();
    private int connection;
    private boolean connected;
    boolean isOfOldServer;

    /**
     * Creates a session.
     *
     * @param acl the ACL of each node that it creates
     * @param onReply accepts the code of each reply of a server over the present connection; it may end that connection
     * @param onDisconnect called when a watch event shows that the connection is lost
     */
    public Session(
            Client zooKeeper,
            List<ACL> acl,
            Executor thread,
            BiConsumer<Session, Code> onReply,
            Consumer<Session> onDisconnect) {
        this.zooKeeper = zooKeeper;
        // The client calls contains(null) on the list, which List.of does not support.
        this.acl = Collections.unmodifiableList(new ArrayList<>(acl));
        this.thread = thread;
        this.onReply = onReply;
        this.onDisconnect = onDisconnect;
    }

    /**
     * Returns a watcher that hands over changes of nodes to the store's thread. When the connection breaks while a watch is being removed,
     * the client reports the loss with the end of that watch only, and drops the session event as a repetition. So each watcher reports it.
     */
    public Watcher watcher(Consumer<WatchedEvent> changed) {
        return event -> thread.execute(() -> {
            if (event.getState() == KeeperState.Disconnected) {
                onDisconnect.accept(this);
            } else if (event.getType() != EventType.None) {
                changed.accept(event);
            }
        });
    }

    /** Returns the local address of the present connection. */
    public Optional<InetAddress> localAddress() {
        return zooKeeper.localAddress();
    }

    /** Ends the present connection: replies to requests that were sent over it do not count. */
    public void endConnection() {
        connection++;
        connected = false;
    }

    /** Begins a connection, and ends the one before. */
    void beginConnection() {
        connection++;
        connected = true;
    }

    boolean isConnected() {
        return connected;
    }

    /** Returns whether the session was begun by an earlier client. */
    boolean hasTakenOver() {
        return zooKeeper.takesOver();
    }

    /** Returns the number of the present connection. */
    public int connectionNumber() {
        return connection;
    }

    boolean isAlive() {
        return zooKeeper.getState().isAlive();
    }

    /** Returns the id of the session. */
    public long id() {
        return zooKeeper.getSessionId();
    }

    /** Returns what a client needs besides the id to take over the session. */
    byte[] password() {
        return zooKeeper.getSessionPasswd();
    }

    /** Makes the server catch up with all that was written before. */
    CompletableFuture<Void> sync(String path) {
        Pending<Void> reply = new Pending<>(path);
        return reply.send(() -> zooKeeper.sync(path, (rc, p, ctx) -> reply.complete(rc, null), null));
    }

    /** Returns the timeout that the server has granted, which may differ from the requested one. */
    public int sessionTimeoutMillis() {
        return zooKeeper.getSessionTimeout();
    }

    /** Reads data and stat of a node. It fails with {@code NONODE} when there is none. */
    public CompletableFuture<NodeData> read(String path) {
        Pending<NodeData> reply = new Pending<>(path);
        return reply.send(() -> zooKeeper.getData(
                path, false, (rc, p, ctx, data, stat) -> reply.complete(rc, new NodeData(data, stat)), null));
    }

    /** Returns the names of the children, in no particular order. */
    public CompletableFuture<List<String>> list(String path) {
        Pending<List<String>> reply = new Pending<>(path);
        return reply.send(
                () -> zooKeeper.getChildren(path, false, (rc, p, ctx, names) -> reply.complete(rc, names), null));
    }

    /** Reads the stat of a node. It fails with {@code NONODE} when there is none. */
    public CompletableFuture<Stat> exists(String path) {
        Pending<Stat> reply = new Pending<>(path);
        return reply.send(() -> zooKeeper.exists(path, false, (rc, p, ctx, stat) -> reply.complete(rc, stat), null));
    }

    /** Creates a node with the ACL of this session and returns its path, with the suffix that the server appends in sequential modes. */
    public CompletableFuture<String> create(String path, byte[] data, CreateMode mode) {
        Pending<String> reply = new Pending<>(path, data.length);
        return reply.send(
                () -> zooKeeper.create(path, data, acl, mode, (rc, p, ctx, name) -> reply.complete(rc, name), null));
    }

    /** Replaces the data of a node that has this version; -1 stands for any version. */
    public CompletableFuture<Stat> write(String path, byte[] data, int version) {
        Pending<Stat> reply = new Pending<>(path, data.length);
        return reply.send(
                () -> zooKeeper.setData(path, data, version, (rc, p, ctx, stat) -> reply.complete(rc, stat), null));
    }

    /** Deletes a node, whatever its version. */
    public CompletableFuture<Void> delete(String path) {
        Pending<Void> reply = new Pending<>(path);
        return reply.send(() -> zooKeeper.delete(path, -1, (rc, p, ctx) -> reply.complete(rc, null), null));
    }

    /** Reads the ACL and the stat of a node. The server requires the right to read it or to change its ACL. */
    public CompletableFuture<NodeRights> readRights(String path) {
        Pending<NodeRights> reply = new Pending<>(path);
        return reply.send(() -> zooKeeper.getACL(
                path, null, (rc, p, ctx, found, stat) -> reply.complete(rc, new NodeRights(found, stat)), null));
    }

    /** Sets the ACL of a node to that of a new one. */
    public CompletableFuture<Void> resetRights(String path) {
        Pending<Void> reply = new Pending<>(path);
        return reply.send(() -> zooKeeper.setACL(path, acl, -1, (rc, p, ctx, stat) -> reply.complete(rc, null), null));
    }

    /**
     * Returns the identities by which the server knows this session, as ACLs name them. Servers before 3.7 do not know the request and
     * disconnect, so it is not sent again, nor by the next session; there are none then.
     */
    public CompletableFuture<List<Id>> identities() {
        if (isOfOldServer) {
            return CompletableFuture.completedFuture(List.of());
        }
        Pending<List<Id>> reply = new Pending<>("the identities of this session");
        return reply.send(() -> zooKeeper.readIdentities(reply::complete))
                .exceptionallyCompose(Failure.on(Code.UNIMPLEMENTED, () -> {
                    isOfOldServer = true;
                    return identities();
                }));
    }

    /** Adds a watch. The watcher is called on ZooKeeper's event thread, not on the store's. */
    public CompletableFuture<Void> watch(String path, Watcher watcher, AddWatchMode mode) {
        Pending<Void> reply = new Pending<>(path);
        return reply.send(
                () -> zooKeeper.addWatch(path, watcher, mode, (rc, p, ctx) -> reply.complete(rc, null), null));
    }

    /** Adds a watch, unless the server has confirmed it before: the client renews it at each reconnect. */
    public void watchOnce(String path, AddWatchMode mode, Consumer<WatchedEvent> changed) {
        if (!confirmedWatches.contains(path)) {
            watch(path, watcher(changed), mode).thenRun(() -> confirmedWatches.add(path));
        }
    }

    /** Ends all watches on a path, at the server too: ending a single watcher would leave the server's. A failure does no harm. */
    public CompletableFuture<Void> unwatch(String path) {
        confirmedWatches.remove(path);
        Pending<Void> reply = new Pending<>(path);
        return reply.send(() -> zooKeeper.removeAllWatches(
                        path, WatcherType.Any, true, (rc, p, ctx) -> reply.complete(rc, null), null))
                .exceptionally(thrown -> null);
    }

    /** Returns the creation of a node with the ACL of this session. */
    public Op creation(String path, byte[] data, CreateMode mode) {
        return Op.create(path, data, acl, mode);
    }

    /** Carries out all operations or none. */
    public CompletableFuture<Void> commit(List<Op> operations) {
        return commit(operations, 0).thenApply(results -> null);
    }

    /** Carries out all operations, which have so many bytes of data, or none. Returns their results in the same order. */
    public CompletableFuture<List<OpResult>> commit(List<Op> operations, int bytes) {
        Pending<List<OpResult>> reply = new Pending<>("a transaction", bytes);
        return reply.send(() -> zooKeeper.multi(
                operations,
                (rc, p, ctx, results) -> reply.end(results, Failure.ofTransaction(operations, rc, results)),
                null));
    }

    /** Reads in one packet; an operation that fails has an error as its result. */
    CompletableFuture<List<OpResult>> readAll(List<Op> reads) {
        Pending<List<OpResult>> reply = new Pending<>("reads");
        // The client reports the error of the first read that failed as that of the packet, but has the results of all.
        return reply.send(() -> zooKeeper.multi(
                reads,
                (rc, p, ctx, results) -> reply.complete(results == null ? rc : Code.OK.intValue(), results),
                null));
    }

    /** A request that waits for its reply. */
    private final class Pending<T> {
        private final CompletableFuture<T> future = new CompletableFuture<>();
        private final int sentOver = connection;
        private final String path;
        private final int bytes;

        private Pending(String path) {
            this(path, 0);
        }

        private Pending(String path, int bytes) {
            this.path = path;
            this.bytes = bytes;
        }

        private CompletableFuture<T> send(Runnable request) {
            if (largeWrites.refuse(bytes)) {
                future.completeExceptionally(new Failure(Code.MARSHALLINGERROR, bytes + " bytes to " + path));
            } else {
                request.run();
            }
            return future;
        }

        private void complete(int rc, T value) {
            end(value, new Failure(Code.get(rc), path));
        }

        private void end(T value, Failure result) {
            thread.execute(() -> {
                largeWrites.end(bytes, sentOver != connection || result.isUnknown());
                if (sentOver == connection && !result.isUnknown()) {
                    onReply.accept(Session.this, result.code());
                }
                if (sentOver != connection) {
                    future.completeExceptionally(new Failure(Code.CONNECTIONLOSS, path));
                } else if (result.is(Code.OK)) {
                    future.complete(value);
                } else {
                    future.completeExceptionally(result);
                }
            });
        }
    }
}
