// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.inspect;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Reads many nodes, a few at a time, so that requests of the protocol do not wait for hundreds of reads. */
final class Batches {
    private static final int MAX_READS = 20;

    private Batches() {}

    /** Reads each item and returns the results in the order given; fails when one read fails. */
    static <T, R> CompletableFuture<List<R>> readAll(List<T> all, Function<T, CompletableFuture<R>> read) {
        return readFrom(0, all, read, new ArrayList<>());
    }

    private static <T, R> CompletableFuture<List<R>> readFrom(
            int start, List<T> all, Function<T, CompletableFuture<R>> read, List<R> results) {
        if (start >= all.size()) {
            return CompletableFuture.completedFuture(results);
        }
        int end = Math.min(all.size(), start + MAX_READS);
        List<CompletableFuture<R>> batch =
                all.subList(start, end).stream().map(read).toList();
        return CompletableFuture.allOf(batch.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            batch.forEach(one -> results.add(one.join()));
            return readFrom(end, all, read, results);
        });
    }
}
