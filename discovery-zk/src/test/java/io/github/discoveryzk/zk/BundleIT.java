// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.spi.StoreObserver;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.testing.OneServer;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;

/** What is in the bundle, and that it is all it takes. */
class BundleIT {
    private static final File BUNDLE = new File(System.getProperty("bundle.jar"));

    private static String header(String name) throws Exception {
        try (JarFile jar = new JarFile(BUNDLE)) {
            Attributes attributes = jar.getManifest().getMainAttributes();
            return attributes.getValue(name);
        }
    }

    @Test
    void importsWhatNotEachJdkHas() throws Exception {
        assertThat(header("Import-Package"))
                .containsPattern("com\\.sun\\.management;resolution:=optional")
                .containsPattern("sun\\.misc;resolution:=optional");
    }

    @Test
    void carriesTheLicencesOfWhatIsInside() throws Exception {
        try (JarFile jar = new JarFile(BUNDLE)) {
            for (String name : List.of(
                    "LICENSE",
                    "NOTICE",
                    "FastDoubleParser-LICENSE",
                    "FastDoubleParser-ThirdParty-LICENSE",
                    "Schubfach-LICENSE")) {
                assertThat(jar.getEntry("META-INF/" + name)).as(name).isNotNull();
            }
            String notice = new String(
                    jar.getInputStream(jar.getEntry("META-INF/NOTICE")).readAllBytes(), StandardCharsets.UTF_8);
            assertThat(notice)
                    .contains("Apache Curator", "Apache ZooKeeper", "Netty", "Jackson", "Guava", "MIT License");
        }
    }

    @Test
    void isSmall() {
        assertThat(BUNDLE).content().hasSizeLessThan(6_000_000);
    }

    /** The classes of Curator that lack a class of Guava. None of them is used: collections serve loops of retries and sorted children. */
    @Test
    void whatCuratorNeedsOfGuavaIsInside() {
        StringWriter report = new StringWriter();
        PrintWriter writer = new PrintWriter(report);
        ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(
                        writer,
                        writer,
                        "--multi-release",
                        "17",
                        "-verbose:class",
                        "-e",
                        ".*\\.shaded\\..*",
                        BUNDLE.getPath());
        assertThat(report.toString()
                        .lines()
                        .filter(line -> line.contains(" not found")
                                && line.contains(".shaded.")
                                && !line.contains("errorprone"))
                        .map(line -> line.trim().replaceFirst(" .*", "").replaceFirst("\\$.*", ""))
                        .distinct())
                .containsExactlyInAnyOrder(
                        "org.apache.curator.SessionFailRetryLoop",
                        "org.apache.curator.utils.CloseableExecutorService",
                        "org.apache.curator.utils.ZKPaths");
    }

    @Test
    void offersTheComponentWithItsConfiguration() throws Exception {
        assertThat(header("Provide-Capability")).contains("io.github.discoveryzk.spi.ClusterBackend");
        try (JarFile jar = new JarFile(BUNDLE)) {
            assertThat(jar.getEntry("OSGI-INF/metatype/" + ZooKeeperBackend.class.getPackageName()
                            + ".ZooKeeperBackendConfig.xml"))
                    .isNotNull();
        }
    }

    @Test
    void needsNoOtherJarToReachAServer(@TempDir Path data) throws Exception {
        List<URL> path = new ArrayList<>();
        path.add(BUNDLE.toURI().toURL());
        for (Class<?> neighbour : List.of(StoreObserver.class, Logger.class, BundleContext.class)) {
            path.add(neighbour.getProtectionDomain().getCodeSource().getLocation());
        }
        List<String> notified = new CopyOnWriteArrayList<>();
        List<String> found = new CopyOnWriteArrayList<>();
        try (TestServer server = new TestServer(data);
                URLClassLoader alone = new RecordingLoader(path.toArray(URL[]::new), found)) {
            Class<?> config = alone.loadClass(ZooKeeperStoreConfig.class.getName());
            Class<?> observer = alone.loadClass(StoreObserver.class.getName());
            Class<?> type = alone.loadClass(ZooKeeperStore.class.getName());
            Object store = type.getConstructor(config)
                    .newInstance(config.getMethod("of", String.class).invoke(null, server.address()));
            Object listener = Proxy.newProxyInstance(alone, new Class<?>[] {observer}, (proxy, method, arguments) -> {
                notified.add(method.getName());
                return null;
            });
            type.getMethod("open", observer).invoke(store, listener);
            await().atMost(OneServer.LONG).until(() -> notified.contains("observed"));
            type.getMethod("close").invoke(store);
        }
        assertThat(notified).startsWith("connected", "observed");
        // The plain client of ZooKeeper itself refers to these two; the rest of Netty is for TLS only.
        assertThat(found.stream().filter(name -> name.startsWith("io.netty.")))
                .allMatch(name -> name.matches("io\\.netty\\.handler\\.ssl\\.(Delegating)?SslContext"));
    }

    /** Records the names of the classes that it finds. */
    private static final class RecordingLoader extends URLClassLoader {
        private final List<String> found;

        private RecordingLoader(URL[] path, List<String> found) {
            super(path, ClassLoader.getPlatformClassLoader());
            this.found = found;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            found.add(name);
            return super.findClass(name);
        }
    }
}
