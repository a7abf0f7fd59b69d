// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.connectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.it.outside.Limit;

/**
 * A cluster of Sling in a process of its own, with the connectors as Sling releases them. It pings when the test says so, and
 * not by time; what expires does so by its clock.
 */
public final class SlingCluster implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int STOP_SECONDS = 30;

    private final Process process;
    private final BufferedReader answers;

    private SlingCluster(Process process) {
        this.process = process;
        answers = process.inputReader(StandardCharsets.UTF_8);
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
                "org.apache.sling.discovery.slingpeer.SlingPeer"));
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
        int port = send(Map.of("do", "join", "member", id, "properties", properties))
                .get("port")
                .asInt();
        return new SlingInstance(this, id, port);
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
    JsonNode send(Map<String, ?> command) {
        try {
            process.getOutputStream().write(JSON.writeValueAsBytes(command));
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            Limit.await("the answer to " + command).until(() -> answers.ready() || !process.isAlive());
            String line = answers.readLine();
            if (line == null) {
                throw new AssertionError("the process has ended before it answered " + command);
            }
            JsonNode answer = JSON.readTree(line);
            if (answer.has("failed")) {
                throw new AssertionError(
                        command + " failed: " + answer.get("failed").asText());
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
                process.getOutputStream().close();
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
