// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.connectors;

import io.github.discoveryzk.it.outside.Limit;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A cluster of Sling in a process of its own, with the connectors as Sling releases them. It pings when the test says so, and
 * not by time; what expires does so by its clock.
 */
public final class SlingCluster implements AutoCloseable {

    private static final int STOP_SECONDS = 30;

    private final Process process;
    private final ObjectOutputStream commands;
    /** Opened with the first answer, because opening waits for it. */
    private ObjectInputStream answers;

    private SlingCluster(Process process) throws IOException {
        this.process = process;
        commands = new ObjectOutputStream(process.getOutputStream());
    }

    /** Starts a cluster without members, with the names of values as in the configuration of Sling. */
    public static SlingCluster start(String id, Map<String, ?> configuration) {
        return start(id, configuration, List.of());
    }

    /** Starts a cluster without members in a Java machine with these options. */
    public static SlingCluster start(String id, Map<String, ?> configuration, List<String> options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.log.org.apache.sling=debug"));
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                Path.of(System.getProperty("sling.peer.home"), "*").toString(),
                "io.github.discoveryzk.slingpeer.SlingPeer"));
        SlingCluster cluster;
        try {
            Path folder = Files.createDirectories(Path.of(System.getProperty("connectors.directory")));
            cluster = new SlingCluster(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(
                            folder.resolve(id + ".log").toFile()))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, Object> values = new TreeMap<>(configuration);
        values.put("clusterId", id);
        cluster.send(values);
        return cluster;
    }

    /** Starts a member, which is the last of the cluster, and its HTTP server. */
    public SlingInstance join(String id, Map<String, String> properties) {
        Map<String, ?> answer = send(Map.of("do", "join", "member", id, "properties", properties));
        return new SlingInstance(this, id, (Integer) answer.get("port"));
    }

    /** Starts a member without properties. */
    public SlingInstance join(String id) {
        return join(id, Map.of());
    }

    /** Takes the view away from all members, or gives it back. */
    public void settle(boolean settled) {
        send(Map.of("do", "settle", "settled", settled));
    }

    /** Sends a command and returns its answer. */
    @SuppressWarnings("unchecked")
    Map<String, ?> send(Map<String, ?> command) {
        try {
            commands.writeObject(command);
            commands.flush();
            Limit.awaitThat(
                    "the answer to " + command, () -> process.getInputStream().available() > 0 || !process.isAlive());
            if (answers == null) {
                answers = new ObjectInputStream(process.getInputStream());
            }
            Map<String, ?> answer = (Map<String, ?>) answers.readObject();
            if (answer.containsKey("failed")) {
                throw new AssertionError(command + " failed: " + answer.get("failed"));
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Kills the process: its members say nothing more. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Stops all members in order. */
    @Override
    public void close() {
        try {
            if (process.isAlive()) {
                commands.close();
            }
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (IOException e) {
            kill();
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }
}
