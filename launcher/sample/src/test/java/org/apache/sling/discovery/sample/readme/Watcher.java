// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample.readme;

import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.osgi.service.component.annotations.Component;

@Component
public class Watcher implements TopologyEventListener {
    private volatile boolean leader;

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        switch (event.getType()) {
            case TOPOLOGY_INIT, TOPOLOGY_CHANGED -> {
                leader = event.getNewView().getLocalInstance().isLeader();
            }
            case TOPOLOGY_CHANGING -> leader = false; // there is no view until TOPOLOGY_CHANGED
            default -> {} // PROPERTIES_CHANGED
        }
    }

    public boolean isLeader() {
        return leader;
    }
}
