// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.containers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.felix.cm.file.FilePersistenceManager;
import org.apache.felix.framework.FrameworkFactory;
import org.apache.sling.discovery.it.cluster.PlainInstance;
import org.apache.sling.discovery.it.outside.Limit;
import org.apache.sling.discovery.it.outside.Server;
import org.apache.sling.discovery.launcher.Ports;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.wiring.FrameworkWiring;

/**
 * A framework in this process with a log, configuration admin, declarative services, a shell without a terminal and a member of
 * a cluster. The bundle for operators and the console are installed by the test.
 */
final class EmbeddedContainer implements TestedContainer {

    static final String OPERATORS = "discovery-webconsole";

    private static final String CONFIGURATION_ADMIN = "org.osgi.service.cm.ConfigurationAdmin";

    private static final List<String> GROUND = List.of(
            "pax-logging-api",
            "pax-logging-logback",
            "org.apache.felix.configadmin",
            "org.osgi.util.function",
            "org.osgi.util.promise",
            "org.osgi.service.component",
            "org.apache.felix.scr",
            "org.apache.felix.gogo.runtime",
            "org.apache.felix.gogo.command",
            "discovery-api",
            "discovery-commons",
            "discovery-base",
            "discovery-zk");

    private final String name;
    private final int port = Ports.free();
    private final Path log;
    private final Framework framework;
    private final Map<String, Bundle> installed = new LinkedHashMap<>();
    private final List<FrameworkEvent> errors = new CopyOnWriteArrayList<>();

    private EmbeddedContainer(String name) throws IOException, BundleException {
        this.name = name;
        Path parent = Files.createDirectories(Path.of(System.getProperty("work.directory"), "containers"));
        Path folder = Files.createTempDirectory(parent, name);
        log = folder.resolve("container.log");
        Files.writeString(folder.resolve("logback.xml"), logback());
        new FilePersistenceManager(folder.resolve("config").toString())
                .store("org.apache.sling.discovery.zk", configuration());
        framework = new FrameworkFactory()
                .newFramework(Map.ofEntries(
                        Map.entry(
                                Constants.FRAMEWORK_STORAGE,
                                folder.resolve("framework").toString()),
                        // The factory of such handlers is one for the process.
                        Map.entry("felix.service.urlhandlers", "false"),
                        // No bundle finds a class of the tests.
                        Map.entry("felix.bootdelegation.implicit", "false"),
                        Map.entry("felix.cm.dir", folder.resolve("config").toString()),
                        Map.entry("org.apache.felix.http.host", "127.0.0.1"),
                        Map.entry("org.osgi.service.http.port", String.valueOf(port)),
                        Map.entry("org.apache.sling.discovery.instanceId", id()),
                        Map.entry("org.ops4j.pax.logging.skipJUL", "true"),
                        Map.entry(
                                "org.ops4j.pax.logging.StaticLogbackFile",
                                folder.resolve("logback.xml").toString())));
        framework.init();
        framework.getBundleContext().addFrameworkListener(event -> {
            if (event.getType() == FrameworkEvent.ERROR) {
                errors.add(event);
            }
        });
        framework.start();
    }

    /** Starts a container whose cluster has its name. */
    static EmbeddedContainer start(String name) {
        try {
            EmbeddedContainer container = new EmbeddedContainer(name);
            container.install(GROUND);
            container.requireActive();
            return container;
        } catch (IOException | BundleException e) {
            throw new IllegalStateException(e);
        }
    }

    private String logback() {
        return "<configuration><appender name='LOG' class='ch.qos.logback.core.FileAppender'><file>" + log
                + "</file><encoder><charset>UTF-8</charset><pattern>%-5level %logger - %msg%n</pattern></encoder></appender>"
                + "<root level='INFO'><appender-ref ref='LOG'/></root></configuration>";
    }

    private Dictionary<String, Object> configuration() {
        return new Hashtable<>(Map.of(
                Constants.SERVICE_PID,
                "org.apache.sling.discovery.zk",
                "connectString",
                Server.address(),
                "clusterName",
                cluster(),
                "sessionTimeoutMillis",
                PlainInstance.SESSION_MILLIS));
    }

    @Override
    public URI console() {
        return URI.create("http://127.0.0.1:" + port + "/system/console");
    }

    @Override
    public String cluster() {
        return name;
    }

    @Override
    public String id() {
        return "embedded";
    }

    /**
     * Installs bundles and starts each before the next is installed. Those that lack a package or capability yet are started
     * when it has come, as a deployer does; nothing is refreshed.
     */
    void install(List<String> jars) throws BundleException {
        for (String jar : jars) {
            if (!installed.containsKey(jar)) {
                installed.put(jar, context().installBundle(jar, content(jar)));
            }
            startAll();
        }
    }

    private void startAll() throws BundleException {
        for (Bundle bundle : installed.values()) {
            if (bundle.getState() != Bundle.ACTIVE) {
                try {
                    bundle.start();
                } catch (BundleException e) {
                    if (e.getType() != BundleException.RESOLVE_ERROR) {
                        throw e;
                    }
                }
            }
        }
    }

    /** Checks that every bundle was started in the end. */
    void requireActive() {
        installed.forEach((jar, bundle) -> {
            if (bundle.getState() != Bundle.ACTIVE) {
                throw new AssertionError(jar + " is not active");
            }
        });
    }

    void stopBundle(String jar) throws BundleException {
        installed.get(jar).stop();
    }

    void startBundle(String jar) throws BundleException {
        installed.get(jar).start();
    }

    /** Updates a bundle with its own content. */
    void update(String jar) throws BundleException {
        installed.get(jar).update(content(jar));
    }

    void uninstall(List<String> jars) throws BundleException {
        for (String jar : jars) {
            Bundle bundle = installed.remove(jar);
            if (bundle != null) {
                bundle.uninstall();
            }
        }
    }

    /** Removes the bundles and everything that remains of them, as a restart would. */
    void purge(List<String> jars) throws BundleException {
        uninstall(jars);
        refresh();
    }

    /** Wires all bundles again whose packages have changed. */
    void refresh() {
        CompletableFuture<Void> refreshed = new CompletableFuture<>();
        framework.adapt(FrameworkWiring.class).refreshBundles(null, event -> {
            if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
                refreshed.complete(null);
            }
        });
        refreshed.orTimeout(Limit.millis(), TimeUnit.MILLISECONDS).join();
    }

    private static InputStream content(String jar) {
        try {
            return Files.newInputStream(Path.of(System.getProperty("bundles.directory"), jar + ".jar"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private BundleContext context() {
        return framework.getBundleContext();
    }

    /** Returns how many services match a filter. */
    int services(String filter) {
        try {
            ServiceReference<?>[] found = context().getAllServiceReferences(null, filter);
            return found == null ? 0 : found.length;
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Returns the address of a path of the HTTP service. */
    URI address(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** Creates or changes a configuration. */
    void configure(String pid, Map<String, ?> properties) throws Exception {
        Object configuration = configuration(pid);
        configurationMethod("update", Dictionary.class).invoke(configuration, new Hashtable<>(properties));
    }

    /** Deletes a configuration if it exists. */
    void deleteConfiguration(String pid) throws Exception {
        configurationMethod("delete").invoke(configuration(pid));
    }

    // The tests have a class of that name too, so the service is none of theirs.
    private Object configuration(String pid) throws Exception {
        ServiceReference<?> admin = configurationAdmin();
        return admin.getBundle()
                .loadClass(CONFIGURATION_ADMIN)
                .getMethod("getConfiguration", String.class, String.class)
                .invoke(context().getService(admin), pid, null);
    }

    private Method configurationMethod(String name, Class<?>... parameters) throws Exception {
        return configurationAdmin()
                .getBundle()
                .loadClass("org.osgi.service.cm.Configuration")
                .getMethod(name, parameters);
    }

    private ServiceReference<?> configurationAdmin() throws InvalidSyntaxException {
        return context().getAllServiceReferences(CONFIGURATION_ADMIN, null)[0];
    }

    /** Returns a part of the report, as text: the result of the last of these methods, each called on the result before. */
    String report(String... methods) throws Exception {
        ServiceReference<?> reference =
                context().getAllServiceReferences("org.apache.sling.discovery.commons.report.Reporter", null)[0];
        Object result = context().getService(reference);
        result = result.getClass().getMethod("report").invoke(result);
        for (String method : methods) {
            result = result.getClass().getMethod(method).invoke(result);
        }
        return result.toString();
    }

    /** Returns the ids of all instances in the topology that consumers see. */
    List<String> topology() throws Exception {
        Bundle api = installed.get("discovery-api");
        ServiceReference<?> service =
                context().getAllServiceReferences("org.apache.sling.discovery.DiscoveryService", null)[0];
        Object view = api.loadClass("org.apache.sling.discovery.DiscoveryService")
                .getMethod("getTopology")
                .invoke(context().getService(service));
        Method instances =
                api.loadClass("org.apache.sling.discovery.TopologyView").getMethod("getInstances");
        Method instanceId =
                api.loadClass("org.apache.sling.discovery.InstanceDescription").getMethod("getSlingId");
        List<String> ids = new ArrayList<>();
        for (Object instance : (Collection<?>) instances.invoke(view)) {
            ids.add((String) instanceId.invoke(instance));
        }
        return ids;
    }

    /** Returns the context of a bundle. */
    BundleContext contextOf(String jar) {
        return installed.get(jar).getBundleContext();
    }

    @Override
    public String run(String command) throws Exception {
        // The tests have a class of that name too, so the service is none of theirs.
        ServiceReference<?> reference =
                context().getAllServiceReferences("org.apache.felix.service.command.CommandProcessor", null)[0];
        Class<?> processor = reference.getBundle().loadClass("org.apache.felix.service.command.CommandProcessor");
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        AutoCloseable session = (AutoCloseable) processor
                .getMethod("createSession", InputStream.class, OutputStream.class, OutputStream.class)
                .invoke(context().getService(reference), InputStream.nullInputStream(), printed, printed);
        try (session) {
            Object result = reference
                    .getBundle()
                    .loadClass("org.apache.felix.service.command.CommandSession")
                    .getMethod("execute", CharSequence.class)
                    .invoke(session, command);
            return printed.toString(StandardCharsets.UTF_8) + (result == null ? "" : result);
        }
    }

    @Override
    public List<String> log() {
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the errors so far: those of the framework and those in the log. */
    List<String> errors() {
        List<String> all = new ArrayList<>();
        errors.forEach(event -> all.add(event.getBundle() + ": " + event.getThrowable()));
        List<String> lines = log();
        for (int i = 0; i < lines.size(); i++) {
            // A browser that leaves a page while it is sent is no failure of the container.
            boolean left = i + 1 < lines.size() && lines.get(i + 1).contains("EofException");
            if (lines.get(i).startsWith("ERROR") && !left) {
                all.add(lines.get(i));
            }
        }
        return all;
    }

    @Override
    public void close() {
        try {
            framework.stop();
            framework.waitForStop(Limit.millis());
        } catch (BundleException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
