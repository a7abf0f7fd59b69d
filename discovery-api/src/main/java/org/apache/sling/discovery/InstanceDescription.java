// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One instance as a topology view shows it. Made by the discovery service, not implemented by applications.
 *
 * <p>Never changes: a change of the instance makes a new object in a new view. Each method gives the same answer each time,
 * none blocks, all are safe for use by any thread.
 */
@ProviderType
public interface InstanceDescription {

    /** Name of the property that holds a short display name of the instance. By convention; may be absent. */
    String PROPERTY_NAME = "org.apache.sling.instance.name";

    /** Name of the property that holds a description of the instance for display. By convention; may be absent. */
    String PROPERTY_DESCRIPTION = "org.apache.sling.instance.description";

    /**
     * Name of the property that lists the URLs at which the instance can be reached, separated by commas. By convention; may
     * be absent.
     */
    String PROPERTY_ENDPOINTS = "org.apache.sling.instance.endpoints";

    /**
     * Returns the cluster of the instance. An instance that is alone is a cluster of one.
     *
     * @return the cluster, of the same topology view, never null
     */
    ClusterView getClusterView();

    /**
     * Tells whether the instance leads its cluster. True for exactly one member of each cluster, so also for one that is alone.
     *
     * @return true if the instance is the {@linkplain ClusterView#getLeader() leader}; to act on it for the local instance,
     *     ask also whether the view {@linkplain TopologyView#isCurrent() is current}
     */
    boolean isLeader();

    /**
     * Tells whether the instance runs in this VM. True for exactly one instance of a topology view.
     *
     * @return true if the instance is this one
     */
    boolean isLocal();

    /**
     * Returns the id of the instance, which outlives its restarts.
     *
     * @return unique within the topology view, never null, never empty
     */
    String getSlingId();

    /**
     * Returns the value of a property. How soon a change of a remote property shows here is not promised.
     *
     * @param name name of a property that a {@link PropertyProvider} of that instance offers
     * @return the value, or null if the instance has no such property
     */
    String getProperty(String name);

    /**
     * Returns all properties of the instance.
     *
     * @return values by name, unmodifiable, never null, maybe empty
     */
    Map<String, String> getProperties();
}
