// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server of an ensemble: its files and, while it runs, its process. */
public final class ServerProcess implements AutoCloseable {

    private static final Pattern LEADS = Pattern.compile("(?m)^zk_server_state\\tleader$");
    private static final Pattern NUMBER = Pattern.compile("(?m)^zk_(\\w+)\\t(\\d+)$");
    private static final int ANSWER_MILLIS = 1_000;
    private static final int STOP_SECONDS = 15;

    private final Path folder;
    private final int id;
    private final int clientPort;
    private final List<String> ensemble;
    private Process process;

    /**
     * Makes a server that is not running yet.
     *
     * @param folder the folder with its data
     * @param id its number, from 1
     * @param clientPort the port for its clients
     * @param ensemble the lines of the configuration with the addresses of all servers
     */
    public ServerProcess(Path folder, int id, int clientPort, List<String> ensemble) {
        this.folder = folder;
        this.id = id;
        this.clientPort = clientPort;
        this.ensemble = List.copyOf(ensemble);
    }

    /** Returns the id of the process. */
    public long pid() {
        return process.pid();
    }

    /** Returns what the server has logged. */
    public String log() throws IOException {
        return Files.readString(folder.resolve("server.log"));
    }

    public int clientPort() {
        return clientPort;
    }

    /** Starts the server on the existing data; returns before it serves. */
    public void start() throws IOException {
        start(Map.of());
    }

    /** Starts the server in that environment, in which {@code JDK_JAVA_OPTIONS} may have further options of the virtual machine. */
    public void start(Map<String, String> environment) throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("myid"), id + "\n");
        Path configuration = folder.resolve("zoo.cfg");
        Files.write(configuration, configuration(data));
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dzookeeper.forceSync=no",
                        "-Dzookeeper.enforceQuota=true",
                        "-D" + EnsembleServer.DISK_CONTROL + "=" + control(),
                        "-Dzookeeper.preAllocSize=1024",
                        "-Dzookeeper.jmx.log4j.disable=true",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                        "-Dorg.slf4j.simpleLogger.showDateTime=true",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        EnsembleServer.class.getName(),
                        configuration.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("server.log").toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
    }

    private List<String> configuration(Path data) {
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=" + Ensemble.TICK_MILLIS,
                "initLimit=20",
                // A parted server still answers its clients for that many ticks, which is longer than a lease.
                "syncLimit=16",
                "dataDir=" + data,
                "clientPort=" + clientPort,
                "clientPortAddress=127.0.0.1",
                "admin.enableServer=false",
                "4lw.commands.whitelist=mntr",
                "minSessionTimeout=500",
                "maxSessionTimeout=20000"));
        lines.addAll(ensemble);
        return lines;
    }

    /** Stops the server, and waits for it. */
    public void stop() {
        if (process != null) {
            process.destroy();
            try {
                if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    kill();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Kills the server, and waits for it. */
    void kill() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    /** Removes all data of the server, as a lost disk does. It must not be running. */
    void wipe() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    /** Delays each commit of its log. */
    void slowDisk(Duration each) throws IOException {
        Files.writeString(control(), Long.toString(each.toMillis()));
    }

    private Path control() {
        return folder.resolve("disk.control");
    }

    /** Pauses the server until the result is closed. */
    public Pause pause() throws IOException {
        return Pause.of(process.pid());
    }

    /** Says whether the server leads the others. */
    public boolean isLeader() {
        return LEADS.matcher(status()).find();
    }

    /** Returns how many servers follow this one and are up to date; 0 when it does not lead. */
    public int followers() {
        return numbers().getOrDefault("synced_followers", 0L).intValue();
    }

    /** Returns the numbers that the server reports of itself, by their names without prefix; none while it does not answer. */
    Map<String, Long> numbers() {
        return NUMBER.matcher(status())
                .results()
                .collect(Collectors.toMap(line -> line.group(1), line -> Long.parseLong(line.group(2)), Math::max));
    }

    /** Says whether the server replies and takes part in the ensemble. */
    public boolean isServing() {
        return status().contains("zk_server_state");
    }

    private String status() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", clientPort), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("mntr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        kill();
    }
}
