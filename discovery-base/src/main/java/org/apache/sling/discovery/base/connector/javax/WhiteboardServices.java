// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.javax;

import java.util.Hashtable;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.servlet.Servlet;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorReply;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorRequest;
import org.apache.sling.discovery.base.connector.wire.RequestPath;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.http.context.ServletContextHelper;

/**
 * The services by which a servlet container finds the endpoint of connectors. They have a context of their own, whose path is
 * longer than that of an application at the root, so that the application does not receive the requests of peers.
 */
public final class WhiteboardServices implements AutoCloseable {
    private static final String CONTEXT = "org.apache.sling.discovery.connectors";

    private final ServiceRegistration<?> context;
    private final ServiceRegistration<?> servlet;

    /**
     * Registers the services.
     *
     * @param endpoint replies to requests
     * @param offeredAt is told the path at which a container offers the endpoint, and nothing when it stops doing so
     */
    public WhiteboardServices(
            BundleContext bundle,
            Function<ConnectorRequest, ConnectorReply> endpoint,
            Consumer<Optional<String>> offeredAt) {
        context = bundle.registerService(
                ServletContextHelper.class,
                // The default of a context: no authentication. The endpoint decides about trust.
                new ServletContextHelper() {},
                properties(Map.of(
                        "osgi.http.whiteboard.context.name",
                        CONTEXT,
                        "osgi.http.whiteboard.context.path",
                        RequestPath.SERVLET)));
        try {
            servlet = bundle.registerService(
                    Servlet.class,
                    new EndpointServlet(endpoint, offeredAt, ""),
                    properties(Map.of(
                            "osgi.http.whiteboard.servlet.name",
                            "Topology connectors",
                            "osgi.http.whiteboard.servlet.pattern",
                            "/*",
                            "osgi.http.whiteboard.context.select",
                            "(osgi.http.whiteboard.context.name=" + CONTEXT + ")")));
        } catch (RuntimeException | Error e) {
            unregister(context);
            throw e;
        }
    }

    private static Hashtable<String, Object> properties(Map<String, Object> properties) {
        return new Hashtable<>(properties);
    }

    /** Unregisters the services. */
    @Override
    public void close() {
        unregister(servlet);
        unregister(context);
    }

    private static void unregister(ServiceRegistration<?> service) {
        try {
            service.unregister();
        } catch (IllegalStateException e) {
            // The framework has unregistered the services of a bundle that has stopped.
        }
    }
}
