// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts real containers from the distribution. */
@Timeout(180)
class LauncherIT {

    private static final Distribution DISTRIBUTION = new Distribution(Path.of(System.getProperty("launcher.home")));
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void aContainerShowsItsConsoleReportsItsEventsAndLeavesCleanly() throws Exception {
        Path directory = folder.resolve("with space").resolve("instance-1");
        ContainerSettings settings = ContainerSettings.of(directory, Ports.free(), "127.0.0.1:" + Ports.free())
                .withFrameworkProperty("example.property", "value")
                .withBundle(TestBundle.withActivator(folder.resolve("events.jar"), EventLogger.class))
                .withBundle(TestBundle.unresolvable(folder.resolve("unresolvable.jar")));

        try (ContainerProcess container = ContainerProcess.start(DISTRIBUTION, settings)) {
            container.awaitStarted(LIMIT);

            assertThat(status(container, "wrong")).isEqualTo(401);
            assertThat(status(container, "admin")).isEqualTo(200);
            assertThat(container.lines())
                    .contains("an event of größe")
                    .anyMatch(line -> line.startsWith("bundle unresolvable did not start: "))
                    .noneMatch(line -> line.contains("else") || line.contains("printed"));

            container.stop();
            assertThat(container.onExit().get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(143);
            assertThat(container.lines()).contains("goodbye");
            assertThat(container.log()).content().contains("something else", "an event", "goodbye", "printed value");
        }
    }

    @Test
    void aBundleKeepsItsDataOverARestartAndGoesWhenItIsNoLongerWanted() throws Exception {
        ContainerSettings settings =
                ContainerSettings.of(folder.resolve("instance-1"), Ports.free(), "127.0.0.1:" + Ports.free());
        Path jar = folder.resolve("events.jar");

        TestBundle.withActivator(jar, EventLogger.class);
        assertThat(linesOfARun(settings.withBundle(jar))).contains("start 1");
        assertThat(linesOfARun(settings.withBundle(jar))).contains("start 2");
        // Built again, so that it must be updated.
        TestBundle.withActivator(jar, EventLogger.class);
        assertThat(linesOfARun(settings.withBundle(jar))).contains("start 3");
        assertThat(linesOfARun(settings)).noneMatch(line -> line.startsWith("start "));
    }

    @Test
    void aContainerThatCannotStartSaysWhy() throws Exception {
        Path directory = folder.resolve("instance-1");
        ContainerSettings settings = ContainerSettings.of(directory, Ports.free(), "127.0.0.1:" + Ports.free())
                .withFrameworkProperty(
                        "org.osgi.framework.storage",
                        Files.writeString(folder.resolve("file"), "x").toString());

        try (ContainerProcess container = ContainerProcess.start(DISTRIBUTION, settings)) {
            assertThatThrownBy(() -> container.awaitStarted(LIMIT))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContaining("instance-1 ended with exit code 1")
                    .hasMessageContaining("BundleException");
        }
    }

    @Test
    void nothingOutlivesAKilledLauncher() throws Exception {
        String port = Integer.toString(Ports.free());
        Process launcher =
                launcher("-n", "1", "--port", port, "--http-address", "127.0.0.2", "--dir", folder + "/state");
        try {
            await().atMost(LIMIT).until(() -> output().contains("following the events"));
            assertThat(output()).contains("http://127.0.0.2:" + port + "/");
            assertThat(Ports.isFree(Integer.parseInt(port))).as("only there").isTrue();
            ProcessHandle container = launcher.children().findFirst().orElseThrow();

            launcher.destroyForcibly().waitFor();

            await().atMost(LIMIT).until(() -> !container.isAlive());
        } finally {
            launcher.destroyForcibly();
        }
    }

    @Test
    void theCommandStopsWhatItStarted() throws Exception {
        Process launcher = launcher("-n", "2", "--port", twoPorts(), "--dir", folder + "/state");
        try {
            await().atMost(LIMIT).until(() -> output().contains("following the events"));
            List<ProcessHandle> containers = launcher.children().toList();
            assertThat(containers).hasSize(2);

            containers.get(0).destroyForcibly();
            await().atMost(LIMIT).until(() -> output().contains("instance-1 | ended with exit code 137"));
            assertThat(containers.get(1).isAlive()).isTrue();

            launcher.toHandle().destroy();
            assertThat(launcher.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(containers).noneMatch(ProcessHandle::isAlive);
            // Events received while the instances leave are shown in between.
            assertThat(output()).containsSubsequence("stopping\n", "stopped\n");
        } finally {
            launcher.destroyForcibly();
        }
    }

    private List<String> linesOfARun(ContainerSettings settings) throws Exception {
        try (ContainerProcess container = ContainerProcess.start(DISTRIBUTION, settings)) {
            container.awaitStarted(LIMIT);
            return container.lines();
        }
    }

    private Process launcher(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Distribution.java(),
                "-cp",
                DISTRIBUTION.home().resolve("lib") + File.separator + "*",
                Launcher.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }

    /** Returns the first of two ports in a row that are free. */
    private static String twoPorts() {
        int port = Ports.free();
        while (port == 65_535 || !Ports.isFree(port + 1)) {
            port = Ports.free();
        }
        return Integer.toString(port);
    }

    private static int status(ContainerProcess container, String password) throws Exception {
        String credentials = Base64.getEncoder()
                .encodeToString((ContainerProcess.CONSOLE_USER + ":" + password).getBytes(StandardCharsets.UTF_8));
        URI bundles = container.consoleUri().resolve("bundles");
        HttpRequest request = HttpRequest.newBuilder(bundles)
                .header("Authorization", "Basic " + credentials)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
