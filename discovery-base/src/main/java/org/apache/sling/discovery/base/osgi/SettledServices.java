// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.DiscoveryInstance;
import org.apache.sling.discovery.base.osgi.SettledService.Offer;
import org.apache.sling.discovery.commons.leader.LeaderLease;
import org.apache.sling.discovery.commons.leader.ViewNumber;
import org.osgi.framework.BundleContext;

/**
 * The services that let components take part in the settling of a change by a mandatory reference alone: the lease while this
 * instance leads, and a condition while the topology is settled.
 */
final class SettledServices implements AutoCloseable {

    private static final String CONDITION = "org.osgi.service.condition.Condition";

    private final List<SettledService> services = new ArrayList<>();

    SettledServices(BundleContext context) {
        services.add(new SettledService(
                context,
                "leader marker, which deactivates the components that reference the service LeaderLease",
                SettledServices::lease));
        if (isKnown(CONDITION, context)) {
            services.add(new SettledService(
                    context,
                    "settled marker, which deactivates the components that reference the condition "
                            + SettledCondition.ID,
                    view -> Optional.of(SettledCondition.offer())));
        }
    }

    /** A framework older than release 8 need not have the package. */
    private static boolean isKnown(String type, BundleContext context) {
        try {
            context.getBundle().loadClass(type);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static Optional<Offer> lease(TopologyView view) {
        // If the lease is over already, CHANGING follows immediately.
        return LeaderLease.of(view)
                .filter(LeaderLease::isHeld)
                .map(lease -> new Offer(
                        LeaderLease.class.getName(),
                        lease,
                        Map.of(
                                LeaderLease.TOKEN,
                                lease.token(),
                                LeaderLease.VIEW,
                                ViewNumber.of(view).orElseThrow())));
    }

    void addTo(DiscoveryInstance instance) {
        all().forEach(service -> instance.addOwnClusterListener(service, service::name));
    }

    List<SettledService> all() {
        return List.copyOf(services);
    }

    @Override
    public void close() {
        services.forEach(SettledService::close);
    }
}
