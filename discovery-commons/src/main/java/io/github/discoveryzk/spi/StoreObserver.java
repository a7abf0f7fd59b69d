// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import io.github.discoveryzk.model.StoreSnapshot;

/**
 * Receives what happens in the store. Calls come one after the other, never two at the same time, in the order of the changes in the
 * store; in particular every change that the store knew of when it replied to a request is {@link #observed} before that request
 * is {@link #completed}. The safety of leases and acknowledgements rests on this order. Implementations only queue their input:
 * they neither block nor throw.
 */
public interface StoreObserver {

    /**
     * There is a connection again. A snapshot read after this moment follows; earlier snapshots no longer count. Requests
     * made before that snapshot is observed may get an unknown outcome.
     *
     * @param session the id of the session; the same as before when the session outlived the interruption
     * @param sessionTimeoutMillis the timeout that the store granted
     */
    void connected(long session, int sessionTimeoutMillis);

    /** The store cannot be reached; the session may live on. Each request in flight gets an unknown outcome. */
    void suspended();

    /** The session is over and with it everything it owned. The store opens a new one on its own. */
    void expired();

    /** The cluster as it is now, perhaps repeatedly. A record with a session timeout of more than a day is shown as unreadable. */
    void observed(StoreSnapshot snapshot);

    /** Each request gets exactly one outcome, unless the store was closed. */
    void completed(Request request, Outcome outcome);

    /**
     * A problem needs an operator: the address cannot be resolved, the root belongs to another application, access is denied.
     *
     * @param sentence what is wrong, where, and what to do; an empty text when the problem is solved
     */
    void troubled(String sentence);
}
