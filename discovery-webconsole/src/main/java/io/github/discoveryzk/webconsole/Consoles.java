// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole;

import io.github.discoveryzk.webconsole.http.Reply;
import io.github.discoveryzk.webconsole.http.Request;
import java.util.function.Function;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.resource.Namespace;
import org.osgi.util.tracker.BundleTracker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers the page to each active web console, with the servlets on which the console is built. The bundles of consoles and
 * servlets may come and go in any order. May be used from any thread.
 */
final class Consoles extends BundleTracker<ServiceRegistration<?>> {
    private static final Logger LOG = LoggerFactory.getLogger(Consoles.class);

    /** The package by which a console is recognized: some containers have one of another symbolic name. */
    private static final String CONSOLE = "org.apache.felix.webconsole";

    private final Function<Request, Reply> handler;

    Consoles(BundleContext context, Function<Request, Reply> handler) {
        super(context, Bundle.ACTIVE, null);
        this.handler = handler;
    }

    @Override
    public ServiceRegistration<?> addingBundle(Bundle candidate, BundleEvent event) {
        BundleWiring wiring = candidate.adapt(BundleWiring.class);
        if (wiring == null
                || wiring.getCapabilities(PackageNamespace.PACKAGE_NAMESPACE).stream()
                        .noneMatch(each -> isPackage(each, CONSOLE))) {
            return null;
        }
        try {
            // A console may know the servlets of both lines. Only those that it cannot do without decide.
            if (requires(wiring, "jakarta.servlet")) {
                return io.github.discoveryzk.webconsole.jakarta.ConsolePlugin.register(context, handler);
            }
            return requires(wiring, "javax.servlet")
                    ? io.github.discoveryzk.webconsole.javax.ConsolePlugin.register(context, handler)
                    : null;
        } catch (IllegalStateException | LinkageError e) {
            // This bundle is stopping, or it cannot load the servlets of the console.
            LOG.warn("The web console {} cannot show the topology page: {}", candidate, e.toString());
            return null;
        }
    }

    @Override
    public void removedBundle(Bundle console, BundleEvent event, ServiceRegistration<?> page) {
        try {
            page.unregister();
        } catch (IllegalStateException e) {
            // The framework has unregistered the services of a bundle that has stopped.
        }
    }

    private static boolean requires(BundleWiring console, String packageName) {
        return console.getRequiredWires(PackageNamespace.PACKAGE_NAMESPACE).stream()
                .filter(Consoles::isMandatory)
                .anyMatch(each -> isPackage(each.getCapability(), packageName));
    }

    private static boolean isMandatory(BundleWire wire) {
        return wire.getRequirement()
                .getDirectives()
                .getOrDefault(Namespace.REQUIREMENT_RESOLUTION_DIRECTIVE, Namespace.RESOLUTION_MANDATORY)
                .equals(Namespace.RESOLUTION_MANDATORY);
    }

    private static boolean isPackage(BundleCapability capability, String name) {
        return name.equals(capability.getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE));
    }
}
