// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.data;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.spi.DataStore.Result;
import io.github.discoveryzk.spi.DataStore.Write;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.zk.cache.ClusterCache;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.follow.Turns;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Writes shared data over one connection at a bounded rate: one write of an entry after the other, and a bounded number of writes of different
 * entries at a time.
 */
final class DataWriter {
    /** As many as keep the connection busy. */
    private static final int LANES = 256;

    /** The replies to a lease share the connection, and the servers have to keep up. */
    private static final int MAX_BYTES_PER_MILLI = 1_000;

    final Paths paths;
    final ClusterCache cache;
    final Session session;
    private final StoreThread thread;
    private final Function<DataAddress, Follower> followers;
    private final List<Turns> lanes = Stream.generate(Turns::new).limit(LANES).toList();

    /** Completes when the bytes written so far may have been written. */
    private CompletableFuture<?> paid = CompletableFuture.completedFuture(null);

    private boolean ended;

    /**
     * Creates a writer for the present connection.
     *
     * @param followers returns the follower of an address, or null if none follows it
     */
    DataWriter(Paths paths, ClusterCache cache, StoreThread thread, Function<DataAddress, Follower> followers) {
        this.paths = paths;
        this.cache = cache;
        this.session = cache.session();
        this.thread = thread;
        this.followers = followers;
    }

    /** Sends nothing more: the connection is lost. */
    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Returns the follower of an address, if there is one. */
    Optional<Follower> follower(DataAddress address) {
        return Optional.ofNullable(followers.apply(address));
    }

    CompletableFuture<Result> write(Write write, byte[] data) {
        Attempts attempts = new Attempts(this, write, data);
        return lanes.get(Math.floorMod(attempts.path.hashCode(), LANES))
                .take(() -> pay(data.length).thenCompose(done -> attempts.begin()))
                .exceptionally(thrown -> new Result(outcome(Failure.of(thrown)), Optional.empty()));
    }

    /** Completes when the bytes of all writes before may have been written. */
    private CompletableFuture<?> pay(int bytes) {
        CompletableFuture<?> before = paid;
        long pause = bytes / MAX_BYTES_PER_MILLI;
        if (pause > 0) {
            paid = before.thenCompose(done -> pause(pause));
        }
        return before;
    }

    private CompletableFuture<Void> pause(long millis) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        thread.schedule(millis, () -> over.complete(null));
        return over;
    }

    /** A write that found nothing to compare with is not overtaken, and after an unexpected failure it may have taken effect. */
    private static Outcome outcome(Failure failure) {
        Outcome outcome = failure.outcome();
        if (failure.is(Code.SYSTEMERROR)) {
            return Outcome.unknown(outcome.detail());
        }
        return outcome.status() == Outcome.Status.OVERTAKEN ? Outcome.rejected(outcome.detail()) : outcome;
    }
}
