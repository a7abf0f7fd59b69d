// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import io.github.discoveryzk.zk.client.MultiRead;
import io.github.discoveryzk.zk.client.StoreThread;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;

/**
 * Decides when the whole cluster is read. One full read runs at a time. A read that is requested in the meantime follows it,
 * and a read after a deletion is delayed.
 */
public final class FullReadSchedule {
    private static final long DELETED_MILLIS = 500;

    /** Which part of the session timeout a read after a reconnect is delayed at most: the lease goes on meanwhile. */
    private static final int PARTS_OF_TIMEOUT = 12;

    private static final int MILLIS_PER_MEMBER = 1;

    private final StoreThread thread;
    private final Runnable start;
    private boolean running;
    private boolean repeated;
    private boolean delayed;
    private int delays;
    private int members;
    private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

    /**
     * Creates a schedule without a read.
     *
     * @param start starts a full read, whose end {@link #end} reports
     */
    FullReadSchedule(StoreThread thread, Runnable start) {
        this.thread = thread;
        this.start = start;
    }

    /** Starts a full read, after the one that runs. */
    public void read() {
        if (running) {
            repeated = true;
            return;
        }
        running = true;
        start.run();
    }

    /** Sets how many members are to be read after the next connect. */
    void expect(int count) {
        members = count;
    }

    /**
     * Starts a full read after a connect. All instances connect again at the same time when a server has been restarted, and each reads
     * all others, so the reads of many are spread at random.
     *
     * @param random returns a random number from 0 to its argument, exclusively
     */
    void readAfterConnect(int sessionTimeoutMillis, LongUnaryOperator random) {
        long longest = longestDelay(members, sessionTimeoutMillis);
        if (longest > 0) {
            readIn(random.applyAsLong(longest));
        } else {
            read();
        }
    }

    /** Returns the longest delay of a read after a connect. There is none while the records fit into one packet. */
    static long longestDelay(int members, int sessionTimeoutMillis) {
        return members <= MultiRead.LIMIT
                ? 0
                : Math.min((long) members * MILLIS_PER_MEMBER, sessionTimeoutMillis / PARTS_OF_TIMEOUT);
    }

    /** Starts a full read after a while, because parts of the tree are gone; when one is due already, it is that. */
    public void readLater() {
        if (!delayed) {
            readIn(DELETED_MILLIS);
        }
    }

    /**
     * Starts a full read when nothing was deleted for a while. A client that deletes the tree deletes node by node; nodes that were
     * created in the meantime would obstruct it.
     */
    void readAfterDeletions() {
        readIn(DELETED_MILLIS);
    }

    /** Starts a full read after that time, and none that was due before. */
    void readIn(long millis) {
        delayed = true;
        int begun = ++delays;
        thread.schedule(millis, () -> {
            if (begun == delays) {
                delayed = false;
                read();
            }
        });
    }

    /**
     * Ends the full read that runs.
     *
     * @param consequence takes in what it has read; may request the next one
     */
    void end(Runnable consequence) {
        running = false;
        consequence.run();
        if (repeated) {
            repeated = false;
            read();
        } else if (!delayed) {
            idle.complete(null);
        }
    }

    /** Completes when no full read is due; never when {@link #cancel} comes first. */
    public CompletableFuture<Void> whenIdle() {
        if ((running || delayed) && idle.isDone()) {
            idle = new CompletableFuture<>();
        }
        return idle;
    }

    /** Discards the read that runs and those that are due. */
    void cancel() {
        running = false;
        repeated = false;
        delayed = false;
        delays++;
        idle = CompletableFuture.completedFuture(null);
    }
}
