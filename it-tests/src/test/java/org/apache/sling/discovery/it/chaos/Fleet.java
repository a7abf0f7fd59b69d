// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.it.chaos.Limits.awaitThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.sling.discovery.launcher.Distribution;

/** Containers on an ensemble, each with its own proxies to the servers, and the folder of their recordings. */
final class Fleet implements AutoCloseable {

    static final int SESSION_MILLIS = NodeSettings.SESSION_MILLIS;
    static final int SETTLE_MILLIS = NodeSettings.SETTLE_MILLIS;

    private final Ensemble ensemble;
    private final Path recordings;
    private final ClusterTree tree;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Node> copies = new ArrayList<>();

    private Fleet(Ensemble ensemble, Path recordings) {
        this.ensemble = ensemble;
        this.recordings = recordings;
        this.tree = new ClusterTree(ensemble.connectString(), new ChainRecorder(recordings));
    }

    /** Starts an ensemble and that many containers below a folder, and waits until they are settled in one view. */
    static Fleet start(Path folder, int size) throws Exception {
        return start(folder, Collections.nCopies(size, NodeSettings.PLAIN));
    }

    /** Starts a container for each of these settings; the last one of another version, if there is one. */
    static Fleet start(Path folder, List<NodeSettings> settings) throws Exception {
        Distribution bare = Distributions.bare(folder.resolve("distribution"), Optional.empty());
        List<Distribution> distributions = new ArrayList<>(Collections.nCopies(settings.size(), bare));
        Optional<Path> other = Distributions.otherVersion();
        if (other.isPresent()) {
            distributions.set(settings.size() - 1, Distributions.bare(folder.resolve("other-distribution"), other));
        }
        return start(folder, settings, distributions);
    }

    /** Starts them from a distribution. */
    static Fleet start(Path folder, int size, Distribution distribution) throws Exception {
        return start(folder, Collections.nCopies(size, NodeSettings.PLAIN), Collections.nCopies(size, distribution));
    }

    private static Fleet start(Path folder, List<NodeSettings> settings, List<Distribution> distributions)
            throws Exception {
        Path recordings = Files.createDirectories(folder.resolve("recordings"));
        Path recorder = RecorderBundle.write(folder.resolve("recorder.jar"));
        Fleet fleet = new Fleet(Ensemble.start(folder.resolve("servers")), recordings);
        try {
            for (int i = 0; i < settings.size(); i++) {
                String name = "i" + (i + 1);
                fleet.nodes.add(new Node(
                        name,
                        settings.get(i),
                        folder.resolve("containers").resolve(name),
                        recordings,
                        recorder,
                        distributions.get(i),
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

    /** Makes another container with the same instance id; it is not a node of this fleet, but is closed with it. */
    Node copyOf(int index) {
        Node original = nodes.get(index);
        Node copy = original.copy(recordings.resolveSibling("copies").resolve(original.name() + "-" + copies.size()));
        copies.add(copy);
        return copy;
    }

    /** The tree of the cluster. */
    ClusterTree tree() {
        return tree;
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

    /** Returns the index of the node that all show as the leader; to be called while they are settled. */
    int leader() {
        List<String> order = nodes.stream()
                .filter(Node::isRunning)
                .findFirst()
                .flatMap(Node::settledIn)
                .map(Recording.Received::ids)
                .orElse(List.of());
        return IntStream.range(0, nodes.size())
                .filter(i -> !order.isEmpty() && nodes.get(i).name().equals(order.get(0)))
                .findFirst()
                .orElse(0);
    }

    /** Returns the number of the newest view of any listener. */
    long views() {
        return nodes.stream()
                .flatMap(node -> node.last().stream())
                .mapToLong(Recording.Received::view)
                .max()
                .orElse(0);
    }

    /** Says whether all running nodes are settled in one view with exactly them as members. */
    boolean isSettled() {
        return isSettled(nodes.stream().filter(Node::isRunning).toList());
    }

    private static boolean isSettled(List<Node> running) {
        List<Recording.Received> last =
                running.stream().flatMap(node -> node.settledIn().stream()).toList();
        return last.size() == running.size()
                && last.stream().map(Recording.Received::view).distinct().count() == 1
                && last.get(0).ids().size() == running.size()
                && running.stream().allMatch(node -> last.get(0).processes().contains(node.process()));
    }

    void awaitSettled() {
        awaitThat("all that run are settled in one view", this::isSettled);
    }

    /** Waits until all running nodes but one are settled in one view without that one. */
    void awaitSettledWithout(int index) {
        Node out = nodes.get(index);
        awaitThat(
                "all but " + out.name() + " are settled in one view",
                () -> isSettled(nodes.stream()
                        .filter(node -> node != out && node.isRunning())
                        .toList()));
    }

    /** Waits until the last event of a container is CHANGING. */
    void awaitChanging(int index) {
        Node node = nodes.get(index);
        awaitThat(
                node.name() + " receives CHANGING",
                () -> node.last().filter(received -> received.isChanging()).isPresent());
    }

    /** Waits until all have been settled for that long, and returns the time since when they were. */
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

    /** Returns what each process has recorded last, a line each, for a test that failed. */
    String describe() {
        return nodes.stream().map(Node::describe).collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        copies.forEach(Node::close);
        nodes.forEach(Node::close);
        ensemble.close();
    }
}
