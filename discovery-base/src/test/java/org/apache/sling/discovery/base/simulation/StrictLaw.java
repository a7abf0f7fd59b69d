// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import org.apache.sling.discovery.TopologyView;

/** With the strict policy a view is void after the shortest loss of the connection. */
final class StrictLaw {

    /**
     * Checks after the decisions on a loss.
     *
     * @param view the view that was current when the connection was lost
     */
    void checkAfterLoss(SimulatedInstance instance, TopologyView view) {
        if (view.isCurrent()) {
            throw new LawBroken("Strict", instance + " acts on " + view + " after a loss of the connection");
        }
    }
}
