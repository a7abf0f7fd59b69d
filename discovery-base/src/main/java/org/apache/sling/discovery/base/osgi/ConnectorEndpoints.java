// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorReply;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorRequest;
import org.apache.sling.discovery.base.connector.endpoint.Whiteboard;
import org.apache.sling.discovery.base.connector.javax.HttpServiceAlias;
import org.apache.sling.discovery.base.environment.Time;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.namespace.service.ServiceNamespace;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers the endpoint of connectors to the servlet container that is active, by the services that it understands, and withdraws it
 * when none is active. Containers may come and go. May be used from any thread, and holds no lock while a container reacts.
 */
final class ConnectorEndpoints implements ServiceTrackerCustomizer<Object, ServiceReference<Object>>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectorEndpoints.class);
    private static final int ERROR = 500;
    private static final long LINE_INTERVAL_MILLIS = 60_000;

    private final BundleContext bundle;
    private final Function<ConnectorRequest, ConnectorReply> endpoint;
    private final Consumer<Optional<String>> offeredAt;
    private final ServiceTracker<Object, ServiceReference<Object>> tracker;

    /** The services of containers that exist. */
    private final Set<ServiceReference<Object>> services = ConcurrentHashMap.newKeySet();

    /** The number of changes that are not yet considered. The thread that makes it 1 considers them all. */
    private final AtomicInteger changes = new AtomicInteger();

    private final AtomicLong nextLine = new AtomicLong(Long.MIN_VALUE);

    private volatile boolean open;

    /** Used only by the thread that considers the changes. */
    private Offer offer = Offer.NOTHING;

    /**
     * Makes endpoints that are not open yet.
     *
     * @param endpoint replies to requests, on threads of the container
     * @param offeredAt receives the path at which the endpoint is offered now, or nothing
     */
    ConnectorEndpoints(
            BundleContext bundle,
            Function<ConnectorRequest, ConnectorReply> endpoint,
            Consumer<Optional<String>> offeredAt) {
        this.bundle = bundle;
        this.endpoint = endpoint;
        this.offeredAt = offeredAt;
        this.tracker = new ServiceTracker<>(bundle, filter(), this);
    }

    private static Filter filter() {
        try {
            return FrameworkUtil.createFilter(Stream.of(HttpLine.values())
                    .filter(line -> line != HttpLine.NONE)
                    .map(line -> "(" + Constants.OBJECTCLASS + "=" + line.service() + ")")
                    .collect(Collectors.joining("", "(|", ")")));
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Offers the endpoint to the container that is active, now or later. */
    void open() {
        if (!open) {
            open = true;
            tracker.open();
            consider();
        }
    }

    /** Withdraws the endpoint; it can be opened again. */
    @Override
    public void close() {
        if (open) {
            open = false;
            tracker.close();
            consider();
        }
    }

    @Override
    public ServiceReference<Object> addingService(ServiceReference<Object> reference) {
        services.add(reference);
        consider();
        return reference;
    }

    @Override
    public void modifiedService(ServiceReference<Object> reference, ServiceReference<Object> same) {
        // Its type does not change.
    }

    @Override
    public void removedService(ServiceReference<Object> reference, ServiceReference<Object> same) {
        services.remove(reference);
        consider();
    }

    /** Adapts the offer to the services that exist now. */
    private void consider() {
        if (changes.getAndIncrement() > 0) {
            return;
        }
        int considered;
        do {
            considered = changes.get();
            change(open ? chooseLine() : HttpLine.NONE);
        } while (changes.addAndGet(-considered) > 0);
    }

    private HttpLine chooseLine() {
        Set<String> types = services.stream()
                .flatMap(each -> types(each).filter(type -> !hasBetter(each.getBundle(), type)))
                .collect(Collectors.toSet());
        return HttpLine.choose(types, ConnectorEndpoints::canLoad);
    }

    /**
     * Says whether a bundle has a better line than that of a service. The services of a container that starts or stops come and go one
     * after the other, and in between it may fail with what it is offered.
     */
    private static boolean hasBetter(Bundle container, String type) {
        BundleRevision revision = container == null ? null : container.adapt(BundleRevision.class);
        if (revision == null) {
            return false;
        }
        Set<String> declared = revision.getDeclaredCapabilities(ServiceNamespace.SERVICE_NAMESPACE).stream()
                .map(each -> each.getAttributes().get(ServiceNamespace.CAPABILITY_OBJECTCLASS_ATTRIBUTE))
                .flatMap(each -> each instanceof Collection<?> many ? many.stream() : Stream.ofNullable(each))
                .map(Object::toString)
                .collect(Collectors.toSet());
        HttpLine best = HttpLine.choose(declared, ConnectorEndpoints::canLoad);
        return best != HttpLine.NONE && !best.service().equals(type);
    }

    private static Stream<String> types(ServiceReference<?> service) {
        return Stream.of((String[]) service.getProperty(Constants.OBJECTCLASS));
    }

    private static boolean canLoad(String className) {
        try {
            Class.forName(className, false, ConnectorEndpoints.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    private void change(HttpLine next) {
        Optional<ServiceReference<Object>> service = services.stream()
                .filter(each -> types(each).anyMatch(next.service()::equals))
                .max(ServiceReference::compareTo);
        if (offer.isFor(next, service)) {
            return;
        }
        offer.withdraw();
        offer = Offer.NOTHING;
        try {
            offer = new Offer(next, service, register(next, service));
        } catch (RuntimeException | LinkageError e) {
            // This bundle is stopping, the service has gone, or its servlets are not those of the version that they
            // declare.
            LOG.warn("Topology connector endpoint unavailable: servlet registration failed: {}", e.toString());
        }
    }

    private AutoCloseable register(HttpLine line, Optional<ServiceReference<Object>> service) {
        Whiteboard.Endpoint offered = new Whiteboard.Endpoint(this::answer, offeredAt);
        return switch (line) {
            case JAKARTA_WHITEBOARD -> org.apache.sling.discovery.base.connector.jakarta.EndpointServlet.register(
                    new Whiteboard(bundle), offered);
            case JAVAX_WHITEBOARD -> org.apache.sling.discovery.base.connector.javax.EndpointServlet.register(
                    new Whiteboard(bundle), offered);
            case HTTP_SERVICE -> new HttpServiceAlias(bundle, service.orElseThrow(), offered);
            case NONE -> () -> {};
        };
    }

    /** A failure must not reach the container, which might send it to the peer. */
    ConnectorReply answer(ConnectorRequest request) {
        try {
            return endpoint.apply(request);
        } catch (Throwable e) { // The container writes an Error into its log for each request.
            long now = Time.SYSTEM.monotonic().getAsLong();
            if (nextLine.getAndUpdate(at -> now >= at ? now + LINE_INTERVAL_MILLIS : at) <= now) {
                LOG.error("The request of a peer failed; further failures are not logged for a minute", e);
            }
            return ConnectorReply.of(ERROR);
        }
    }

    /** What is registered, in which way, and for an HTTP service with which one. */
    private record Offer(HttpLine line, Optional<ServiceReference<Object>> service, AutoCloseable registration) {

        private static final Offer NOTHING = new Offer(HttpLine.NONE, Optional.empty(), () -> {});

        private boolean isFor(HttpLine wanted, Optional<ServiceReference<Object>> by) {
            // A whiteboard takes the services of the registry, whichever of its services tells of it.
            return line == wanted && (line != HttpLine.HTTP_SERVICE || service.equals(by));
        }

        private void withdraw() {
            try {
                registration.close();
            } catch (Exception e) {
                LOG.warn("The endpoint of connectors could not be withdrawn", e);
            }
        }
    }
}
