// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.pods;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import io.github.discoveryzk.launcher.Distribution;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.felix.cm.file.FilePersistenceManager;
import org.osgi.framework.Constants;
import org.osgi.service.cm.ConfigurationAdmin;

/** Pods with containers, and the controller that starts and stops them. It knows what each says of its readiness, and nothing else. */
final class Pods implements AutoCloseable {

    private static final Object PORT = Manifest.container("readinessProbe/httpGet/port");
    private static final String HEALTH = "org.apache.felix.hc.core.impl.servlet.HealthCheckExecutorServlet";
    /** How a JVM ends that was asked to. */
    private static final int TERMINATED = 143;

    private final Path folder;
    private final Network network;
    private final Distribution distribution = new Distribution(Path.of(System.getProperty("discovery.distribution")));
    private final Map<Integer, ContainerProcess> running = new TreeMap<>();
    private final Map<Integer, String> addresses = new TreeMap<>();
    private int started;

    Pods(Path folder) throws IOException {
        this.folder = folder;
        this.network = new Network(folder);
    }

    private static String machine(int pod) {
        return "app-" + pod;
    }

    static String name(int pod) {
        return machine(pod) + ".app";
    }

    /** Starts a pod with an address that none has had. Its name is not known yet. */
    void start(int pod) throws Exception {
        started++;
        String address = "10.77." + (1 + started / 250) + "." + (1 + started % 250);
        addresses.put(pod, address);
        network.add(machine(pod), address);
        Path volume = folder.resolve(machine(pod));
        Path temporary = Files.createDirectories(folder.resolve("tmp").resolve(machine(pod)));
        Path bundles = Path.of(System.getProperty("bundles.directory"));
        ContainerSettings settings = new ContainerSettings(
                volume,
                (Integer) PORT,
                Map.of(),
                Map.of(),
                Map.of(
                        "org.apache.felix.http.host",
                        "0.0.0.0",
                        "sling.name",
                        machine(pod),
                        ContainerProcess.PREFIX,
                        network.on(machine(pod), volume) + " env JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=" + temporary
                                + " JDK_JAVA_OPTIONS=-XX:-UsePerfData"),
                Stream.of("api", "core")
                        .map(part -> bundles.resolve("org.apache.felix.healthcheck." + part + ".jar"))
                        .toList(),
                Optional.empty(),
                Map.of(
                        "servers",
                        Manifest.servers(),
                        "folder",
                        volume.resolve("zookeeper").toString()));
        configureHealth(volume.resolve("config"));
        running.put(pod, ContainerProcess.start(distribution, settings));
    }

    private static void configureHealth(Path configurations) throws IOException {
        Files.createDirectories(configurations);
        String pid = HEALTH + "~pods";
        new FilePersistenceManager(configurations.toString())
                .store(
                        pid,
                        new Hashtable<>(
                                Map.of(Constants.SERVICE_PID, pid, ConfigurationAdmin.SERVICE_FACTORYPID, HEALTH)));
    }

    /** Lets the name of a pod be found. */
    void publish(int pod) throws IOException {
        network.name(name(pod), addresses.get(pod));
    }

    boolean isReady(int pod) throws Exception {
        return fetch(pod, (String) Manifest.container("readinessProbe/httpGet/path"))
                .isPresent();
    }

    private Optional<String> fetch(int pod, String path) throws Exception {
        Process curl = network.start(
                "exec curl -fsS --max-time 3 --user admin:admin $1",
                "http://" + addresses.get(pod) + ":" + PORT + path);
        String answer = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return curl.waitFor() == 0 ? Optional.of(answer) : Optional.empty();
    }

    void awaitReady(int pod) {
        awaitThat(name(pod) + " is ready", () -> isReady(pod));
    }

    /** Returns what a pod says of itself; nothing while it does not answer. */
    JsonNode document(int pod) throws Exception {
        Optional<String> text = fetch(pod, "/system/console/topology.json");
        return text.isPresent() ? new ObjectMapper().readTree(text.get()) : MissingNode.getInstance();
    }

    List<Integer> all() {
        return List.copyOf(running.keySet());
    }

    /** Stops a pod as a controller does: its name vanishes, it is asked to end, and its address goes with it. */
    void stop(int pod) throws Exception {
        network.forget(name(pod));
        ContainerProcess container = running.remove(pod);
        ProcessHandle.of(container.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .forEach(ProcessHandle::destroy);
        assertThat(container.onExit().get(Manifest.gracePeriod(), TimeUnit.SECONDS))
                .as("exit of " + name(pod))
                .isEqualTo(TERMINATED);
        network.remove(machine(pod));
    }

    /** Ends pods without a word, as a lost machine does. */
    void lose(List<Integer> pods) throws Exception {
        for (int pod : pods) {
            network.forget(name(pod));
            running.get(pod).kill();
        }
        for (int pod : pods) {
            running.remove(pod).onExit().get(60, TimeUnit.SECONDS);
            network.remove(machine(pod));
        }
    }

    /** Removes all that a pod has kept. */
    void removeVolume(int pod) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(machine(pod)))) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /** Cuts the node of a pod off, or connects it again. */
    void cut(int pod, boolean off) throws Exception {
        network.cut(machine(pod), off);
    }

    /** Starts a script in the network of the pods. */
    Process script(String text, String... arguments) throws IOException {
        return network.start(text, arguments);
    }

    @Override
    public void close() throws IOException {
        running.values().forEach(ContainerProcess::kill);
        for (ContainerProcess each : running.values()) {
            each.onExit().orTimeout(60, TimeUnit.SECONDS).join();
        }
        network.close();
    }
}
