// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.inspect;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Outcomes;

/** What people wait for to be read: each ends, whatever becomes of the connection. May be used by any thread. */
public final class PendingReads {
    private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();

    /** Returns what is to be told; {@link #start} or {@link #end} ends it. */
    public <T> CompletableFuture<T> add() {
        CompletableFuture<T> result = new CompletableFuture<>();
        pending.add(result);
        result.whenComplete((read, thrown) -> pending.remove(result));
        return result;
    }

    /**
     * Begins to read.
     *
     * @param usable whether the store can be asked
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
                fail(result, Outcomes.of(Failure.of(thrown)).detail());
            }
        });
    }

    /** Ends all: nothing comes back any more. */
    public void failAll(String why) {
        pending.forEach(result -> fail(result, why));
    }

    private static void fail(CompletableFuture<?> result, String why) {
        result.completeExceptionally(new IOException(why));
    }
}
