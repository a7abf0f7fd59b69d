// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import org.osgi.annotation.versioning.ProviderType;

/**
 * What people can do about the cluster. Offered as an OSGi service by the discovery bundle, for consoles and shells. Each act is
 * kept in the history of views, with who did it. The methods return at once, with a sentence that says what happens now or why
 * nothing does; they may be called from any thread.
 */
@ProviderType
public interface Operator {

    /** Has this instance give up its place in the order, and the lead if it has it; it comes back at the end. */
    String standDown();

    /**
     * Removes another instance from the cluster: one that hangs, or the node of a process that has died and whose session lives on.
     * If its process lives, it comes back at the end of the order. Should it have been the leader, the next leader is not current
     * before its lease is over.
     *
     * @param instanceIdOrNode its instance id, or the name of its member node where two have one id
     */
    String evict(String instanceIdOrNode);
}
