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
    public <T> CompletableFuture<T> open() {
        CompletableFuture<T> told = new CompletableFuture<>();
        pending.add(told);
        told.whenComplete((read, thrown) -> pending.remove(told));
        return told;
    }

    /**
     * Begins to read.
     *
     * @param usable whether the store can be asked
     */
    public <T> void start(CompletableFuture<T> told, boolean usable, Supplier<CompletableFuture<T>> reading) {
        if (!usable) {
            fail(told, "There is no usable connection to ZooKeeper.");
            return;
        }
        reading.get().whenComplete((read, thrown) -> {
            if (thrown == null) {
                told.complete(read);
            } else {
                fail(told, Outcomes.of(Failure.of(thrown)).detail());
            }
        });
    }

    /** Ends all: nothing comes back any more. */
    public void end(String why) {
        pending.forEach(told -> fail(told, why));
    }

    private static void fail(CompletableFuture<?> told, String why) {
        told.completeExceptionally(new IOException(why));
    }
}
