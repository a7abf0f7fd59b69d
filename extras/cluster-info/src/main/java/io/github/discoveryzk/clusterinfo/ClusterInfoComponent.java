// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.clusterinfo;

import java.util.Hashtable;
import org.apache.sling.discovery.TopologyEventListener;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Registers the listener and the property provider of this bundle, for any implementation of the discovery service. */
@Component(
        service = {},
        immediate = true)
public final class ClusterInfoComponent {

    private final OwnNode own;
    private final NodeServices nodes;
    private final ServiceRegistration<TopologyEventListener> listener;

    @Activate
    public ClusterInfoComponent(BundleContext context) throws InvalidSyntaxException {
        own = new OwnNode(context);
        nodes = new NodeServices(context);
        listener = context.registerService(TopologyEventListener.class, nodes, new Hashtable<>());
    }

    @Deactivate
    void deactivate() {
        listener.unregister();
        nodes.close();
        own.close();
    }
}
