// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.spi;

import java.util.Map;
import org.apache.sling.discovery.commons.model.Bytes;

/**
 * The store of one cluster: the connection of one instance to a store with sessions, ephemeral nodes and compare-and-set. No
 * method blocks on the network, except {@link #close}; all results come through the observer. All methods may be called from
 * any thread, and from within a call to the observer.
 *
 * <p>A store that never becomes reachable is a normal state: it keeps trying, says so through {@link StoreObserver#troubled},
 * and recovers on its own once the reason is gone.
 */
public interface ClusterStore extends AutoCloseable {

    /**
     * Starts connecting: until {@link #close}, lost connections and ended sessions are replaced. To be called once.
     *
     * @throws IllegalStateException when called twice or after close
     */
    void open(StoreObserver observer);

    /**
     * Sends a request. Without a usable connection it gets an unknown outcome at once. Requests reach the store in the order of
     * the calls.
     */
    void request(Request request);

    /**
     * Sets whether snapshots include the acknowledgements. Only coordinators need them, so that an acknowledgement is sent to
     * one instance and not to all.
     */
    void collect(boolean acknowledgements);

    /**
     * Sets what this instance shares with the other instances besides its record: announcements that it heard through connectors. They
     * are in the store as long as a session of this instance lasts, and are written again when another one begins. What is shared
     * already with the same content is not written again. A store without this feature, which is the default, keeps nothing.
     *
     * <p>An announcement that cannot be written is reported by {@link StoreObserver#troubled} and does not keep the others from being
     * shared. No membership decision waits for any of this.
     *
     * @param contents the announcements, encoded, by the ids of their owners; replaces what was set before. The store writes them as they
     *     are, at a bounded rate
     */
    default void share(Map<String, Bytes> contents) {}

    /** Returns the inspector that reads this store for display; the same object each time. By default all its readings fail. */
    default StoreInspector inspector() {
        return StoreInspector.NONE;
    }

    /**
     * Ends the session, so that everything this instance owned in the store is removed at once, and frees all resources. Waits
     * a bounded time for the store. No call to the observer starts after it has returned. Closing twice does nothing.
     */
    @Override
    void close();
}
