// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.spi;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.sling.discovery.commons.model.HistoryReading;
import org.apache.sling.discovery.commons.report.StoreTree;

/**
 * Where the members of one cluster meet: the connection of one instance to a store with sessions, ephemeral nodes and
 * compare-and-set. No method blocks on the network, except {@link #close}; all results come through the observer. All
 * methods may be called from any thread, and from within a call to the observer.
 *
 * <p>A store that never becomes reachable is a normal state: it keeps trying, says so through
 * {@link StoreObserver#troubled}, and needs nobody's help once the reason has gone.
 */
public interface ClusterStore extends AutoCloseable {

    /** How many nodes {@link #readTree} reads at most. */
    int TREE_LIMIT = 2_000;

    /**
     * Starts connecting, for good: lost connections and ended sessions are replaced until {@link #close}. To be called once.
     *
     * @throws IllegalStateException when called twice or after close
     */
    void open(StoreObserver observer);

    /**
     * Sends a request. Without a usable connection it is replied at once with unknown outcome. Requests reach the store in
     * the order of the calls.
     */
    void request(Request request);

    /**
     * Says whether snapshots shall include the acknowledgements. Only coordinators want them, so that an acknowledgement is
     * told to one instance and not to all.
     */
    void collect(boolean acknowledgements);

    /**
     * Reads the history of views, for people: nobody decides anything by it, and it takes no part in the order in which the
     * observer is told. Entries that cannot be read hide no others. Nothing is read unless this is called.
     *
     * @param known the numbers of views whose entries are not wanted, because the caller has them
     * @return completes on a thread of the store, so that what follows must be quick; exceptionally, with a message for people,
     *     without a usable connection or when it is lost meanwhile, when access is denied, and when the store is closed
     */
    default CompletionStage<HistoryReading> readHistory(Set<Long> known) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("this store does not show its history"));
    }

    /**
     * Reads all that lies in the store under the root of the product, other clusters included, for people: nobody decides
     * anything by it. Changes nothing and leaves no watches behind. Values of properties that are secrets are masked. At most
     * {@value #TREE_LIMIT} nodes are read. The time of reading is the caller's business.
     *
     * @return completes on a thread of the store, so that what follows must be quick; exceptionally, with a message for people,
     *     without a usable connection or when it is lost meanwhile, when access is denied, and when the store is closed
     */
    default CompletionStage<StoreTree> readTree() {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("this store does not show what is in it"));
    }

    /**
     * Ends the session, so that everything this instance owned in the store is gone at once, and frees all resources. Waits a
     * bounded time for the store. No call to the observer starts after it returned. Closing twice does nothing.
     */
    @Override
    void close();
}
