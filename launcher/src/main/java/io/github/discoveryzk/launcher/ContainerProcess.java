// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A container in its own process. It ends when it is stopped, when it is killed, or when this process ends, for any reason.
 * Safe for use by any thread.
 */
@ThreadsAndClocks
public final class ContainerProcess implements AutoCloseable {

    /** The name and the password of the console user. */
    public static final String CONSOLE_USER = "admin";

    /** The framework property with the size of the heap, as {@code -Xmx} takes it. */
    public static final String HEAP = "io.github.discoveryzk.launcher.heap";

    /** The framework property with the words that begin the command of the process, as {@code nsenter} wants it; separated by spaces. */
    public static final String PREFIX = "io.github.discoveryzk.launcher.prefix";

    /** The framework property with the address at which the console listens. */
    static final String HTTP_HOST = "org.apache.felix.http.host";

    private static final String LOG_FILE = "instance.log";
    private static final String PROPERTIES_FILE = "framework.properties";
    private static final String LOGBACK_FILE = "logback.xml";
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final long POLL_MILLIS = 100;
    private static final int KEPT_LINES = 10_000;
    private static final int TAIL_LINES = 15;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ANSWER_LIMIT)
            .build();

    private final ContainerSettings settings;
    private final Process process;
    private final Consumer<String> listener;
    private final Deque<String> lines = new ArrayDeque<>();
    private final CompletableFuture<Void> bundlesStarted = new CompletableFuture<>();
    private final CompletableFuture<Void> outputEnded = new CompletableFuture<>();
    private final CompletableFuture<Integer> exit;

    private ContainerProcess(ContainerSettings settings, Process process, Consumer<String> listener) {
        this.settings = settings;
        this.process = process;
        this.listener = listener;
        this.exit = process.onExit().thenCombine(outputEnded, (ended, nothing) -> ended.exitValue());
    }

    /** Starts a container whose lines are only kept. */
    public static ContainerProcess start(Distribution distribution, ContainerSettings settings) throws LaunchException {
        return start(distribution, settings, line -> {});
    }

    /**
     * Starts a container and returns before it is ready.
     *
     * @param listener receives each line to be shown to the user, one after the other, on a separate thread, beginning before
     *     this method returns; it must not block
     * @throws LaunchException if it cannot be started
     */
    public static ContainerProcess start(
            Distribution distribution, ContainerSettings settings, Consumer<String> listener) throws LaunchException {
        Path directory = settings.directory();
        try {
            Files.createDirectories(directory);
            DiscoveryConfiguration.write(directory.resolve("config"), settings);
            writeProperties(settings);
            try (InputStream logback = ContainerProcess.class.getResourceAsStream(LOGBACK_FILE)) {
                Files.copy(logback, directory.resolve(LOGBACK_FILE), StandardCopyOption.REPLACE_EXISTING);
            }
            Writer log = Files.newBufferedWriter(
                    directory.resolve(LOG_FILE), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Process process = new ProcessBuilder(command(distribution, settings))
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            ContainerProcess container = new ContainerProcess(settings, process, listener);
            Thread reader = new Thread(() -> container.read(log), settings.name() + "-output");
            reader.setDaemon(true);
            reader.start();
            return container;
        } catch (IOException e) {
            throw new LaunchException("cannot start " + settings.name() + " in " + directory, e);
        }
    }

    private static List<String> command(Distribution distribution, ContainerSettings settings) {
        List<String> command = new ArrayList<>();
        Optional.ofNullable(settings.frameworkProperties().get(PREFIX))
                .ifPresent(prefix -> command.addAll(List.of(prefix.split(" "))));
        command.addAll(List.of(
                Distribution.java(),
                "-Xmx" + settings.frameworkProperties().getOrDefault(HEAP, "256m"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dfile.encoding=UTF-8",
                "-Djava.awt.headless=true",
                "-cp",
                Distribution.containerClassPath(),
                Container.class.getName(),
                settings.directory().resolve(PROPERTIES_FILE).toString(),
                distribution.bundles().toAbsolutePath().toString()));
        settings.addedBundles().forEach(jar -> command.add(jar.toAbsolutePath().toString()));
        return command;
    }

    /** Writes the framework properties, of which those of the settings win. */
    private static void writeProperties(ContainerSettings settings) throws IOException {
        Path directory = settings.directory();
        Properties properties = new Properties();
        properties.put("org.osgi.framework.storage", directory.resolve("felix").toString());
        properties.put("org.osgi.framework.startlevel.beginning", "3");
        properties.put("felix.cm.dir", directory.resolve("config").toString());
        properties.put(HTTP_HOST, Ports.HOST);
        properties.put("org.osgi.service.http.port", Integer.toString(settings.httpPort()));
        properties.put("gosh.args", "--nointeractive");
        properties.put("org.ops4j.pax.logging.StaticLogbackFile", LOGBACK_FILE);
        properties.put("org.ops4j.pax.logging.DefaultServiceLog.level", "WARN");
        properties.putAll(settings.frameworkProperties());
        try (Writer writer = Files.newBufferedWriter(directory.resolve(PROPERTIES_FILE))) {
            properties.store(writer, null);
        }
    }

    /** Returns the name of the instance. */
    public String name() {
        return settings.name();
    }

    /** Returns the id of the process. */
    public long pid() {
        return process.pid();
    }

    /** Returns the address of the topology page. */
    public URI consoleUri() {
        String host = settings.frameworkProperties().getOrDefault(HTTP_HOST, Ports.HOST);
        return URI.create("http://" + (host.equals(Ports.ALL) ? Ports.HOST : host) + ":" + settings.httpPort()
                + "/system/console/topology");
    }

    /** Returns the log file. */
    public Path log() {
        return settings.directory().resolve(LOG_FILE);
    }

    /** Returns the lines to be shown to the user: those of the sample bundle, and problems of bundles. */
    public List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** Tells whether the process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the end of the process. */
    public CompletableFuture<Integer> onExit() {
        return exit.copy();
    }

    /**
     * Waits until all bundles are started and the console answers.
     *
     * @param limit how long to wait
     * @throws LaunchException if the process ends or the time has passed; the message has the end of the log
     * @throws InterruptedException if the thread is interrupted
     */
    public void awaitStarted(Duration limit) throws LaunchException, InterruptedException {
        long start = System.nanoTime();
        while (!(bundlesStarted.isDone() && consoleAnswers())) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new LaunchException(name() + " ended with exit code " + process.exitValue()
                        + " before it was up; the end of " + tail());
            }
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new LaunchException(name() + " was not up at " + consoleUri() + " within " + limit.toSeconds()
                        + " s; the end of " + tail());
            }
        }
    }

    private boolean consoleAnswers() throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(consoleUri()).timeout(ANSWER_LIMIT).build();
        try {
            int status =
                    HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return status == OK || status == UNAUTHORIZED;
        } catch (IOException e) {
            return false;
        }
    }

    private String tail() {
        try {
            List<String> all = Files.readAllLines(log());
            return log() + ":\n" + String.join("\n", all.subList(Math.max(0, all.size() - TAIL_LINES), all.size()));
        } catch (IOException | UncheckedIOException e) {
            return log() + " cannot be read: " + e.getMessage();
        }
    }

    /** Stops the process: the instance leaves its cluster first. Returns immediately. */
    public void stop() {
        // By its handle: destroying the process itself would also close the pipe that carries its last lines.
        process.toHandle().destroy();
    }

    /** Kills the process: the others notice it only when its session has timed out. Returns immediately. */
    public void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Stops the process and waits for it; kills it when that takes too long. */
    @Override
    public void close() {
        stop();
        try {
            if (!process.waitFor(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
                process.waitFor();
            }
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }

    /** Runs on a separate thread until the process closes its output, which it does by ending. */
    private void read(Writer log) {
        try (log;
                BufferedReader output =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(Container.EVENT)) {
                    accept(line.substring(Container.EVENT.length()));
                } else if (line.equals(Container.STARTED)) {
                    bundlesStarted.complete(null);
                } else {
                    log.write(line + "\n");
                    log.flush();
                }
            }
        } catch (IOException e) {
            // A container blocks sooner or later when its output is not read, so it is stopped now.
            kill();
        } finally {
            outputEnded.complete(null);
        }
    }

    private void accept(String line) {
        synchronized (lines) {
            lines.addLast(line);
            if (lines.size() > KEPT_LINES) {
                lines.removeFirst();
            }
        }
        listener.accept(line);
    }
}
