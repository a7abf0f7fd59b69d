// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.HistoryReading;
import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.report.StoreTree;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads a store for display: no decision depends on it, and it has no part in the order of the calls to the
 * {@link StoreObserver}. By default all readings fail. All methods may be called from any thread. They do not block and set no watches; only
 * {@link #checkAccess} changes something.
 *
 * <p>A reading completes on a thread of the store, so dependent stages must be quick. It completes exceptionally, with a
 * message for display, if there is no usable connection, the connection is lost meanwhile, access is denied, or the store is
 * closed.
 */
public interface StoreInspector {

    /** How many nodes {@link #readTree} reads at most. */
    int TREE_LIMIT = 2_000;

    /**
     * Reads the history of views. An entry that cannot be read does not hide the others.
     *
     * @param known the numbers of views whose entries the caller has already; they are not read
     */
    default CompletionStage<HistoryReading> readHistory(Set<Long> known) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("this store does not show its history"));
    }

    /**
     * Reads the acknowledgements that are in the store. They may belong to earlier views, or to member nodes that are gone; names that
     * are not those of acknowledgements are omitted.
     */
    default CompletionStage<Set<Acknowledgement>> readAcknowledgements() {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("this store does not show its acknowledgements"));
    }

    /**
     * Reads everything in the store under the root of the product, other clusters included. Values of properties that are secrets are
     * masked. At most {@value #TREE_LIMIT} nodes are read. The reading has no time limit: the caller sets one.
     */
    default CompletionStage<StoreTree> readTree() {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("this store does not show what is in it"));
    }

    /**
     * Returns how the rights to the nodes that each instance uses compared with the configured ones when the store checked them last, which
     * it does after each connect. Does no I/O; empty before the first check, or if the store has no access rights.
     */
    default Optional<StoreAccess> access() {
        return Optional.empty();
    }

    /**
     * Compares the rights to all nodes under the root of the product with the configured ones. There is no limit to the number of nodes,
     * of which a few are read at a time, and no time limit.
     *
     * @param repair whether nodes with other rights get the configured ones
     */
    default CompletionStage<StoreAccess> checkAccess(boolean repair) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("this store has no access rights"));
    }
}
