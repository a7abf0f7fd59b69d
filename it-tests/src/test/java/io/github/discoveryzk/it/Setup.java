// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.ops4j.pax.exam.CoreOptions.junitBundles;
import static org.ops4j.pax.exam.CoreOptions.systemPackages;
import static org.ops4j.pax.exam.CoreOptions.systemTimeout;
import static org.ops4j.pax.exam.CoreOptions.workingDirectory;

import io.github.discoveryzk.it.outside.Limit;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.TestProbeBuilder;

/** The options of the containers: bundles are files of the build, and each container has folders of its own. */
public final class Setup {

    /** The framework property with the path of the log. */
    public static final String LOG = "it.log";

    /** The framework property with the port of the HTTP service. */
    static final String PORT = "org.osgi.service.http.port";

    /** Their classes are those outside, shared by all containers. */
    private static final String[] SHARED = {"io.github.discoveryzk.it.outside", "io.github.discoveryzk.it.cluster"};

    private static final String LOGBACK =
            "<configuration><appender name='LOG' class='ch.qos.logback.core.FileAppender'>"
                    + "<file>%s</file><encoder><charset>UTF-8</charset><pattern>%%-5level %%logger - %%msg%%n</pattern></encoder>"
                    + "</appender><root level='INFO'><appender-ref ref='LOG'/></root></configuration>";

    private Setup() {}

    /** Returns the minimal container for the bundles: declarative services with their dependencies, and a log in a file. */
    static Option minimalContainer(Class<?> test) {
        Path folder = directory(test, "framework");
        Path log = folder.resolveSibling(folder.getFileName() + ".log");
        return composite(
                workingDirectory(folder.toString()),
                systemTimeout(Limit.millis()),
                systemPackages(SHARED),
                // The factory of such handlers is one for the process.
                frameworkProperty("felix.service.urlhandlers").value("false"),
                frameworkProperty("org.ops4j.pax.logging.skipJUL").value("true"),
                frameworkProperty("org.ops4j.pax.logging.StaticLogbackFile")
                        .value(write(folder.resolveSibling(folder.getFileName() + ".xml"), LOGBACK.formatted(log))),
                frameworkProperty(LOG).value(log.toString()),
                junitBundles(),
                bundles("assertj-core", "byte-buddy"),
                bundles("pax-logging-api", "pax-logging-logback"),
                bundles("org.osgi.util.function", "org.osgi.util.promise", "org.osgi.service.component"),
                bundles("org.apache.felix.scr"));
    }

    public static Option ourBundles() {
        return bundles(
                "discovery-api",
                "discovery-commons",
                "discovery-base",
                "discovery-connectors",
                "discovery-zk",
                "discovery-webconsole");
    }

    /** The shell of Felix, without a terminal. */
    static Option shell() {
        return bundles("org.apache.felix.gogo.runtime", "org.apache.felix.gogo.command");
    }

    /** Returns a container whose configuration admin has the address of the server before the first bundle needs it. */
    static Option configuredContainer(Class<?> test, Map<String, ?> settings) {
        Path store = directory(test, "configurations");
        write(
                store.resolve("io/github/discoveryzk/zk.config"),
                Stream.concat(Stream.of(Map.entry("service.pid", Container.PID)), settings.entrySet().stream())
                        .map(entry -> entry.getKey() + "=\"" + entry.getValue() + "\"\n")
                        .collect(Collectors.joining()));
        return composite(
                minimalContainer(test),
                frameworkProperty("felix.cm.dir").value(store.toString()),
                bundles("org.apache.felix.configadmin"));
    }

    /** Returns the container of an instance of that name, which is a member of a cluster. */
    public static Option member(Class<?> test, Map<String, ?> settings, String instanceId) {
        return composite(
                configuredContainer(test, settings),
                frameworkProperty("io.github.discoveryzk.instanceId").value(instanceId));
    }

    /** Offers a port to the HTTP service that may be installed. */
    public static Option http(int port) {
        return composite(
                frameworkProperty("org.apache.felix.http.host").value("127.0.0.1"),
                frameworkProperty(PORT).value(String.valueOf(port)));
    }

    public static Option bundles(String... names) {
        return composite(Stream.of(names)
                .map(name -> bundle(jar(name).toURI().toString()))
                .toArray(Option[]::new));
    }

    static File jar(String name) {
        File file = new File(System.getProperty("bundles.directory"), name + ".jar");
        if (!file.isFile()) {
            throw new IllegalArgumentException("there is no " + file);
        }
        return file;
    }

    /** Makes the test bundle share the classes outside instead of having its own copies. */
    static TestProbeBuilder probe(TestProbeBuilder probe) {
        return probe.setHeader("Import-Package", String.join(",", SHARED));
    }

    static Path directory(Class<?> test, String name) {
        Path parent = Path.of(System.getProperty("work.directory"), test.getSimpleName());
        try {
            return Files.createTempDirectory(Files.createDirectories(parent), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String write(Path file, String content) {
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, content).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
