// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.it.outside.Server;
import io.github.discoveryzk.launcher.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Karaf in its own process, as it is published, with the user of the documentation and an empty local repository. It reaches no other
 * than the one that it is given.
 */
final class KarafContainer implements TestedContainer {

    private static final Path HOME = Path.of(System.getProperty("karaf.home"));

    private final String id;
    private final Path base;
    private final int http = Ports.free();
    private final int ssh = Ports.free();
    private final Process process;

    private KarafContainer(String id, Map<String, List<String>> files) throws IOException {
        this.id = id;
        Path parent = Files.createDirectories(Path.of(System.getProperty("work.directory"), "containers"));
        base = Files.createTempDirectory(parent, "karaf");
        configure();
        for (Map.Entry<String, List<String>> file : files.entrySet()) {
            append(file.getKey(), file.getValue().toArray(String[]::new));
        }
        // With a console: it reads the input of the process, so Karaf ends when this process ends, for any reason.
        ProcessBuilder command = command("karaf");
        // The shell becomes the process of Karaf instead of waiting for it.
        command.environment().put("KARAF_EXEC", "exec");
        process = command.redirectOutput(base.resolve("output").toFile()).start();
    }

    /** Starts Karaf with nothing but its own features, for a member on the server of all tests. */
    static KarafContainer start() {
        return start(
                "karaf",
                Map.of(
                        "io.github.discoveryzk.zk.cfg",
                        List.of(
                                "connectString = " + Server.address(),
                                "clusterName = karaf",
                                "sessionTimeoutMillis = " + PlainInstance.SESSION_MILLIS),
                        "system.properties",
                        List.of(Document.block("docs/install.md", "sling.name"))));
    }

    /** Starts Karaf with nothing but its own features, and further lines in its configuration files. */
    static KarafContainer start(String id, Map<String, List<String>> files) {
        try {
            return new KarafContainer(id, files);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ProcessBuilder command(String script, String... arguments) {
        ProcessBuilder command = new ProcessBuilder(
                Stream.concat(Stream.of(HOME.resolve("bin").resolve(script).toString()), Stream.of(arguments))
                        .toList());
        command.environment()
                .putAll(Map.of(
                        "KARAF_HOME", HOME.toString(),
                        "KARAF_BASE", base.toString(),
                        "KARAF_DATA", base.resolve("data").toString(),
                        "KARAF_ETC", base.resolve("etc").toString(),
                        "JAVA_HOME", System.getProperty("java.home"),
                        // Several containers share the home, in which Karaf looks for another one.
                        "CHECK_ROOT_INSTANCE_RUNNING", "false",
                        "JAVA_OPTS", "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"));
        return command.redirectErrorStream(true);
    }

    private void configure() throws IOException {
        Path etc = Files.createDirectories(base.resolve("etc"));
        Files.createDirectories(base.resolve("data/tmp"));
        try (Stream<Path> files = Files.list(HOME.resolve("etc"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, etc.resolve(file.getFileName()));
            }
        }
        append("users.properties", USER + " = " + USER + ",group,admin,manager,viewer,systembundles,ssh");
        run(new ProcessBuilder("bash", "-c", Document.block("docs/install.md", "sed ")).directory(base.toFile()));
        append("org.apache.karaf.shell.cfg", "sshHost = 127.0.0.1", "sshPort = " + ssh);
        append(
                "org.apache.karaf.management.cfg",
                "rmiRegistryPort = " + Ports.free(),
                "rmiServerPort = " + Ports.free());
        append(
                "org.ops4j.pax.web.cfg",
                "org.osgi.service.http.port = " + http,
                "org.ops4j.pax.web.listening.addresses = 127.0.0.1");
        append(
                "org.ops4j.pax.url.mvn.cfg",
                "org.ops4j.pax.url.mvn.localRepository = " + base.resolve("m2"),
                "org.ops4j.pax.url.mvn.repositories =");
        append("system.properties", "io.github.discoveryzk.instanceId = " + id());
    }

    /** Later values of a key win. */
    private void append(String file, String... lines) throws IOException {
        Files.writeString(
                base.resolve("etc").resolve(file),
                "\n" + String.join("\n", lines) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    @Override
    public URI console() {
        return URI.create("http://127.0.0.1:" + http + "/system/console");
    }

    @Override
    public String cluster() {
        return "karaf";
    }

    @Override
    public String id() {
        return id;
    }

    /**
     * Runs a command by Karaf's client in a process of its own; waits for the shell while Karaf starts. The input of the client
     * stays open, because the client ends with it.
     */
    String run(String command) throws IOException, InterruptedException {
        // Until the features of the start are installed, the shell may accept a connection and lose it.
        Limit.awaitThat(id + " has its features", () -> log().stream().anyMatch(line -> line.endsWith("| Done.")));
        long seconds = TimeUnit.MILLISECONDS.toSeconds(Limit.millis());
        String login = "-h 127.0.0.1 -a " + ssh + " -u karaf -p karaf -d 1 -r " + seconds;
        return run(command(
                "client",
                Stream.concat(Stream.of(login.split(" ")), Stream.of(command)).toArray(String[]::new)));
    }

    /** Runs a command of a shell in the folder of Karaf. */
    String runInFolder(String command) throws IOException {
        ProcessBuilder shell = command("client").command("bash", "-c", command);
        return run(shell.directory(HOME.toFile()));
    }

    /** The output is a file, because what the command leaves running would keep a pipe open. */
    private String run(ProcessBuilder command) throws IOException {
        Path output = Files.createTempFile(base, "command", ".output");
        Process process = command.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (process.onExit().join().exitValue() != 0) {
            throw new AssertionError(
                    command.command() + " ended with " + process.exitValue() + ": " + Files.readString(output));
        }
        return Files.readString(output);
    }

    @Override
    public Path logFile() {
        return base.resolve("data/log/karaf.log");
    }

    @Override
    public void close() {
        TestedContainer.end(process);
    }
}
