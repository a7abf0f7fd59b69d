// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Selects instances, see {@link TopologyView#findInstances(InstanceFilter)}. Implemented by applications. Called only by the
 * thread that hands the filter over, and only during that call.
 */
@ConsumerType
public interface InstanceFilter {

    /**
     * Decides on one instance.
     *
     * @param instance never null
     * @return true to select the instance
     */
    boolean accept(InstanceDescription instance);
}
