// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.it.chaos.Limits.awaitThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.sling.discovery.launcher.Distribution;

/** Containers on an ensemble, each with its own proxies to the servers, and the folder that they record into. */
final class Fleet implements AutoCloseable {

    static final int SESSION_MILLIS = 3_000;
    static final int SETTLE_MILLIS = 4_000;

    /** What a container needs for discovery; a console would only make its start longer. */
    private static final List<String> NEEDED = List.of(
            "discovery-api",
            "discovery-base",
            "discovery-commons",
            "discovery-zk",
            "org.apache.felix.configadmin",
            "org.apache.felix.metatype",
            "org.apache.felix.scr",
            "org.osgi.",
            "pax-logging-");

    private final Ensemble ensemble;
    private final Path recordings;
    private final List<Node> nodes = new ArrayList<>();

    private Fleet(Ensemble ensemble, Path recordings) {
        this.ensemble = ensemble;
        this.recordings = recordings;
    }

    /** Starts an ensemble and that many containers below a folder, and waits until they are settled in one view. */
    static Fleet start(Path folder, int size) throws Exception {
        return start(folder, size, bare(folder));
    }

    /** Starts them from a distribution. */
    static Fleet start(Path folder, int size, Distribution distribution) throws Exception {
        Path recordings = Files.createDirectories(folder.resolve("recordings"));
        Path recorder = RecorderBundle.write(folder.resolve("recorder.jar"));
        Fleet fleet = new Fleet(Ensemble.start(folder.resolve("servers")), recordings);
        try {
            for (int i = 0; i < size; i++) {
                fleet.nodes.add(new Node(
                        "i" + (i + 1),
                        folder.resolve("containers"),
                        recordings,
                        recorder,
                        distribution,
                        fleet.ensemble));
            }
            for (Node node : fleet.nodes) {
                node.start();
            }
            fleet.awaitSettled();
            return fleet;
        } catch (Exception | Error e) {
            fleet.close();
            throw e;
        }
    }

    /** All that the build has put together. */
    static Distribution whole() {
        return new Distribution(Path.of(System.getProperty("discovery.distribution")));
    }

    private static Distribution bare(Path folder) throws IOException {
        Path bundles = Files.createDirectories(folder.resolve("distribution/bundles"));
        try (Stream<Path> files = Files.list(whole().home().resolve("bundles"))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (NEEDED.stream().anyMatch(name::startsWith)) {
                    Files.copy(file, bundles.resolve(name));
                }
            }
        }
        return new Distribution(folder.resolve("distribution"));
    }

    Ensemble ensemble() {
        return ensemble;
    }

    Path recordings() {
        return recordings;
    }

    List<Node> nodes() {
        return List.copyOf(nodes);
    }

    Node node(int index) {
        return nodes.get(index);
    }

    /** The index of the node that all hold for the leader; to be asked while they are settled. */
    int leader() {
        List<String> order = nodes.stream()
                .filter(Node::runs)
                .findFirst()
                .flatMap(Node::settledIn)
                .map(Recording.Heard::ids)
                .orElse(List.of());
        return IntStream.range(0, nodes.size())
                .filter(i -> !order.isEmpty() && nodes.get(i).name().equals(order.get(0)))
                .findFirst()
                .orElse(0);
    }

    /** The number of the newest view that anybody has heard of. */
    long views() {
        return nodes.stream()
                .flatMap(node -> node.last().stream())
                .mapToLong(Recording.Heard::view)
                .max()
                .orElse(0);
    }

    /** Whether all that run are settled in one view, which has them and nobody else as members. */
    boolean isSettled() {
        return isSettled(nodes.stream().filter(Node::runs).toList());
    }

    private static boolean isSettled(List<Node> running) {
        List<Recording.Heard> last =
                running.stream().flatMap(node -> node.settledIn().stream()).toList();
        return last.size() == running.size()
                && last.stream().map(Recording.Heard::view).distinct().count() == 1
                && last.get(0).order().size() == running.size()
                && running.stream().allMatch(node -> last.get(0).order().stream()
                        .anyMatch(seat -> seat.process().equals(node.process())));
    }

    void awaitSettled() {
        awaitThat("all that run are settled in one view", this::isSettled);
    }

    /** Waits until all but one that run are settled in one view without that one. */
    void awaitSettledWithout(int index) {
        Node out = nodes.get(index);
        awaitThat(
                "all but " + out.name() + " are settled in one view",
                () -> isSettled(nodes.stream()
                        .filter(node -> node != out && node.runs())
                        .toList()));
    }

    /** Waits until a container has been told CHANGING and nothing since. */
    void awaitChanging(int index) {
        Node node = nodes.get(index);
        awaitThat(node.name() + " hears CHANGING", () -> node.last()
                .filter(heard -> heard.type().equals(Recording.Heard.CHANGING))
                .isPresent());
    }

    /** Waits until all have been settled for that long, and returns since when the quiet was certain. */
    long awaitCalm(Duration calm) {
        AtomicLong since = new AtomicLong(System.nanoTime());
        AtomicLong view = new AtomicLong();
        awaitThat("all that run are settled in one view and stay so", () -> {
            long now = System.nanoTime();
            if (!isSettled() || view.getAndSet(views()) != views()) {
                since.set(now);
            }
            return now - since.get() >= calm.toNanos();
        });
        return since.get();
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        ensemble.close();
    }
}
