// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it;

import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.ops4j.pax.exam.CoreOptions.junitBundles;
import static org.ops4j.pax.exam.CoreOptions.systemPackages;
import static org.ops4j.pax.exam.CoreOptions.systemTimeout;
import static org.ops4j.pax.exam.CoreOptions.workingDirectory;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.outside.Limit;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.TestProbeBuilder;

/** The options of the containers. */
final class Setup {

    private static final String[] OUTSIDE = {
        "org.apache.sling.discovery.it.outside", "org.apache.sling.discovery.it.cluster"
    };

    private Setup() {}

    /** Returns the minimal container for the bundles: declarative services with their dependencies, and a log. */
    static Option minimalContainer(Class<?> test) {
        return composite(
                workingDirectory(directory(test, "framework").toString()),
                systemTimeout(Limit.millis()),
                systemPackages(OUTSIDE),
                frameworkProperty("felix.service.urlhandlers").value("false"),
                junitBundles(),
                bundles("assertj-core", "byte-buddy"),
                bundles("slf4j-api", "slf4j-simple"),
                bundles("org.osgi.util.function", "org.osgi.util.promise", "org.osgi.service.component"),
                bundles("org.apache.felix.scr"));
    }

    static Option ourBundles() {
        return bundles("discovery-api", "discovery-commons", "discovery-base", "discovery-zk", "discovery-webconsole");
    }

    /** The shell of Felix, without a terminal. */
    static Option shell() {
        return bundles("org.apache.felix.gogo.runtime", "org.apache.felix.gogo.command");
    }

    /** Returns a container whose configuration admin has the address of the server before the first bundle needs it. */
    static Option configuredContainer(Class<?> test, Map<String, String> settings) {
        Path store = directory(test, "configurations");
        Path file = store.resolve("org/apache/sling/discovery/zk.config");
        String content = Stream.concat(Stream.of(Map.entry("service.pid", Container.PID)), settings.entrySet().stream())
                .map(entry -> entry.getKey() + "=\"" + entry.getValue() + "\"\n")
                .collect(Collectors.joining());
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return composite(
                minimalContainer(test),
                frameworkProperty("felix.cm.dir").value(store.toString()),
                bundles("org.apache.felix.configadmin"));
    }

    static Option bundles(String... names) {
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
        return probe.setHeader("Import-Package", String.join(",", OUTSIDE));
    }

    static Path directory(Class<?> test, String name) {
        Path parent = Path.of(System.getProperty("work.directory"), test.getSimpleName());
        try {
            return Files.createTempDirectory(Files.createDirectories(parent), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
