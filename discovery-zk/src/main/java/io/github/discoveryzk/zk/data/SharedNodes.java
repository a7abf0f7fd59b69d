// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.data;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.spi.DataStore.Content;
import io.github.discoveryzk.spi.DataStore.Result;
import io.github.discoveryzk.spi.DataStore.Stored;
import io.github.discoveryzk.spi.DataStore.Write;
import io.github.discoveryzk.zk.cache.ClusterCache;
import io.github.discoveryzk.zk.cache.ObserverNotifier;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.follow.Turns;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;

/** The shared data of the local cluster. Confined to the store's thread. */
public final class SharedNodes {
    private final Paths paths;
    private final StoreThread thread;
    private final Map<DataAddress, Follower> followers = new LinkedHashMap<>();

    /** Null before the first connection. */
    private ObserverNotifier notifier;

    /** Null without a usable connection. */
    private Round round;

    public SharedNodes(Paths paths, StoreThread thread) {
        this.paths = paths;
        this.thread = thread;
    }

    /** What belongs to one connection. */
    private record Round(ClusterCache cache, Turns turns, DataWriter writer) {}

    /** Has an observer notified of an address from now on, or from the next connection on. */
    public void follow(DataAddress address, Consumer<Content> observer) {
        Follower follower =
                new Follower(address, paths.data(address), thread, content -> notifier.notifyData(observer, content));
        followers.put(address, follower);
        if (round != null) {
            follower.start(round.cache.session(), round.turns);
        }
    }

    /** Starts over on a new connection, on which the cluster has been read. */
    public void start(ClusterCache cache, ObserverNotifier used) {
        notifier = used;
        round = new Round(cache, new Turns(), new DataWriter(paths, cache, thread, followers::get));
        followers.values().forEach(follower -> follower.start(cache.session(), round.turns));
    }

    /** Discards what is in progress: the connection is lost. */
    public void stop() {
        if (round != null) {
            round.writer.end();
            round = null;
            followers.values().forEach(Follower::suspend);
        }
    }

    /** Reads an entry over the present connection, in turn with what is followed. */
    public CompletableFuture<Optional<Stored>> read(DataAddress address, String key) {
        String path = paths.data(address, key);
        Session session = round.cache.session();
        return round.turns
                .take(() -> session.read(path))
                .thenApply(found -> Optional.of(Node.of(path, found))
                        .filter(node -> address.map() || !node.isEmpty())
                        .map(Node::stored))
                .exceptionallyCompose(
                        Failure.on(Code.NONODE, () -> CompletableFuture.completedFuture(Optional.empty())));
    }

    /** Carries out a write over the present connection, after those before; {@code data} is what it stores. */
    public CompletableFuture<Result> write(Write write, byte[] data) {
        return round.writer.write(write, data);
    }
}
