// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.inspect;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.sling.discovery.zk.client.Failure;

/** The reads for display that have not ended. Each ends, even if the connection is lost. Thread-safe. */
public final class PendingReads {
    private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();

    /** Adds a read and returns its future result, which {@link #start} or {@link #failAll} completes. */
    public <T> CompletableFuture<T> add() {
        CompletableFuture<T> result = new CompletableFuture<>();
        pending.add(result);
        result.whenComplete((read, thrown) -> pending.remove(result));
        return result;
    }

    /**
     * Starts a read.
     *
     * @param usable whether the store can carry out requests
     */
    public <T> void start(CompletableFuture<T> result, boolean usable, Supplier<CompletableFuture<T>> reading) {
        if (!usable) {
            fail(result, "There is no usable connection to ZooKeeper.");
            return;
        }
        reading.get().whenComplete((read, thrown) -> {
            if (thrown == null) {
                result.complete(read);
            } else {
                fail(result, Failure.of(thrown).outcome().detail());
            }
        });
    }

    /** Fails all reads that have not ended. */
    public void failAll(String why) {
        pending.forEach(result -> fail(result, why));
    }

    private static void fail(CompletableFuture<?> result, String why) {
        result.completeExceptionally(new IOException(why));
    }
}
