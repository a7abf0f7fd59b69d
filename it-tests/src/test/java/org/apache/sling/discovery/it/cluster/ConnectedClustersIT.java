// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.apache.sling.discovery.it.cluster.Containers.events;
import static org.apache.sling.discovery.it.cluster.Containers.last;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.apache.sling.discovery.launcher.ContainerSettings;
import org.apache.sling.discovery.testing.server.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two clusters of three containers, each cluster with its own server, and connectors from one to the other with a fall-back. Every
 * container is its own process.
 */
class ConnectedClustersIT {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String CONNECTED = "CONNECTED";

    /** Longer than the session timeout, so that a dead instance is replaced before its announcement expires. */
    private static final int PING_TIMEOUT_SECONDS = 15;

    @TempDir
    private Path folder;

    private Containers serverA;
    private Containers serverB;
    private final Map<String, ContainerProcess> running = new HashMap<>();
    private final List<ContainerProcess> all = new ArrayList<>();
    private final Map<String, TcpProxy> wires = new HashMap<>();

    @BeforeEach
    void startClusters() throws Exception {
        serverA = new Containers(Files.createDirectory(folder.resolve("a")));
        serverB = new Containers(Files.createDirectory(folder.resolve("b")));
        for (String id : List.of("b1", "b2", "b3")) {
            ContainerSettings settings = serverB.settings(id, id);
            wires.put(id, new TcpProxy(settings.httpPort()));
            start(serverB, id, settings, "");
        }
        String urls = Stream.of("b1", "b2")
                .map(id -> "http://" + wires.get(id).address() + "/libs/sling/topology/connector")
                .collect(Collectors.joining(" "));
        for (String id : List.of("a1", "a2", "a3")) {
            start(serverA, id, serverA.settings(id, id), urls);
        }
        untilAllShow(List.of("a1", "a2", "a3"), List.of("b1", "b2", "b3"));
    }

    private void start(Containers cluster, String id, ContainerSettings settings, String urls) throws Exception {
        String pid = "org.apache.sling.discovery.base.connectors";
        Path file = settings.directory().resolve("config").resolve(pid.replace('.', '/') + ".config");
        Files.createDirectories(file.getParent());
        Files.write(
                file,
                List.of(
                        "service.pid=\"" + pid + "\"",
                        "topologyConnectorUrls=\"" + urls + "\"",
                        "connectorPingInterval=\"1\"",
                        "connectorPingTimeout=\"" + PING_TIMEOUT_SECONDS + "\"",
                        "socketConnectTimeout=\"1\"",
                        "soTimeout=\"2\"",
                        "backoffStandbyFactor=\"2\"",
                        "backoffStableFactor=\"0\""));
        ContainerProcess container = cluster.start(settings);
        running.put(id, container);
        all.add(container);
    }

    @AfterEach
    void stopClusters() {
        try {
            for (ContainerProcess each : all) {
                String types = events(each).stream().map(EventLine::type).collect(Collectors.joining(" "));
                assertThat(types).as(each.name()).matches("INIT( PROPERTIES_CHANGED| CHANGING CHANGED)*( CHANGING)?");
            }
        } finally {
            serverA.close();
            serverB.close();
            wires.values().forEach(TcpProxy::close);
        }
    }

    @Test
    void theTopologySurvivesTheLossOfAnyInstanceAndEndsWithTheWire() throws Exception {
        // The instance that pings dies: another one continues.
        String client = connected().orElseThrow();
        long before = view(members("a").get(0)).at("/number").asLong();
        Marks marks = new Marks();
        kill(client);
        awaitThat("another instance has connected", () -> connected().isPresent());
        untilAllShow(members("a"), members("b"));
        marks.assertNoneWent();
        for (String id : members("a")) {
            assertThat(views(marks.since(id))).as("views of " + id).containsExactly(before, before + 1);
        }
        for (String id : members("b")) {
            assertThat(views(marks.since(id))).as("views of " + id).hasSize(1);
        }

        // The instance that replies dies: the fall-back is used.
        String server = server();
        marks = new Marks();
        kill(server);
        String fallBack = server.equals("b1") ? "b2" : "b1";
        awaitThat("the fall-back is in use", () -> connected().isPresent() && server().equals(fallBack));
        untilAllShow(members("a"), members("b"));
        marks.assertNoneWent();
        for (String id : members("a")) {
            assertThat(views(marks.since(id))).as("views of " + id).containsExactly(before + 1);
        }

        // The wire is cut: each side loses the other, and nothing else changes.
        List<JsonNode> settled = views();
        wires.values().forEach(TcpProxy::loseAll);
        untilShow(members("a"), List.of(members("a")));
        untilShow(members("b"), List.of(members("b")));
        assertThat(views()).isEqualTo(settled);

        wires.values().forEach(TcpProxy::restore);
        untilAllShow(members("a"), members("b"));
        assertThat(views()).isEqualTo(settled);
    }

    private void kill(String id) {
        ContainerProcess container = running.remove(id);
        container.kill();
        container.onExit().join();
    }

    private List<String> members(String cluster) {
        return running.keySet().stream()
                .filter(id -> id.startsWith(cluster))
                .sorted()
                .toList();
    }

    /** Waits until all instances show the same two clusters with these members. */
    private void untilAllShow(List<String> a, List<String> b) {
        List<String> ids = new ArrayList<>(a);
        ids.addAll(b);
        untilShow(ids, List.of(a, b));
    }

    private void untilShow(List<String> ids, List<List<String>> clusters) {
        awaitThat(ids + " show " + clusters, () -> {
            Set<List<Cluster>> shown =
                    ids.stream().map(id -> clusters(document(id))).collect(Collectors.toSet());
            return shown.size() == 1
                    && shown.iterator().next().stream()
                            .map(each -> each.members().stream().sorted().toList())
                            .collect(Collectors.toSet())
                            .equals(Set.copyOf(clusters));
        });
    }

    /** Returns the instance whose connector is connected, if exactly one is. */
    private Optional<String> connected() {
        List<String> connected = members("a").stream()
                .filter(id -> outgoing(id).at("/state").asText().equals(CONNECTED))
                .toList();
        return connected.size() == 1 ? Optional.of(connected.get(0)) : Optional.empty();
    }

    /** Returns the instance that the connector is connected to. */
    private String server() {
        String url = outgoing(connected().orElseThrow()).at("/url").asText();
        return wires.entrySet().stream()
                .filter(each -> url.contains(each.getValue().address() + "/"))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private JsonNode outgoing(String id) {
        return document(id).at("/connectors/outgoing/0");
    }

    private JsonNode view(String id) {
        return document(id).at("/view");
    }

    private List<JsonNode> views() {
        return running.keySet().stream().sorted().map(this::view).toList();
    }

    private JsonNode document(String id) {
        try {
            return MAPPER.readTree(Page.json(running.get(id)));
        } catch (Exception e) {
            // The page is not there yet.
            return MAPPER.missingNode();
        }
    }

    /** Returns the clusters by id; that an instance is in several of them shows as a difference to what is expected. */
    private static List<Cluster> clusters(JsonNode document) {
        return stream(document.at("/clusters"))
                .map(cluster -> new Cluster(
                        cluster.at("/id").asText(),
                        stream(cluster.at("/instances"))
                                .map(each -> each.at("/id").asText())
                                .toList(),
                        stream(cluster.at("/instances"))
                                .filter(each -> each.at("/leader").asBoolean())
                                .map(each -> each.at("/id").asText())
                                .toList()))
                .sorted((one, other) -> one.id().compareTo(other.id()))
                .toList();
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static Set<Long> views(List<EventLine> events) {
        return events.stream().map(EventLine::view).collect(Collectors.toSet());
    }

    private record Cluster(String id, List<String> members, List<String> leaders) {}

    /** The last event of each instance at one moment. */
    private final class Marks {
        private final Map<String, Integer> counts = new HashMap<>();

        Marks() {
            running.forEach((id, container) -> counts.put(id, events(container).size()));
        }

        /** Returns the events since then and the one before them. */
        List<EventLine> since(String id) {
            List<EventLine> events = events(running.get(id));
            return events.subList(counts.get(id) - 1, events.size());
        }

        /** Checks that no instance that runs was missing in any topology since then. */
        void assertNoneWent() {
            for (String id : running.keySet()) {
                List<EventLine> events = since(id);
                assertThat(events.subList(1, events.size()).stream().filter(EventLine::settles))
                        .as("events of " + id)
                        .allSatisfy(event -> assertThat(event.text()
                                        .replaceAll(".* went=(\\S+) .*", "$1")
                                        .split(","))
                                .doesNotContainAnyElementsOf(running.keySet()));
            }
            assertThat(last(running.get(members("a").get(0))).orElseThrow().settles())
                    .isTrue();
        }
    }
}
