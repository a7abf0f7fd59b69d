// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.osgi;

import io.github.discoveryzk.connectors.endpoint.Whiteboard;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers the endpoint of connectors to servlet containers, by the services that their whiteboards understand. Containers may come and go,
 * and one that takes servlets of both kinds uses the first one at the path. May be used from any thread, and holds no lock while a container
 * reacts.
 */
final class ConnectorEndpoints implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectorEndpoints.class);

    @SuppressWarnings("UnnecessaryLambda") // It is compared.
    private static final Runnable NOTHING = () -> {};

    private final List<Offer> offers;

    /** Makes endpoints that are not open yet. */
    ConnectorEndpoints(Whiteboard whiteboard) {
        this.offers = List.of(
                new Offer(
                        whiteboard.bundle(),
                        "org.osgi.service.servlet.runtime.HttpServiceRuntime",
                        () -> io.github.discoveryzk.connectors.jakarta.EndpointServlet.register(whiteboard)),
                new Offer(
                        whiteboard.bundle(),
                        "org.osgi.service.http.runtime.HttpServiceRuntime",
                        () -> io.github.discoveryzk.connectors.javax.EndpointServlet.register(whiteboard)));
    }

    /** Offers the endpoint to containers, now or later. */
    void open() {
        offers.forEach(Offer::open);
    }

    /** Withdraws the endpoint; it can be opened again. */
    @Override
    public void close() {
        offers.forEach(Offer::close);
    }

    /** The services for one kind of servlets. Their classes can be loaded as soon as there is a container that takes them. */
    private static final class Offer extends ServiceTracker<Object, Object> {

        private final Supplier<Runnable> registering;
        /** Unregisters the services; null while they are not registered. */
        private final AtomicReference<Runnable> registered = new AtomicReference<>();

        /**
         * Makes what registers the services once a container is active.
         *
         * @param runtime the name of the service that shows that one is active
         */
        Offer(BundleContext bundle, String runtime, Supplier<Runnable> registering) {
            super(bundle, runtime, null);
            this.registering = registering;
        }

        @Override
        public Object addingService(ServiceReference<Object> reference) {
            if (registered.compareAndSet(null, NOTHING)) {
                try {
                    Runnable unregister = registering.get();
                    if (!registered.compareAndSet(NOTHING, unregister)) {
                        unregister.run();
                    }
                } catch (RuntimeException | LinkageError e) {
                    // This bundle is stopping, or cannot load the servlets of this container.
                    registered.set(null);
                    LOG.info("No topology connector endpoint for {}: {}", reference, e.toString());
                }
            }
            return null;
        }

        @Override
        public void close() {
            super.close();
            Runnable unregister = registered.getAndSet(null);
            if (unregister != null) {
                unregister.run();
            }
        }
    }
}
