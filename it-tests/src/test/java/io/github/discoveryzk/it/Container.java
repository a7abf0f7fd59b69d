// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.it.outside.Server;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.TopologyReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** The container that a test runs in, as an application sees it. Closing it unregisters the services of the test. */
public final class Container implements AutoCloseable {

    static final String PID = "io.github.discoveryzk.zk";
    static final String INSTANCE_PID = "io.github.discoveryzk.base";

    private final BundleContext context;
    private final Map<String, Bundle> installed = new LinkedHashMap<>();
    private final Collection<ServiceRegistration<?>> registered = new ConcurrentLinkedDeque<>();

    Container(BundleContext context) {
        this.context = context;
    }

    /** Returns settings with the address of the server and that name of the cluster. */
    public static Map<String, String> settings(String cluster) {
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

    String property(String name) {
        return context.getProperty(name);
    }

    boolean offers(String service) {
        return context.getServiceReference(service) != null;
    }

    <S> Optional<ServiceReference<S>> find(Class<S> type) {
        return Optional.ofNullable(context.getServiceReference(type));
    }

    /** Returns all services of a type. */
    <S> Collection<ServiceReference<S>> all(Class<S> type) {
        try {
            return context.getServiceReferences(type, null);
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    <S> S service(ServiceReference<S> reference) {
        return context.getService(reference);
    }

    boolean finds(String filter) {
        return count(filter) > 0;
    }

    /** Returns how many services match a filter. */
    public int count(String filter) {
        return references(filter).length;
    }

    private ServiceReference<?>[] references(String filter) {
        try {
            ServiceReference<?>[] found = context.getAllServiceReferences(null, filter);
            return found == null ? new ServiceReference<?>[0] : found;
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Calls the only public method of that name on a service that is found by its properties. */
    Object call(String filter, String method, Object... arguments) {
        Object service = context.getService(references(filter)[0]);
        try {
            return Stream.of(service.getClass().getMethods())
                    .filter(each -> each.getName().equals(method))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no method " + method))
                    .invoke(service, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Installs bundles of the build and starts each before the next is installed. Those that lack a package or capability yet are
     * started when it has come, as a deployer does; nothing is refreshed.
     */
    void install(List<String> names) throws BundleException {
        for (String name : names) {
            installed.putIfAbsent(
                    name, context.installBundle(Setup.jar(name).toURI().toString()));
            for (Bundle bundle : installed.values()) {
                startIfResolvable(bundle);
            }
        }
    }

    private static void startIfResolvable(Bundle bundle) throws BundleException {
        try {
            bundle.start();
        } catch (BundleException e) {
            if (e.getType() != BundleException.RESOLVE_ERROR) {
                throw e;
            }
        }
    }

    /** Returns a bundle that the test has installed. */
    Bundle installed(String name) {
        return installed.get(name);
    }

    void uninstall(List<String> names) throws BundleException {
        for (String name : names) {
            installed.remove(name).uninstall();
        }
    }

    /** Removes all bundles that the test has installed with everything that remains of them, as a restart would. */
    void purge() throws BundleException {
        uninstall(List.copyOf(installed.keySet()));
        CompletableFuture<Void> refreshed = new CompletableFuture<>();
        context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION)
                .adapt(FrameworkWiring.class)
                .refreshBundles(null, event -> refreshed.complete(null));
        refreshed.orTimeout(Limit.millis(), TimeUnit.MILLISECONDS).join();
    }

    /** Returns the lines of the log. */
    public List<String> log() {
        try {
            return Files.readAllLines(Path.of(property(Setup.LOG)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the errors in the log so far, with those of the framework. */
    List<String> errors() {
        return errors(log());
    }

    /** Returns the errors in a log, each with the line after it, which names the exception. */
    public static List<String> errors(List<String> lines) {
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).startsWith("ERROR"))
                .mapToObj(i -> String.join("\n", lines.subList(i, Math.min(i + 2, lines.size()))))
                // A browser that leaves a page while it is sent does not make the container fail.
                .filter(error -> !error.contains("EofException"))
                .toList();
    }

    /** Returns the address of a path of the HTTP service. */
    URI address(String path) {
        return URI.create("http://127.0.0.1:" + property(Setup.PORT) + path);
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

    /** Registers a service of a type that its bundle exports and the test does not import; each method returns the same. */
    ServiceRegistration<?> register(String bundle, String type, Object answer, Map<String, ?> properties)
            throws ClassNotFoundException {
        Class<?> loaded = bundle(bundle).loadClass(type);
        Object service = Proxy.newProxyInstance(
                loaded.getClassLoader(), new Class<?>[] {loaded}, (proxy, method, arguments) -> answer);
        ServiceRegistration<?> registration = context.registerService(type, service, new Hashtable<>(properties));
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
        onConfiguration(pid, each -> each.update(new Hashtable<>(settings)));
    }

    /** Deletes a configuration if it exists. */
    void delete(String pid) {
        onConfiguration(pid, Configuration::delete);
    }

    private void onConfiguration(String pid, Change change) {
        ask(ConfigurationAdmin.class, admin -> {
            try {
                change.of(admin.getConfiguration(pid, null));
                return null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private interface Change {
        void of(Configuration configuration) throws IOException;
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

    /** Returns what an instance offers besides the version of its bundle. */
    static Map<String, String> offered(InstanceDescription instance) {
        Map<String, String> properties = new HashMap<>(instance.getProperties());
        properties.remove("io.github.discoveryzk.version");
        return properties;
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
        untilAsserted(() -> {
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
