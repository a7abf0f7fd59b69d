// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import java.net.InetAddress;
import java.util.Optional;

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
     * Sends a request. Without a usable connection it gets an unknown outcome immediately. Requests reach the store in the order of
     * the calls.
     */
    void request(Request request);

    /**
     * Sets whether snapshots include the acknowledgements. Only coordinators need them, so that an acknowledgement is sent to
     * one instance and not to all.
     */
    void collect(boolean acknowledgements);

    /**
     * Returns the local address of the last connection, known when {@link StoreObserver#connected} is called; empty by default.
     */
    default Optional<InetAddress> localAddress() {
        return Optional.empty();
    }

    /** Returns what members share besides their records. By default nothing is shared. */
    default AnnouncementBoard board() {
        return new AnnouncementBoard() {};
    }

    /** Returns the data that members share for applications. By default there is none. */
    default DataStore data() {
        return new DataStore() {};
    }

    /** Returns the inspector that reads this store for display. By default all its readings fail. */
    default StoreInspector inspector() {
        return new StoreInspector() {};
    }

    /**
     * Ends the session, so that everything this instance owned in the store is removed immediately, and frees all resources. Waits
     * a bounded time for the store. No call to the observer starts after it has returned. Closing twice does nothing.
     */
    @Override
    void close();
}
