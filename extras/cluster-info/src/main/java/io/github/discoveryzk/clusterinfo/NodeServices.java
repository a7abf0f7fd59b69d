// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.clusterinfo;

import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.clusterinfo.NodeStatus;

/**
 * A service for each member of the local cluster, registered as long as the topology is settled. An ordinary listener, so that a change
 * waits until all services are unregistered and their users have let them go: no service shows a view that has been acknowledged.
 *
 * <p>Events come one at a time; {@link #close} may be called by any thread meanwhile.
 */
final class NodeServices implements TopologyEventListener, AutoCloseable {

    private final BundleContext context;
    private final Map<String, Registered> nodes = new ConcurrentHashMap<>();
    private volatile boolean closed;

    NodeServices(BundleContext context) {
        this.context = context;
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        switch (event.getType()) {
            case TOPOLOGY_INIT, TOPOLOGY_CHANGED -> members(event.getNewView()).forEach(this::register);
            case PROPERTIES_CHANGED -> members(event.getNewView()).forEach(this::update);
            case TOPOLOGY_CHANGING -> unregister();
        }
    }

    private static List<InstanceDescription> members(TopologyView view) {
        return view.getLocalInstance().getClusterView().getInstances();
    }

    private void register(InstanceDescription member) {
        // A stopped bundle may not register a service.
        if (!closed) {
            ServiceRegistration<NodeStatus> made = context.registerService(
                    NodeStatus.class,
                    member.isLocal() ? new LocalNode() : names -> Map.of(),
                    new Hashtable<>(NodeProperties.of(member)));
            nodes.put(member.getSlingId(), new Registered(made, member.getProperties()));
        }
        // A concurrent close may have found nothing to unregister.
        if (closed) {
            unregister();
        }
    }

    private void update(InstanceDescription member) {
        nodes.computeIfPresent(member.getSlingId(), (id, known) -> known.with(member));
    }

    private void unregister() {
        nodes.keySet().forEach(id -> {
            Registered gone = nodes.remove(id);
            if (gone != null) {
                gone.unregister();
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        unregister();
    }

    private record Registered(ServiceRegistration<NodeStatus> registration, Map<String, String> said) {

        Registered with(InstanceDescription member) {
            if (said.equals(member.getProperties())) {
                return this;
            }
            registration.setProperties(new Hashtable<>(NodeProperties.of(member)));
            return new Registered(registration, member.getProperties());
        }

        void unregister() {
            try {
                registration.unregister();
            } catch (IllegalStateException e) {
                // The bundle was stopped and the framework has unregistered the service.
            }
        }
    }
}
