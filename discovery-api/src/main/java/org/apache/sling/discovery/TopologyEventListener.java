// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Receives events on changes to the topology. An OSGi service that applications implement and register; it may come and go at
 * any time.
 *
 * <h2>Order</h2>
 *
 * From its registration on, each listener receives
 *
 * <pre>INIT (PROPERTIES_CHANGED | CHANGING CHANGED)*</pre>
 *
 * with the types of {@link TopologyEvent.Type}. It receives nothing before there is a settled view: a listener that is
 * registered while a change is being settled receives INIT with the resulting view, and neither CHANGING nor CHANGED for that
 * change. The sequence may stop after CHANGING, and stay there, while this instance is cut off or after discovery has stopped.
 * When discovery starts again, so does the sequence: with INIT.
 *
 * <p>The old view of an event is the same object as the new view of the last event that had one.
 *
 * <h2>Threads</h2>
 *
 * Each listener has its own queue. Its events come in order, never two at the same time, each visible to the next; not always by the
 * same thread. A slow listener delays no other listener, but it does delay settling: on every instance of the cluster, INIT and
 * CHANGED wait until the listeners of all members have returned from CHANGING, or until the settle timeout has passed and the
 * instance with the slow listener is excluded from the view. So return quickly, and take no lock that is held elsewhere for long.
 * A listener must stop its work as the leader, and all other work that relies on the old view, before it returns from CHANGING.
 *
 * <p>No call begins after the service has been unregistered.
 */
@ConsumerType
public interface TopologyEventListener {

    /**
     * Called for each event. An exception is logged and ignored: the call counts as returned, and the next event follows as
     * usual.
     *
     * @param event never null; ignore an unknown type
     */
    void handleTopologyEvent(TopologyEvent event);
}
