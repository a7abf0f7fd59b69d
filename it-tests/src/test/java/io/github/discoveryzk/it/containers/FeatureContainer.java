// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A container that a command of the documentation starts with Sling's feature launcher, in a folder with its files and ours. */
final class FeatureContainer implements TestedContainer {

    private static final Path LAUNCHER = Path.of(System.getProperty("sling.launcher"));

    private static final Path FILES =
            Path.of(System.getProperty("distribution.home")).resolve("sling");

    private final Path home;
    private final int http = Ports.free();
    private Process process;

    private FeatureContainer(Path home) {
        this.home = home;
    }

    /** Makes a folder for containers: the one of the launcher, with our files. */
    static Path folder() throws IOException {
        Path parent = Files.createDirectories(Path.of(System.getProperty("work.directory"), "containers"));
        Path folder = Files.createTempDirectory(parent, "launcher");
        Files.createSymbolicLink(folder.resolve("lib"), LAUNCHER.resolve("lib"));
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file : files.toList()) {
                Files.createSymbolicLink(folder.resolve(file.getFileName()), file);
            }
        }
        return folder;
    }

    /** Runs a command in a folder, and waits for its framework. Before, Felix replaces servlets, and logs an error for each request that meets one of them. */
    static FeatureContainer start(Path folder, String command, String... more) throws IOException {
        FeatureContainer container = new FeatureContainer(folder);
        ProcessBuilder shell = new ProcessBuilder(
                "bash", "-c", "exec " + command + " -V http.port=" + container.http + " " + String.join(" ", more));
        // Neither the local Maven repository of this machine nor a remote one.
        shell.environment()
                .put(
                        "JAVA_TOOL_OPTIONS",
                        "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Duser.home=" + folder
                                + " -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=" + Ports.free());
        shell.environment()
                .put("REPOSITORY", folder.resolve("repository").toUri().toString());
        shell.environment().merge("PATH", System.getProperty("java.home") + "/bin", (old, java) -> java + ":" + old);
        container.process = shell.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(container.logFile().toFile())
                .start();
        Limit.awaitThat("the framework is started", () -> container.log().contains("[INFO] Framework started"));
        Limit.awaitThat("the container listens", () -> !Ports.isFree(container.http));
        return container;
    }

    @Override
    public Path logFile() {
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
    public void close() {
        TestedContainer.end(process);
    }
}
