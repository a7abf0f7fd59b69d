// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Answers what the topology is now. An OSGi service, to be used and not implemented by applications. Safe for use by any
 * thread.
 *
 * <p>An application that must act on changes registers a {@link TopologyEventListener} and does not poll this service.
 */
@ProviderType
public interface DiscoveryService {

    /**
     * Returns the topology as this instance knows it. Never blocks: no input or output, no lock, no waiting for listeners. So
     * it may be called by any thread at any time, also by a listener while it handles an event.
     *
     * <ul>
     *   <li>While the topology is settled: the established view. It is current, and it is the object that the last event
     *       delivered or is about to deliver.
     *   <li>While a change is being settled, which is from the moment it is noticed until the new view is established: the last
     *       established view, no longer current. The change never shows early, in a view that claims to be current, while the
     *       last event of the listeners is {@link TopologyEvent.Type#TOPOLOGY_CHANGING}.
     *   <li>While this instance is cut off, or after the service has stopped: the last established view, not current.
     *   <li>Before the first view is established: a view of the local instance alone, not current.
     * </ul>
     *
     * @return the view, never null; ask {@link TopologyView#isCurrent()} before relying on it
     */
    TopologyView getTopology();
}
