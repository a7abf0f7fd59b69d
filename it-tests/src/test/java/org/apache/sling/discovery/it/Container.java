// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.it.cluster.PlainInstance;
import org.apache.sling.discovery.it.outside.Limit;
import org.apache.sling.discovery.it.outside.Server;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ConfigurationAdmin;

/** The container that a test runs in, as an application sees it. Closing it unregisters the services of the test. */
final class Container implements AutoCloseable {

    static final String PID = "org.apache.sling.discovery.zk";

    private final BundleContext context;
    private final Collection<ServiceRegistration<?>> registered = new ConcurrentLinkedDeque<>();

    Container(BundleContext context) {
        this.context = context;
    }

    /** Returns settings with the address of the server and that name of the cluster. */
    static Map<String, String> settings(String cluster) {
        return Map.of(
                "connectString",
                Server.address(),
                "clusterName",
                cluster,
                "sessionTimeoutMillis",
                String.valueOf(PlainInstance.SESSION_MILLIS));
    }

    static Map<String, Object> with(Map<String, ?> settings, String key, Object value) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put(key, value);
        return all;
    }

    Stream<Bundle> bundles() {
        return Stream.of(context.getBundles());
    }

    boolean offers(String service) {
        return context.getServiceReference(service) != null;
    }

    <S> Optional<ServiceReference<S>> find(Class<S> type) {
        return Optional.ofNullable(context.getServiceReference(type));
    }

    boolean finds(String filter) {
        try {
            return context.getAllServiceReferences(null, filter) != null;
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Calls the only public method of that name on a service that is found by its properties. */
    Object call(String filter, String method, Object... arguments) {
        try {
            ServiceReference<?> reference = Optional.ofNullable(context.getAllServiceReferences(null, filter))
                    .map(found -> found[0])
                    .orElseThrow(() -> new AssertionError("there is no service " + filter));
            Object service = context.getService(reference);
            return Stream.of(service.getClass().getMethods())
                    .filter(each -> each.getName().equals(method))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no method " + method))
                    .invoke(service, arguments);
        } catch (InvalidSyntaxException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    Bundle bundle(String symbolicName) {
        return bundles()
                .filter(each -> each.getSymbolicName().equals(symbolicName))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no bundle " + symbolicName));
    }

    /** Calls a service, which must exist. */
    <S, R> R ask(Class<S> type, Function<S, R> question) {
        ServiceReference<S> reference = Optional.ofNullable(context.getServiceReference(type))
                .orElseThrow(() -> new AssertionError("there is no service " + type.getName()));
        try {
            return question.apply(context.getService(reference));
        } finally {
            context.ungetService(reference);
        }
    }

    <S> ServiceRegistration<S> register(Class<S> type, S service, Map<String, ?> properties) {
        ServiceRegistration<S> registration = context.registerService(type, service, new Hashtable<>(properties));
        registered.add(registration);
        return registration;
    }

    ServiceRegistration<TopologyEventListener> register(TopologyEventListener listener) {
        return register(TopologyEventListener.class, listener, Map.of());
    }

    /** Registers a property provider for names given as a text, an array or a collection. */
    ServiceRegistration<PropertyProvider> register(PropertyProvider provider, Object names) {
        return register(PropertyProvider.class, provider, Map.of(PropertyProvider.PROPERTY_PROPERTIES, names));
    }

    void unregister(ServiceRegistration<?> registration) {
        registered.remove(registration);
        registration.unregister();
    }

    void configure(Map<String, ?> settings) {
        configure(PID, settings);
    }

    void configure(String pid, Map<String, ?> settings) {
        Dictionary<String, Object> properties = new Hashtable<>(settings);
        ask(ConfigurationAdmin.class, admin -> {
            try {
                admin.getConfiguration(pid, null).update(properties);
                return null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Deletes a configuration if it exists. */
    void delete(String pid) {
        ask(ConfigurationAdmin.class, admin -> {
            try {
                admin.getConfiguration(pid, null).delete();
                return null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Returns the present service; another configuration may replace it. */
    DiscoveryService discovery() {
        return ask(DiscoveryService.class, same -> same);
    }

    TopologyView topology() {
        return discovery().getTopology();
    }

    InstanceDescription self() {
        return topology().getLocalInstance();
    }

    List<String> members() {
        return self().getClusterView().getInstances().stream()
                .map(InstanceDescription::getSlingId)
                .toList();
    }

    TopologyReport report() {
        return ask(Reporter.class, Reporter::report);
    }

    void untilCurrent() {
        Limit.untilAsserted(() -> {
            if (!topology().isCurrent()) {
                throw new AssertionError(report().sentence());
            }
        });
    }

    @Override
    public void close() {
        registered.forEach(ServiceRegistration::unregister);
        registered.clear();
    }
}
