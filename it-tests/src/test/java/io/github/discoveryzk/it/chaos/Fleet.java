// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;

import io.github.discoveryzk.it.chaos.recorder.Entry.Received;
import io.github.discoveryzk.launcher.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Containers on an ensemble, each with its own proxies to the servers, and the folder of their recordings, which is below that of the
 * build, so that failed runs can be inspected.
 */
final class Fleet implements AutoCloseable {

    private static final Path ROOT = Path.of(System.getProperty("chaos.directory", "target/chaos"));

    private final Path folder;
    private final Node.Run run;
    private final ClusterTree tree;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Node> copies = new ArrayList<>();

    private Fleet(Path folder, Ensemble ensemble) throws IOException {
        this.folder = folder;
        Path recordings = Files.createDirectories(folder.resolve("recordings"));
        this.run = new Node.Run(recordings, Bundles.recorder(folder.resolve("recorder.jar")), ensemble);
        this.tree = new ClusterTree(ensemble.connectString(), recordings);
    }

    /** Makes a new folder for a run. */
    static Path folder(Class<?> test) throws IOException {
        return Files.createTempDirectory(Files.createDirectories(ROOT.toAbsolutePath()), test.getSimpleName() + "-");
    }

    /** Starts a container for each of these settings; the last one of another version, if there is one. */
    static Fleet start(Path folder, List<NodeSettings> settings) throws Exception {
        Distribution bare = Bundles.bare(folder.resolve("distribution"), Optional.empty());
        List<Distribution> distributions = new ArrayList<>(Collections.nCopies(settings.size(), bare));
        Optional<Path> other = Bundles.otherVersion();
        if (other.isPresent()) {
            distributions.set(settings.size() - 1, Bundles.bare(folder.resolve("other-distribution"), other));
        }
        return start(folder, settings, distributions);
    }

    private static Fleet start(Path folder, List<NodeSettings> settings, List<Distribution> distributions)
            throws Exception {
        Fleet fleet = new Fleet(folder, Ensemble.start(folder.resolve("servers")));
        try {
            for (int i = 0; i < settings.size(); i++) {
                String name = "i" + (i + 1);
                Path home = folder.resolve("containers").resolve(name);
                Node node = new Node(name, settings.get(i), home, distributions.get(i), fleet.run);
                fleet.nodes.add(node);
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
        Node copy = original.copy(folder.resolve("copies").resolve(original.name() + "-" + copies.size()));
        copies.add(copy);
        return copy;
    }

    /** The tree of the cluster. */
    ClusterTree tree() {
        return tree;
    }

    Ensemble ensemble() {
        return run.ensemble();
    }

    Path recordings() {
        return run.recordings();
    }

    List<Node> nodes() {
        return List.copyOf(nodes);
    }

    Node node(int index) {
        return nodes.get(index);
    }

    /** Returns the index of the node that all show as the leader; to be called while they are settled. */
    int leader() {
        String leader = nodes.stream()
                .filter(Node::isRunning)
                .findFirst()
                .flatMap(Node::settledIn)
                .map(shown -> shown.ids().get(0))
                .orElse("i1");
        return Integer.parseInt(leader.substring(1)) - 1;
    }

    /** Returns the number of the newest view of any listener. */
    long views() {
        return nodes.stream()
                .flatMap(node -> node.last().stream())
                .mapToLong(Received::view)
                .max()
                .orElse(0);
    }

    /** Says whether all running nodes are settled in one view with exactly them as members. */
    boolean isSettled() {
        return isSettled(nodes);
    }

    private static boolean isSettled(List<Node> some) {
        List<Node> running = some.stream().filter(Node::isRunning).toList();
        List<Received> last =
                running.stream().flatMap(node -> node.settledIn().stream()).toList();
        return last.size() == running.size()
                && last.stream().map(Received::view).distinct().count() == 1
                && last.get(0).ids().size() == running.size()
                && running.stream().allMatch(node -> last.get(0).processes().contains(node.process()));
    }

    void awaitSettled() {
        awaitThat("all that run are settled in one view", this::isSettled);
    }

    /** Waits until all running nodes but one are settled in one view without that one. */
    void awaitSettledWithout(int index) {
        Node out = nodes.get(index);
        List<Node> others = nodes.stream().filter(node -> node != out).toList();
        awaitThat("all but " + out.name() + " are settled in one view", () -> isSettled(others));
    }

    /** Waits until a container receives CHANGING once more than before; the change may be settled when this is seen. */
    void awaitChanging(int index, int before) {
        Node node = nodes.get(index);
        awaitThat(node.name() + " receives CHANGING", () -> node.changes() > before);
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
        ensemble().close();
    }
}
