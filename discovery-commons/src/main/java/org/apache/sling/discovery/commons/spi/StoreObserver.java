// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.spi;

import org.apache.sling.discovery.commons.model.StoreSnapshot;

/**
 * Hears what happens in the store. Calls come one after the other, never two at once, and in the order in which the store
 * made them happen; in particular every change that the store knew of when it answered a request is {@link #observed}
 * before that request is {@link #replied}. The safety of leases and acknowledgements rests on this order. Implementations
 * only queue what they are told: they neither block nor throw.
 */
public interface StoreObserver {

    /**
     * There is a connection again. A snapshot read after this moment follows; nothing read before it counts any more. Requests
     * made before that snapshot is told may be replied with unknown outcome.
     *
     * @param session the id of the session; the same as before when the session outlived the interruption
     * @param sessionTimeoutMillis the timeout that the store granted
     */
    void connected(long session, int sessionTimeoutMillis);

    /** The store cannot be reached; the session may live on. Each request under way is replied with unknown outcome. */
    void suspended();

    /** The session is over and with it everything it owned. A new one is being sought without being asked to. */
    void expired();

    /** The cluster as it is now. Equal snapshots may be told more than once. */
    void observed(StoreSnapshot snapshot);

    /** A request has an outcome. Each request is replied exactly once, unless the store was closed. */
    void replied(Request request, Outcome outcome);

    /**
     * Something needs a human: the address cannot be resolved, the root belongs to somebody else, access is denied.
     *
     * @param sentence what is wrong, where, and what to do; an empty text when it is no longer so
     */
    void troubled(String sentence);
}
