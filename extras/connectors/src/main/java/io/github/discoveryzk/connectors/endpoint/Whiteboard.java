// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import io.github.discoveryzk.connectors.wire.RequestPath;
import java.util.Hashtable;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/**
 * Registers the services by which a servlet container finds the endpoint of connectors, whatever servlets the container has. They have a
 * context of their own, whose path is longer than that of an application at the root, so that the application does not receive the
 * requests of peers.
 *
 * @param answer replies to requests
 * @param offeredAt receives the path when a container begins to offer the servlet, and nothing when it ends
 */
public record Whiteboard(
        BundleContext bundle, Function<ConnectorRequest, ConnectorReply> answer, Consumer<Optional<String>> offeredAt) {

    /** Registers context and servlet by their classes, and returns what unregisters them. */
    public <C, S> Runnable register(Class<C> contextClass, C context, Class<S> servletClass, S servlet) {
        String name = "io.github.discoveryzk.connectors." + servletClass.getName();
        ServiceRegistration<?> first = bundle.registerService(
                contextClass,
                context,
                new Hashtable<>(Map.of(
                        "osgi.http.whiteboard.context.name",
                        name,
                        "osgi.http.whiteboard.context.path",
                        RequestPath.SERVLET)));
        try {
            ServiceRegistration<?> second = bundle.registerService(
                    servletClass,
                    servlet,
                    new Hashtable<>(Map.of(
                            "osgi.http.whiteboard.servlet.name", "Topology connectors",
                            "osgi.http.whiteboard.servlet.pattern", "/*",
                            "osgi.http.whiteboard.context.select",
                                    "(osgi.http.whiteboard.context.name=" + name + ")")));
            return () -> {
                unregister(second);
                unregister(first);
            };
        } catch (RuntimeException | Error e) {
            unregister(first);
            throw e;
        }
    }

    private static void unregister(ServiceRegistration<?> service) {
        try {
            service.unregister();
        } catch (IllegalStateException e) {
            // The framework has unregistered the services of a bundle that has stopped.
        }
    }
}
