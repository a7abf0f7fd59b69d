// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.base.DiscoveryInstance;
import java.util.function.BiConsumer;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEventListener;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;

/**
 * The listeners and property providers in the service registry, which it adds to the instance as they come and removes as they go, on
 * the threads that register and unregister them.
 */
final class Consumers implements AutoCloseable {

    private final DiscoveryInstance instance;
    private final ServiceTracker<?, ?> listeners;
    private final ServiceTracker<?, ?> providers;

    /** Takes nothing before {@link #open}. */
    Consumers(BundleContext context, DiscoveryInstance instance) {
        this.instance = instance;
        listeners = track(context, TopologyEventListener.class, this::bind, this::unbind);
        providers = track(context, PropertyProvider.class, this::bind, this::unbind);
    }

    private static <S> ServiceTracker<S, S> track(
            BundleContext context,
            Class<S> type,
            BiConsumer<S, ServiceReference<S>> bind,
            BiConsumer<S, ServiceReference<S>> unbind) {
        return new ServiceTracker<>(context, type, null) {

            @Override
            public S addingService(ServiceReference<S> reference) {
                S service = super.addingService(reference);
                if (service != null) {
                    bind.accept(service, reference);
                }
                return service;
            }

            @Override
            public void modifiedService(ServiceReference<S> reference, S service) {
                bind.accept(service, reference);
            }

            @Override
            public void removedService(ServiceReference<S> reference, S service) {
                unbind.accept(service, reference);
                super.removedService(reference, service);
            }
        };
    }

    /** Takes those that are registered, and from now on all others; opening twice does nothing. */
    void open() {
        listeners.open();
        providers.open();
    }

    @Override
    public void close() {
        listeners.close();
        providers.close();
    }

    private void bind(TopologyEventListener listener, ServiceReference<TopologyEventListener> reference) {
        instance.addListener(listener, name(listener, reference));
    }

    private void unbind(TopologyEventListener listener, ServiceReference<TopologyEventListener> reference) {
        instance.removeListener(listener);
    }

    private void bind(PropertyProvider provider, ServiceReference<PropertyProvider> reference) {
        // A ranking that is not an Integer counts as 0, as in the service registry.
        int ranking = reference.getProperty(Constants.SERVICE_RANKING) instanceof Integer number ? number : 0;
        instance.addPropertyProvider(
                provider,
                "property provider " + name(provider, reference),
                ranking,
                id(reference),
                reference.getProperty(PropertyProvider.PROPERTY_PROPERTIES));
    }

    private void unbind(PropertyProvider provider, ServiceReference<PropertyProvider> reference) {
        instance.removePropertyProvider(provider, id(reference));
    }

    private static long id(ServiceReference<?> reference) {
        return (Long) reference.getProperty(Constants.SERVICE_ID);
    }

    private static String name(Object service, ServiceReference<?> reference) {
        String bundle = reference.getBundle() == null
                ? "a bundle that was stopped"
                : reference.getBundle().getSymbolicName();
        return service.getClass().getName() + " of bundle " + bundle + " (service " + id(reference) + ")";
    }
}
