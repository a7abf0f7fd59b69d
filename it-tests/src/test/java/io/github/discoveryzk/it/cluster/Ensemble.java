// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import io.github.discoveryzk.launcher.Distribution;
import io.github.discoveryzk.launcher.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Container processes that carry the ensemble themselves. Nothing is configured but the list of servers. */
final class Ensemble implements AutoCloseable {
    private final Path folder;
    private final int sessionMillis;
    private final Distribution distribution = new Distribution(Path.of(System.getProperty("discovery.distribution")));
    private final Map<String, ContainerProcess> running = new HashMap<>();
    private final List<ContainerProcess> all = new ArrayList<>();

    Ensemble(Path folder, int sessionMillis) {
        this.folder = folder;
        this.sessionMillis = sessionMillis;
    }

    /** Returns a list of servers with free ports of this machine. */
    static String servers(int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> "127.0.0.1:" + Ports.free() + ":" + Ports.free() + ":" + Ports.free())
                .collect(Collectors.joining(", "));
    }

    /** Starts the container of an instance, with this list. */
    ContainerProcess start(String id, String servers) throws Exception {
        ContainerSettings settings = new ContainerSettings(
                        folder.resolve(id),
                        Ports.free(),
                        Map.of("sessionTimeoutMillis", sessionMillis),
                        Map.of(),
                        Map.of(),
                        List.of(),
                        Optional.empty(),
                        Map.of("servers", servers))
                .withFrameworkProperty("io.github.discoveryzk.instanceId", id);
        ContainerProcess container = ContainerProcess.start(distribution, settings);
        running.put(id, container);
        all.add(container);
        return container;
    }

    ContainerProcess get(String id) {
        return running.get(id);
    }

    /** Ends a container by force. */
    void kill(String id) {
        ContainerProcess container = running.remove(id);
        container.kill();
        Limit.awaitThat("the end of " + id, () -> !container.isAlive());
    }

    /** Stops a container and waits for its end. */
    void stop(String id) {
        running.remove(id).close();
    }

    /** Waits until all running containers are settled in a view with these members. */
    void awaitMembers(String... ids) {
        Limit.await("a view of " + List.of(ids)).untilAsserted(() -> {
            for (ContainerProcess container : running.values()) {
                Optional<EventLine> last = Containers.last(container);
                if (last.filter(event ->
                                event.settles() && Set.copyOf(event.order()).equals(Set.of(ids)))
                        .isEmpty()) {
                    throw new AssertionError(container.name() + ": " + last + "\n" + said());
                }
            }
        });
    }

    /** Returns what each server has said of itself, and the end of each log. */
    private String said() throws IOException {
        StringBuilder said = new StringBuilder();
        for (ContainerProcess container : running.values()) {
            said.append(container.name()).append(":\n");
            Files.readAllLines(container.log()).stream()
                    .filter(line -> line.contains("discovery.zk.server."))
                    .forEach(line -> said.append(line).append('\n'));
            said.append(tail(container)).append('\n');
        }
        return said.toString();
    }

    static String tail(ContainerProcess container) throws IOException {
        List<String> lines = Files.readAllLines(container.log());
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    /** Waits until the log of a container has a text. */
    void awaitLog(String id, String text) {
        Limit.await(id + " logs " + text).untilAsserted(() -> {
            if (!log(id).contains(text)) {
                throw new AssertionError(log(id));
            }
        });
    }

    /** Returns the log of all runs of a container. */
    String log(String id) throws IOException {
        return Files.readString(folder.resolve(id).resolve("instance.log"));
    }

    /** Returns the number of the last view of a container. */
    long view(String id) {
        return Containers.last(running.get(id)).orElseThrow().view();
    }

    /** Removes what ZooKeeper has stored for a container that is stopped. */
    void loseData(String id) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(id).resolve("felix"))) {
            for (Path file : files.filter(file -> file.getParent().endsWith("discovery-zk-server/data/version-2"))
                    .toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() {
        all.forEach(ContainerProcess::stop);
        all.forEach(ContainerProcess::close);
    }
}
