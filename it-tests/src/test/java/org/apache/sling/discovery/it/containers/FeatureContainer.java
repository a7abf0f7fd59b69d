// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.it.outside.Limit;
import org.apache.sling.discovery.it.outside.Server;
import org.apache.sling.discovery.launcher.Ports;

/** The feature archive, started by Sling's feature launcher in its own process. It reaches no repository. */
final class FeatureContainer implements TestedContainer {

    private static final Path LAUNCHER = Path.of(System.getProperty("sling.launcher"));

    private final Path home;
    private final int http = Ports.free();
    private final Process process;

    private FeatureContainer() throws IOException {
        Path parent = Files.createDirectories(Path.of(System.getProperty("work.directory"), "containers"));
        home = Files.createTempDirectory(parent, "launcher");
        ProcessBuilder command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // Neither the local Maven repository of this machine nor a remote one.
                "-Duser.home=" + home,
                "-cp",
                LAUNCHER.resolve("lib") + "/*",
                "org.apache.sling.feature.launcher.impl.Main",
                "-f",
                LAUNCHER.resolveSibling("discovery-sling-discovery.far").toString(),
                "-u",
                "http://127.0.0.1:" + Ports.free() + "/",
                "-V",
                "http.port=" + http,
                "-V",
                "discovery.servers=" + Server.address(),
                "-V",
                "discovery.cluster=" + cluster(),
                "-D",
                "org.apache.sling.discovery.instanceId=" + id());
        process = command.directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output().toFile())
                .start();
    }

    /** Starts the launcher, and waits for its framework. Before, Felix replaces servlets, and logs an error for each request that meets one of them. */
    static FeatureContainer start() throws IOException {
        FeatureContainer container = new FeatureContainer();
        Limit.awaitThat("the framework is started", () -> container.log().contains("[INFO] Framework started"));
        Limit.awaitThat("the container listens", () -> !Ports.isFree(container.http));
        return container;
    }

    private Path output() {
        return home.resolve("output");
    }

    @Override
    public URI console() {
        return URI.create("http://127.0.0.1:" + http + "/system/console");
    }

    @Override
    public String cluster() {
        return "feature";
    }

    @Override
    public String id() {
        return "feature";
    }

    @Override
    public List<String> log() {
        try {
            return Files.readAllLines(output());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(Limit.millis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
