// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.spi;

/**
 * Where the members of one cluster meet: the connection of one instance to a store with sessions, ephemeral nodes and
 * compare-and-set. No method blocks on the network, except {@link #close}; all results come through the observer. All
 * methods may be called from any thread, and from within a call to the observer.
 *
 * <p>A store that never becomes reachable is a normal state: it keeps trying, says so through
 * {@link StoreObserver#troubled}, and needs nobody's help once the reason has gone.
 */
public interface ClusterStore extends AutoCloseable {

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

    /** Returns what reads this store for display; the same object each time. Without one, all readings fail. */
    default StoreInspector inspector() {
        return StoreInspector.NONE;
    }

    /**
     * Ends the session, so that everything this instance owned in the store is gone at once, and frees all resources. Waits a
     * bounded time for the store. No call to the observer starts after it returned. Closing twice does nothing.
     */
    @Override
    void close();
}
