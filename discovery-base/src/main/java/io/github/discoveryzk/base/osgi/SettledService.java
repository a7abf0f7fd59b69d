// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.leader.ViewNumber;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

/**
 * A service that is registered as long as the topology is settled. It is an ordinary listener, so the change that removes it
 * waits until unregistering it has returned: that is, until the components with a mandatory reference to it are deactivated.
 *
 * <p>Events come one at a time; {@link #close} and {@link #name} may be called by any thread meanwhile.
 */
final class SettledService implements TopologyEventListener, AutoCloseable {

    private static final String CONDITION = "org.osgi.service.condition.Condition";

    private final BundleContext context;
    private final String label;
    private final Function<TopologyView, Optional<Offer>> offers;
    private final AtomicReference<ServiceRegistration<?>> registration = new AtomicReference<>();
    private volatile Optional<ServiceReference<?>> reference = Optional.empty();
    private volatile boolean closed;

    /**
     * Creates a service that is not registered yet.
     *
     * @param label its display name, with the meaning of a call that does not return
     * @param offers what to register while a view is current; empty for nothing
     */
    SettledService(BundleContext context, String label, Function<TopologyView, Optional<Offer>> offers) {
        this.context = context;
        this.label = label;
        this.offers = offers;
    }

    /**
     * Returns the services that let components take part in the settling of a change by a mandatory reference alone: first the lease
     * while this instance leads, then a condition while the topology is settled. A framework older than release 8 need not have the type
     * of conditions.
     */
    static List<SettledService> all(BundleContext context) {
        SettledService lease = new SettledService(
                context,
                "leader marker, which deactivates the components that reference the service LeaderLease",
                SettledService::lease);
        if (!Monitoring.knows(context, CONDITION)) {
            return List.of(lease);
        }
        return List.of(
                lease,
                new SettledService(
                        context,
                        "settled marker, which deactivates the components that reference the condition "
                                + SettledCondition.ID,
                        view -> Optional.of(SettledCondition.offer())));
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

    /** Returns a display name with the bundles that use it; while it is being unregistered, those that still do. */
    String name() {
        String users = String.join(", ", users());
        return users.isEmpty() ? label : label + " (in use by bundle " + users + ")";
    }

    /** Returns the bundles that use the service now, by symbolic name; empty while it is not registered. */
    private List<String> users() {
        return reference.map(ServiceReference::getUsingBundles).stream()
                .flatMap(Stream::of)
                .map(Bundle::getSymbolicName)
                .sorted()
                .distinct()
                .toList();
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        switch (event.getType()) {
            case TOPOLOGY_INIT, TOPOLOGY_CHANGED -> offers.apply(event.getNewView())
                    .ifPresent(this::register);
            case TOPOLOGY_CHANGING -> unregister();
            default -> {} // The offer does not depend on properties.
        }
    }

    private void register(Offer offer) {
        ServiceRegistration<?> made =
                context.registerService(offer.type(), offer.service(), new Hashtable<>(offer.properties()));
        reference = Optional.of(made.getReference());
        registration.set(made);
        // A concurrent close found nothing to unregister.
        if (closed) {
            unregister();
        }
    }

    private void unregister() {
        ServiceRegistration<?> last = registration.getAndSet(null);
        if (last != null) {
            try {
                last.unregister();
            } catch (IllegalStateException e) {
                // The bundle was stopped and the framework has unregistered the service.
            } finally {
                reference = Optional.empty();
            }
        }
    }

    /** Unregisters the service for good. */
    @Override
    public void close() {
        closed = true;
        unregister();
    }

    /**
     * What to register.
     *
     * @param type the name of the service's type
     * @param service the service
     * @param properties its service properties
     */
    record Offer(String type, Object service, Map<String, ?> properties) {}
}
