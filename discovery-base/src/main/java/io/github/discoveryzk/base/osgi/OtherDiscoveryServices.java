// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.sling.discovery.DiscoveryService;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The discovery services of other bundles: Sling's own discovery that was left in the container, for example. Both call each
 * listener, with two topologies, so each is a problem as long as it is registered. Services that are wired to another copy of
 * the API count too. Their objects are never asked for.
 */
final class OtherDiscoveryServices
        implements ServiceTrackerCustomizer<DiscoveryService, ServiceReference<DiscoveryService>>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OtherDiscoveryServices.class);

    private final Bundle own;
    private final NavigableMap<ServiceReference<DiscoveryService>, String> bundles = new ConcurrentSkipListMap<>();
    private final ServiceTracker<DiscoveryService, ServiceReference<DiscoveryService>> tracker;

    OtherDiscoveryServices(BundleContext context) {
        own = context.getBundle();
        tracker = new ServiceTracker<>(context, DiscoveryService.class.getName(), this);
        tracker.open(true);
    }

    /** Returns a sentence for each service. */
    List<String> problems() {
        return bundles.values().stream().map(OtherDiscoveryServices::problem).toList();
    }

    private static String problem(String bundle) {
        return "bundle " + bundle + " registers a second discovery service: each listener is called by both, with two"
                + " different topologies; uninstall or stop that bundle. If swap-discovery.sh had removed it, start with"
                + " discovery-starter.json from now on";
    }

    @Override
    public ServiceReference<DiscoveryService> addingService(ServiceReference<DiscoveryService> reference) {
        Bundle bundle = reference.getBundle();
        if (bundle == null || bundle.equals(own)) {
            return null;
        }
        String name = bundle.getSymbolicName() + " " + bundle.getVersion() + " (" + bundle.getBundleId() + ")";
        bundles.put(reference, name);
        LOG.warn("{}", problem(name));
        return reference;
    }

    @Override
    public void modifiedService(ServiceReference<DiscoveryService> reference, ServiceReference<DiscoveryService> same) {
        // The bundle and the type of a service never change.
    }

    @Override
    public void removedService(ServiceReference<DiscoveryService> reference, ServiceReference<DiscoveryService> same) {
        String bundle = bundles.remove(reference);
        if (bundle != null) {
            LOG.info("The second discovery service, of bundle {}, is gone", bundle);
        }
    }

    @Override
    public void close() {
        bundles.clear();
        tracker.close();
    }
}
