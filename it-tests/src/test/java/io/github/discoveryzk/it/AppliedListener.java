// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;

/**
 * A component of an application in a bundle of its own: a listener and property provider that cannot be without the discovery
 * service. As a supplier it returns the types of its events.
 */
public class AppliedListener implements TopologyEventListener, PropertyProvider, Supplier<List<String>> {

    private final List<String> types = new CopyOnWriteArrayList<>();

    /** Called by the component runtime. */
    public void bind(DiscoveryService discovery) {
        types.clear();
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        types.add(event.getType().name());
    }

    @Override
    public String getProperty(String name) {
        return "value";
    }

    @Override
    public List<String> get() {
        return List.copyOf(types);
    }
}
