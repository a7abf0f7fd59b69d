// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;

/**
 * One session with the store. Replies arrive on the store's thread, after the watch events that came before them. A future that fails has
 * a {@link Failure}.
 */
public interface Session {

    /** Returns the id of the session. */
    long id();

    /** Returns the timeout that the server has granted, which may differ from the requested one. */
    int sessionTimeoutMillis();

    /** Returns the number of the present connection. */
    int connectionNumber();

    /** Reports that a watch event shows the loss of the connection. */
    void reportDisconnect();

    /** Reads data and stat of a node. It fails with {@code NONODE} when there is none. */
    CompletableFuture<NodeData> read(String path);

    /** Returns the names of the children, in no particular order. */
    CompletableFuture<List<String>> list(String path);

    /** Reads the stat of a node. It fails with {@code NONODE} when there is none. */
    CompletableFuture<Stat> exists(String path);

    /** Creates a node without access restrictions and returns its path, with the suffix that the server appends in sequential modes. */
    CompletableFuture<String> create(String path, byte[] data, CreateMode mode);

    /** Replaces the data of a node that has this version; -1 stands for any version. */
    CompletableFuture<Stat> write(String path, byte[] data, int version);

    /** Deletes a node, whatever its version. */
    CompletableFuture<Void> delete(String path);

    /** Adds a watch. The watcher is called on ZooKeeper's event thread, not on the store's. */
    CompletableFuture<Void> watch(String path, Watcher watcher, AddWatchMode mode);

    /** Ends all watches on a path, at the server too: ending a single watcher would leave the server's. */
    CompletableFuture<Void> unwatch(String path);

    /** Writes or reads atomically, in one packet; one failure fails all operations. Reads and writes cannot be combined. */
    CompletableFuture<List<OpResult>> multi(List<Op> operations);

    /** Reads in one packet; an operation that fails has an error as its result. */
    CompletableFuture<List<OpResult>> readAll(List<Op> reads);

    /** Carries out all operations or none. */
    default CompletableFuture<Void> commit(List<Op> operations) {
        return multi(operations).thenAccept(results -> {});
    }

    /** Returns an empty collection of reads that will be sent in one packet. */
    default MultiRead multiRead() {
        return new MultiRead(this);
    }
}
