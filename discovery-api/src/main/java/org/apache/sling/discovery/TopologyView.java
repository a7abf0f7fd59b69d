// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery;

import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;

/**
 * All instances of all clusters at one moment. Made by the discovery service, not implemented by applications.
 *
 * <p>A view never changes, except that it stops being current. It stays readable for ever, may be kept, and is safe for use
 * by any thread; no method blocks. Ids of instances are unique within a view, and each instance belongs to exactly one
 * cluster, also one that is alone.
 *
 * <p>The contract says nothing about {@code equals}. What does hold: the old view of an event is the same object as the new
 * view of the previous event that had one.
 */
@ProviderType
public interface TopologyView {

    /**
     * Tells whether the topology still looks like this, as far as this instance knows. Evaluated at each call.
     *
     * <p>A view stops being current as soon as the instance knows of a change to it, before any listener is notified; or can no
     * longer rule out a change, because it was disconnected or its process was paused for too long; or when the discovery
     * service stops. Once false, the answer stays false: a later state, even one with the same members, is another view. The
     * one exception is a view that was replaced only because properties changed: it is current again when the properties have
     * changed back to what it shows, as long as there was no other change.
     *
     * <p>At no instant are two views current, on two instances of one cluster, that each name their own instance leader.
     *
     * @return true while the view is established and unchanged
     */
    boolean isCurrent();

    /**
     * Returns the instance that runs in this VM.
     *
     * @return one of {@link #getInstances()}, never null in the view of an event
     */
    InstanceDescription getLocalInstance();

    /**
     * Returns all instances of all clusters.
     *
     * @return unmodifiable, in no particular order, never null, never empty
     */
    Set<InstanceDescription> getInstances();

    /**
     * Returns the instances that a filter accepts. The filter is called in the calling thread, once for each instance in no
     * particular order; its exceptions are thrown to the caller.
     *
     * @param filter never null
     * @return in no particular order, never null, empty if none is accepted
     * @throws IllegalArgumentException if the filter is null
     */
    Set<InstanceDescription> findInstances(InstanceFilter filter);

    /**
     * Returns all clusters.
     *
     * @return unmodifiable, in no particular order, never null, never empty; holds the cluster of the local instance
     */
    Set<ClusterView> getClusterViews();
}
