// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One cluster of a topology view: its members in order of seniority, and its leader. Made by the discovery service, not
 * implemented by applications. Never changes, no method blocks, safe for use by any thread.
 */
@ProviderType
public interface ClusterView {

    /**
     * Returns the id of the cluster. It outlives restarts of each instance and of all of them. An instance that joins a
     * cluster takes the id of the cluster.
     *
     * <p>To tell clusters apart, compare their ids. Two clusters have the same id only if one was created from a copy of the
     * other's data; the discovery API does not promise that ids are unique within a topology.
     *
     * @return ASCII letters, digits, {@code -} and {@code _} only; never null, never empty
     */
    String getId();

    /**
     * Returns the members. A newcomer is last; members that stay only move up. So the order is the same on every instance that
     * has this view, and the order of two members never changes. A remote cluster whose own discovery uses another order is shown in
     * that order.
     *
     * @return unmodifiable, never null, never empty
     */
    List<InstanceDescription> getInstances();

    /**
     * Returns the leader, the one member whose {@link InstanceDescription#isLeader()} is true. It stays leader until it leaves,
     * steps down, or is lost. In the cluster of the local instance it is the first of {@link #getInstances()}.
     *
     * @return one of the members, never null
     * @throws IllegalStateException if this is a remote cluster whose announcement named no leader
     */
    InstanceDescription getLeader();
}
