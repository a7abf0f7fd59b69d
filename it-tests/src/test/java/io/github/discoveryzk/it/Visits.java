// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.outside.Limit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** An instance that joins a cluster, changes its properties and leaves, again and again, on a thread of its own. */
final class Visits implements AutoCloseable {

    private final Supplier<PlainInstance> guests;
    private volatile boolean going;
    private CompletableFuture<Void> visits = CompletableFuture.completedFuture(null);

    Visits(Supplier<PlainInstance> guests) {
        this.guests = guests;
    }

    void begin() {
        going = true;
        visits = CompletableFuture.runAsync(this::visit, task -> new Thread(task, "visits").start());
    }

    private void visit() {
        while (going) {
            try (PlainInstance guest = guests.get().join()) {
                guest.offer("visit", guest.members().toString());
            }
        }
    }

    /** Fails if a guest could not join: then no further one comes. */
    void assertGoing() {
        if (visits.isDone()) {
            visits.join();
        }
    }

    /** Waits until the last guest has left; fails if one could not join. */
    void end() {
        going = false;
        visits.orTimeout(Limit.millis(), TimeUnit.MILLISECONDS).join();
    }

    @Override
    public void close() {
        going = false;
    }
}
