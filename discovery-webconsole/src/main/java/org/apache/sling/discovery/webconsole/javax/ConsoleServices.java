// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.javax;

import java.util.Hashtable;
import java.util.Map;
import javax.servlet.Servlet;
import org.apache.sling.discovery.webconsole.exchange.Handler;
import org.apache.sling.discovery.webconsole.exchange.Registration;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** The service by which the console finds the page. */
public final class ConsoleServices implements Registration {
    private final ServiceRegistration<?> service;

    /** Registers the plugin. */
    public ConsoleServices(BundleContext bundle, Handler handler) {
        service = bundle.registerService(
                Servlet.class,
                new PluginServlet(handler),
                new Hashtable<>(Map.of(
                        "felix.webconsole.label",
                        Addresses.LABEL,
                        "felix.webconsole.title",
                        "Topology",
                        "felix.webconsole.category",
                        "Sling",
                        "felix.webconsole.css",
                        "/" + Addresses.LABEL + "/res/topology.css")));
    }

    /** Unregisters the plugin. */
    @Override
    public void close() {
        try {
            service.unregister();
        } catch (IllegalStateException e) {
            // The framework has unregistered the services of a bundle that has stopped.
        }
    }
}
