// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.TopologyEventListener;

/**
 * The calls that listeners have not returned from: at most one for each listener object, however often it was removed and added
 * in the meantime. Discovery services that follow one another in a container share one of these, because a listener may still be
 * busy with an event of a service that has ended. A listener is kept only as long as it is being called. Thread-safe.
 */
public final class RunningCalls {

    private static final RunningCalls OF_THIS_CONTAINER = new RunningCalls();

    private final Map<TopologyEventListener, Call> calls = new IdentityHashMap<>();

    /**
     * Returns those that all discovery services of a container share, one after the other. Two services at one time that share
     * listener objects need their own.
     */
    public static RunningCalls ofThisContainer() {
        return OF_THIS_CONTAINER;
    }

    /**
     * Takes up a call if the listener is free.
     *
     * @return empty if it was, otherwise the call that must end first
     */
    synchronized Optional<Call> begin(TopologyEventListener listener, Call call) {
        return Optional.ofNullable(calls.putIfAbsent(listener, call));
    }

    /** Ends a call and then lets those go on who wait for its end. The caller must hold no lock. */
    void end(TopologyEventListener listener, Call call) {
        synchronized (this) {
            calls.remove(listener, call);
        }
        call.end().complete(null);
    }

    synchronized Optional<Call> of(TopologyEventListener listener) {
        return Optional.ofNullable(calls.get(listener));
    }
}
