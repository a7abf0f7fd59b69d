// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.Ports;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.AllServiceListener;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.startlevel.FrameworkStartLevel;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** The server bundle in a framework of this process, in which only the configuration admin is shared with the test. */
class ServerBundleIT {
    private static final String SERVER_PID = "io.github.discoveryzk.zk.server";
    private static final String BACKEND_PID = "io.github.discoveryzk.zk";
    private static final int UPDATES = 20;
    private static final long MEGABYTE = 1L << 20;

    @TempDir
    private Path folder;

    private final String address = "127.0.0.1:" + Ports.free();
    private final String servers = address + ":" + Ports.free() + ":" + Ports.free();
    private Framework framework;
    private BundleContext context;

    @BeforeEach
    void start() throws Exception {
        framework = new FrameworkFactory()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE,
                        folder.resolve("felix").toString(),
                        Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA,
                        "org.osgi.service.cm;version=1.6",
                        "felix.service.urlhandlers",
                        "false",
                        "io.github.discoveryzk.instanceId",
                        "a"));
        framework.start();
        context = framework.getBundleContext();
        List<Bundle> bundles = new ArrayList<>();
        for (String name : List.of(
                "pax-logging-api",
                "pax-logging-logback",
                "org.osgi.util.function",
                "org.osgi.util.promise",
                "org.osgi.service.component",
                "org.apache.felix.scr",
                "org.apache.felix.configadmin",
                "discovery-api",
                "discovery-commons",
                "discovery-base",
                "discovery-zk-server")) {
            bundles.add(context.installBundle(Setup.jar(name).toURI().toString()));
        }
        for (Bundle bundle : bundles) {
            if (bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null) {
                bundle.start();
            }
        }
    }

    @AfterEach
    void stop() throws Exception {
        framework.stop();
        framework.waitForStop(Limit.millis());
    }

    private Configuration configuration(String pid) throws IOException {
        return context.getService(context.getServiceReference(ConfigurationAdmin.class))
                .getConfiguration(pid, "?");
    }

    private void configure(String list) throws IOException {
        configuration(SERVER_PID).update(new Hashtable<>(Map.of("servers", list)));
    }

    /** Returns what a service of the bundles says, as text: its classes are not shared. */
    private String ask(String type, String method) {
        try {
            ServiceReference<?>[] found = context.getAllServiceReferences(type, null);
            if (found == null) {
                return "no " + type;
            }
            String bundle =
                    type.endsWith("AddedSection") ? "io.github.discoveryzk.zk.server" : "io.github.discoveryzk.base";
            Object service = Stream.of(found)
                    .filter(each -> each.getBundle().getSymbolicName().equals(bundle))
                    .findFirst()
                    .map(each -> (Object) context.getService(each))
                    .orElseThrow();
            return service.getClass().getMethod(method).invoke(service).toString();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private String report() {
        return ask("io.github.discoveryzk.report.AddedSection", "content");
    }

    private String connectString() throws IOException {
        return Optional.ofNullable(configuration(BACKEND_PID).getProperties())
                .map(properties -> String.valueOf(properties.get("connectString")))
                .orElse("");
    }

    private void untilServing() {
        untilAsserted(() -> assertThat(report()).contains("Server 1 of 1 serves", ", leader, "));
    }

    private void startBackend() throws Exception {
        context.installBundle(Setup.jar("discovery-zk").toURI().toString()).start();
    }

    @Test
    void withoutAConfigurationThereIsNoServer() throws Exception {
        assertThat(report()).startsWith("no ");
        assertThat(configuration(BACKEND_PID).getProperties()).isNull();
    }

    @Test
    void aListThatCannotBeUsedIsReported() throws Exception {
        configure("a,b");
        untilAsserted(() -> assertThat(report()).contains("cannot be used: it names 2 servers"));
        configure(servers + ",192.0.2.1:2181,192.0.2.2:2181");
        untilAsserted(() -> assertThat(report()).contains("/etc/hosts"));
        assertThat(connectString()).isEmpty();
        configure(servers);
        untilServing();
    }

    @Test
    void theConnectStringFollowsAndStays() throws Exception {
        // As features write it.
        configuration(BACKEND_PID)
                .update(new Hashtable<>(Map.of("clusterName", "c", "connectString", "127.0.0.1:2181")));
        configure(servers);
        untilAsserted(() -> assertThat(connectString()).isEqualTo(address));
        assertThat(configuration(BACKEND_PID).getProperties().get("clusterName"))
                .isEqualTo("c");
        // As an installer does that has the configuration in a file without a connect string.
        configuration(BACKEND_PID).update(new Hashtable<>(Map.of("clusterName", "d")));
        untilAsserted(() -> assertThat(connectString()).isEqualTo(address));
        String other = "127.0.0.1:" + Ports.free();
        configure(other);
        untilAsserted(() -> assertThat(connectString()).isEqualTo(other));
        bundle().uninstall();
        assertThat(connectString()).isEqualTo(other);
    }

    @Test
    void theConnectStringOfAnAdministratorIsLeftAlone() throws Exception {
        configuration(BACKEND_PID).update(new Hashtable<>(Map.of("connectString", "elsewhere:2181")));
        configure(servers);
        untilServing();
        assertThat(connectString()).isEqualTo("elsewhere:2181");
    }

    @Test
    void discoveryLeavesBeforeTheServerStopsWithTheContainer() throws Exception {
        configure(servers);
        untilServing();
        startBackend();
        untilAsserted(() -> assertThat(state()).contains("SETTLED"));
        List<String> stopped = new ArrayList<>();
        // By their start levels the server would stop first.
        framework.adapt(FrameworkStartLevel.class).setStartLevel(2);
        bundle().adapt(BundleStartLevel.class).setStartLevel(2);
        untilServing();
        untilAsserted(() -> assertThat(state()).contains("SETTLED"));
        context.addBundleListener((SynchronousBundleListener) event -> {
            if (event.getType() == BundleEvent.STOPPED) {
                stopped.add(event.getBundle().getSymbolicName());
            }
        });
        framework.stop();
        framework.waitForStop(Limit.millis());
        assertThat(stopped).startsWith("io.github.discoveryzk.zk").contains("io.github.discoveryzk.zk.server");
    }

    @Test
    void aListThatIsRefusedTakesNoInstanceOutOfItsCluster() throws Exception {
        configure(servers);
        untilServing();
        startBackend();
        untilAsserted(() -> assertThat(state()).contains("SETTLED"));
        untilAsserted(() -> assertThat(report()).contains("0 transactions, a]"));
        String sinceThen = view();
        for (String refused : List.of("a,b", servers + ",192.0.2.1:2181,192.0.2.2:2181")) {
            configure(refused);
            untilAsserted(() ->
                    assertThat(report() + findings()).contains(refused.equals("a,b") ? "it names 2" : "127.0.1.1"));
            assertThat(report()).contains("Server 1 of 1 serves");
            assertThat(connectString()).isEqualTo(address);
            assertThat(state()).contains("SETTLED");
            // It is a finding of discovery, for its health, its JSON and its metrics.
            assertThat(ask("io.github.discoveryzk.report.Reporter", "report"))
                    .contains("concern=SERVERS", "cannot be used");
        }
        assertThat(view()).isEqualTo(sinceThen);
    }

    @Test
    void discoveryLeavesBeforeItsServerStopsForAnotherList() throws Exception {
        configure(servers);
        untilServing();
        startBackend();
        untilAsserted(() -> assertThat(state()).contains("SETTLED"));
        List<Boolean> served = new ArrayList<>();
        context.addServiceListener(
                (AllServiceListener) event -> {
                    if (event.getType() == ServiceEvent.UNREGISTERING) {
                        served.add(!Ports.isFree(Integer.parseInt(address.replaceFirst(".*:", ""))));
                    }
                },
                "(objectClass=io.github.discoveryzk.spi.ClusterBackend)");
        String other = "127.0.0.1:" + Ports.free();
        configure(other);
        untilAsserted(() -> assertThat(connectString()).isEqualTo(other));
        untilAsserted(() -> assertThat(served).startsWith(true));
        untilServing();
        untilAsserted(() -> assertThat(state()).contains("SETTLED"));
    }

    private String findings() {
        return ask("io.github.discoveryzk.report.AddedSection", "findings");
    }

    private String state() {
        String report = ask("io.github.discoveryzk.report.Reporter", "report");
        return report.substring(0, Math.min(2_000, report.length()));
    }

    private Bundle bundle() {
        return Stream.of(context.getBundles())
                .filter(each -> each.getSymbolicName().equals("io.github.discoveryzk.zk.server"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("thorough")
    void anUpdateLeavesNothingBehind() throws Exception {
        configure(servers);
        untilServing();
        startBackend();
        untilAsserted(() -> assertThat(state()).contains("SETTLED"));
        String view = view();
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        update(loaders);
        update(loaders);
        Footprint first = footprint();
        for (int i = 2; i < UPDATES; i++) {
            update(loaders);
        }
        awaitThat("the class loaders to go", () -> {
            System.gc();
            return loaders.stream().noneMatch(each -> each.get() != null);
        });
        untilAsserted(() -> {
            Footprint last = footprint();
            assertThat(last.threads()).isLessThanOrEqualTo(first.threads() + 2);
            assertThat(last.heap()).isLessThan(first.heap() + 5 * MEGABYTE);
        });
        // Snapshots and logs are purged to three, and a start makes one more of each.
        assertThat(footprint().files()).isLessThanOrEqualTo(first.files() + 6);
        untilAsserted(() -> assertThat(state()).contains("SETTLED"));
        assertThat(view()).as("no update changed the view").isEqualTo(view);
    }

    private String view() {
        return state().replaceFirst("(?s).*?number=(\\d+).*", "$1");
    }

    private void update(List<WeakReference<ClassLoader>> loaders) throws Exception {
        loaders.add(new WeakReference<>(bundle().adapt(BundleWiring.class).getClassLoader()));
        bundle().update();
        CountDownLatch refreshed = new CountDownLatch(1);
        framework.adapt(FrameworkWiring.class).refreshBundles(List.of(bundle()), event -> refreshed.countDown());
        assertThat(refreshed.await(Limit.millis(), TimeUnit.MILLISECONDS)).isTrue();
        untilServing();
    }

    private record Footprint(int threads, long heap, long files) {}

    private Footprint footprint() throws IOException {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        try (Stream<Path> files = Files.walk(folder.resolve("felix"))) {
            return new Footprint(
                    Thread.activeCount(),
                    runtime.totalMemory() - runtime.freeMemory(),
                    files.filter(file -> file.toString().contains("discovery-zk-server"))
                            .count());
        }
    }
}
