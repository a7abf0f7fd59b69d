// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import java.util.IdentityHashMap;
import java.util.Optional;
import org.apache.sling.discovery.TopologyEventListener;

/**
 * The calls from which listeners have not returned: at most one for each listener object, even if it was removed and added in
 * the meantime. Successive discovery services of a container share one such object, because a listener may still be busy with
 * an event of a service that has ended. A listener is referenced only while it is being called. Thread-safe.
 */
public final class RunningCalls {

    private static final RunningCalls OF_THIS_CONTAINER = new RunningCalls();

    private final IdentityHashMap<TopologyEventListener, Call> calls = new IdentityHashMap<>();

    /**
     * Returns the object that successive discovery services of a container share. Two services that share listener objects at
     * the same time need their own.
     */
    public static RunningCalls ofThisContainer() {
        return OF_THIS_CONTAINER;
    }

    /**
     * Registers a call if the listener is free.
     *
     * @return empty if it was free, otherwise the call that must end first
     */
    synchronized Optional<Call> begin(TopologyEventListener listener, Call call) {
        return Optional.ofNullable(calls.putIfAbsent(listener, call));
    }

    /** Ends a call, then resumes the subscriptions that wait for its end. The caller must hold no lock. */
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
