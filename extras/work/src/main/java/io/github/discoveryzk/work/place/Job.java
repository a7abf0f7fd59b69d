// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import io.github.discoveryzk.work.Worker;
import io.github.discoveryzk.work.rules.WorkKey;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A key between the decision to begin it and the return of {@code end}. Guarded by its agent. */
final class Job {

    final Offer offer;
    final HeldKey ownership;

    /** What runs of the worker, and since when by the monotonic clock. */
    volatile Call call = Call.BEGIN;

    volatile long calledAt;
    boolean named;

    /** Completes when it has ended. */
    final CompletableFuture<Void> ended = new CompletableFuture<>();

    /**
     * What a worker offers.
     *
     * @param name its display name, with its bundle
     * @param keys what it can handle
     */
    record Offer(Worker worker, Supplier<String> name, SortedSet<WorkKey> keys) {}

    enum Call {
        BEGIN,
        NONE,
        END
    }

    Job(Offer offer, HeldKey ownership, long now) {
        this.offer = offer;
        this.ownership = ownership;
        this.calledAt = now;
    }
}
