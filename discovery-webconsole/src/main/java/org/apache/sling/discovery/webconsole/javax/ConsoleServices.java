// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.javax;

import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.servlet.Servlet;
import org.apache.sling.discovery.webconsole.exchange.Handler;
import org.apache.sling.discovery.webconsole.exchange.Registration;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** The services by which the console and its servlet container find the page. */
public final class ConsoleServices implements Registration {
    private static final String CONTEXT = "osgi.http.whiteboard.context.select";
    private static final String CONSOLE = "(osgi.http.whiteboard.context.name=org.apache.felix.webconsole)";

    private final List<ServiceRegistration<?>> services;

    /** Registers the services. */
    public ConsoleServices(BundleContext bundle, Handler handler) {
        services = List.of(
                bundle.registerService(
                        Servlet.class,
                        new EventServlet(handler),
                        properties(Map.of(
                                "osgi.http.whiteboard.servlet.pattern",
                                Addresses.EVENTS,
                                "osgi.http.whiteboard.servlet.asyncSupported",
                                true,
                                CONTEXT,
                                CONSOLE))),
                bundle.registerService(
                        Servlet.class,
                        new PluginServlet(handler),
                        properties(Map.of(
                                "felix.webconsole.label",
                                Addresses.LABEL,
                                "felix.webconsole.title",
                                "Topology",
                                "felix.webconsole.category",
                                "Sling",
                                "felix.webconsole.css",
                                "/" + Addresses.LABEL + "/res/topology.css"))));
    }

    private static Hashtable<String, Object> properties(Map<String, Object> properties) {
        return new Hashtable<>(properties);
    }

    /** Unregisters the services. */
    @Override
    public void close() {
        services.forEach(ConsoleServices::unregister);
    }

    private static void unregister(ServiceRegistration<?> service) {
        try {
            service.unregister();
        } catch (IllegalStateException e) {
            // The framework has unregistered the services of a bundle that has stopped.
        }
    }
}
