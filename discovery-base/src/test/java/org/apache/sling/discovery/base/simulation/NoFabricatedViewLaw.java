// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import org.apache.sling.discovery.TopologyView;

/** L8: every view that is shown was published. */
final class NoFabricatedViewLaw {

    private final Publications published;

    NoFabricatedViewLaw(Publications published) {
        this.published = published;
    }

    void checkView(SimulatedInstance instance, TopologyView view) {
        if (published.view(Publications.number(view)).isEmpty()) {
            throw new LawBroken("L8 No fabricated view", instance + " shows " + view + ", which was never published");
        }
    }
}
