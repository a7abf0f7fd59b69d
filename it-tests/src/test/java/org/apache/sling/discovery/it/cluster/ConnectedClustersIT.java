// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.events;
import static org.apache.sling.discovery.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.apache.sling.discovery.launcher.ContainerSettings;
import org.apache.sling.discovery.testing.server.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two clusters of two containers, each cluster with its own server, and connectors from one to the other with a fall-back. Every
 * container is its own process.
 */
@Tag("thorough")
class ConnectedClustersIT {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String PID = "org.apache.sling.discovery.base.connectors";
    /** Longer than the session timeout, so that a dead instance is replaced before its announcement expires. */
    private static final int PING_TIMEOUT_SECONDS = 15;

    @TempDir
    private Path folder;

    private final Map<String, Containers> servers = new HashMap<>();
    private final Map<String, ContainerProcess> running = new TreeMap<>();
    private final Map<String, TcpProxy> wires = new HashMap<>();

    @BeforeEach
    void startClusters() throws Exception {
        for (String id : List.of("b1", "b2", "a1", "a2")) {
            String cluster = id.substring(0, 1);
            if (!servers.containsKey(cluster)) {
                servers.put(cluster, new Containers(Files.createDirectory(folder.resolve(cluster))));
            }
            ContainerSettings settings = servers.get(cluster).settings(id, id);
            if (cluster.equals("b")) {
                wires.put(id, new TcpProxy(settings.httpPort()));
            }
            configure(settings.directory(), cluster.equals("b") ? "" : url("b1") + " " + url("b2"));
            running.put(id, servers.get(cluster).start(settings));
        }
        untilAllShow(Set.of("a1", "a2"), Set.of("b1", "b2"));
    }

    private String url(String id) {
        return "http://" + wires.get(id).address() + "/libs/sling/topology/connector";
    }

    private static void configure(Path directory, String urls) throws IOException {
        Path file = directory.resolve("config").resolve(PID.replace('.', '/') + ".config");
        Files.createDirectories(file.getParent());
        Files.write(
                file,
                List.of(
                        "service.pid=\"" + PID + "\"",
                        "topologyConnectorUrls=\"" + urls + "\"",
                        "connectorPingInterval=\"1\"",
                        "connectorPingTimeout=\"" + PING_TIMEOUT_SECONDS + "\"",
                        "socketConnectTimeout=\"1\"",
                        "soTimeout=\"2\"",
                        "backoffStandbyFactor=\"2\"",
                        "backoffStableFactor=\"0\""));
    }

    @AfterEach
    void stopClusters() {
        servers.values().forEach(Containers::close);
        wires.values().forEach(TcpProxy::close);
    }

    @Test
    void theTopologySurvivesTheLossOfAnyInstanceAndEndsWithTheWire() throws Exception {
        // The instance that pings dies: another one continues.
        String client = connected().orElseThrow();
        Map<String, Integer> marks = marks();
        kill(client);
        awaitThat("another instance has connected", () -> connected().isPresent());
        untilAllShow(members("a"), members("b"));
        assertNoneWent(marks);

        // The instance that replies dies: the fall-back is used.
        String server = server();
        marks = marks();
        kill(server);
        awaitThat("the fall-back is in use", () -> connected().isPresent() && !server().equals(server));
        untilAllShow(members("a"), members("b"));
        assertNoneWent(marks);

        // The wire is cut: each side loses the other, and nothing else changes.
        List<JsonNode> settled = views();
        wires.values().forEach(TcpProxy::loseAll);
        untilShow(members("a"), Set.of(members("a")));
        untilShow(members("b"), Set.of(members("b")));
        wires.values().forEach(TcpProxy::restore);
        untilAllShow(members("a"), members("b"));
        assertThat(views()).isEqualTo(settled);
        running.values().forEach(Containers::assertGrammar);
    }

    private void kill(String id) {
        ContainerProcess container = running.remove(id);
        container.kill();
        container.onExit().join();
    }

    private Set<String> members(String cluster) {
        return running.keySet().stream().filter(id -> id.startsWith(cluster)).collect(Collectors.toSet());
    }

    private void untilAllShow(Set<String> a, Set<String> b) {
        untilShow(running.keySet(), Set.of(a, b));
    }

    /** Waits until instances show clusters with these members, each once. */
    private void untilShow(Set<String> ids, Set<Set<String>> clusters) {
        awaitThat(
                ids + " show " + clusters,
                () -> ids.stream().map(this::document).allMatch(document -> {
                    List<Set<String>> shown = new ArrayList<>();
                    document.at("/clusters").forEach(cluster -> {
                        Set<String> members = new HashSet<>();
                        cluster.at("/instances")
                                .forEach(each -> members.add(each.at("/id").asText()));
                        shown.add(members);
                    });
                    return shown.size() == clusters.size() && clusters.equals(Set.copyOf(shown));
                }));
    }

    /** Returns the instance whose connector is connected, if exactly one is. */
    private Optional<String> connected() {
        List<String> connected = members("a").stream()
                .filter(id -> outgoing(id).at("/state").asText().equals("CONNECTED"))
                .toList();
        return connected.size() == 1 ? Optional.of(connected.get(0)) : Optional.empty();
    }

    /** Returns the instance that the connector is connected to. */
    private String server() {
        String url = outgoing(connected().orElseThrow()).at("/url").asText();
        return url.contains(wires.get("b1").address() + "/") ? "b1" : "b2";
    }

    private JsonNode outgoing(String id) {
        return document(id).at("/connectors/outgoing/0");
    }

    private List<JsonNode> views() {
        return running.keySet().stream().map(id -> document(id).at("/view")).toList();
    }

    private JsonNode document(String id) {
        try {
            return MAPPER.readTree(Containers.page(running.get(id), ".json"));
        } catch (Exception e) {
            // The page is not there yet.
            return MAPPER.missingNode();
        }
    }

    private Map<String, Integer> marks() {
        return running.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, each -> events(each.getValue())
                .size()));
    }

    /** Checks that no instance that runs was missing in any topology since then. */
    private void assertNoneWent(Map<String, Integer> marks) {
        running.forEach((id, container) -> assertThat(events(container).stream().skip(marks.get(id)))
                .as("events of " + id)
                .filteredOn(EventLine::settles)
                .allSatisfy(event -> assertThat(event.text()
                                .replaceAll(".* went=(\\S+) .*", "$1")
                                .split(","))
                        .doesNotContainAnyElementsOf(running.keySet())));
    }
}
