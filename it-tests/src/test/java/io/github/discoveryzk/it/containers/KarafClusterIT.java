// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.discoveryzk.launcher.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three Karafs with the same list of servers and the two commands of the documentation are one cluster on their own ensemble. */
@Tag("thorough")
class KarafClusterIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> IDS = List.of("a", "b", "c");

    private final List<KarafContainer> running = new ArrayList<>();

    /** What an instance shows in the shell; without a leader while no view is current. */
    private record Shown(long view, List<String> members, Optional<String> leader) {

        static Shown by(KarafContainer container) throws Exception {
            String output = container.run("discovery:topology --json");
            JsonNode document = JSON.readTree(output.substring(Math.max(0, output.indexOf('{'))));
            List<JsonNode> instances = stream(document.path("clusters"))
                    .flatMap(cluster -> stream(cluster.path("instances")))
                    .toList();
            return new Shown(
                    document.at("/view/number").asLong(),
                    instances.stream().map(each -> each.path("id").asText()).toList(),
                    instances.stream()
                            .filter(each -> each.path("leader").asBoolean())
                            .map(each -> each.path("id").asText())
                            .findFirst());
        }

        private static Stream<JsonNode> stream(JsonNode array) {
            return StreamSupport.stream(array.spliterator(), false);
        }
    }

    @BeforeEach
    void install() throws Exception {
        String servers = IDS.stream()
                .map(id -> "127.0.0.1:" + Ports.free() + ":" + Ports.free() + ":" + Ports.free())
                .collect(Collectors.joining(", "));
        for (String id : IDS) {
            running.add(KarafContainer.start(
                    id,
                    Map.of(
                            "io.github.discoveryzk.zk.server.cfg",
                            List.of(Document.block("docs/install.md", "host1")
                                    .replace("host1:2181, host2:2181, host3:2181", servers)),
                            "org.ops4j.pax.url.mvn.cfg",
                            List.of("org.ops4j.pax.url.mvn.repositories = "
                                    + Stream.of("kar", "needed")
                                            .map(each -> "file:" + System.getProperty("karaf.target") + "/" + each
                                                    + "/repository@id=" + each + "@snapshots")
                                            .collect(Collectors.joining(", "))))));
        }
        for (KarafContainer container : running) {
            container.run(Document.block("docs/install.md", "log:set").replace("\n", "; "));
            container.run(Document.block("docs/install.md", "feature:repo-add").replace("\n", "; "));
        }
    }

    @AfterEach
    void stop() {
        running.forEach(KarafContainer::close);
    }

    @Test
    void allAgreeAndTheOthersDoWhenOneStops() throws Exception {
        Shown all = untilAllAgree(IDS);
        running.remove(0).close();
        Shown others = untilAllAgree(IDS.subList(1, IDS.size()));
        assertThat(others.view()).isGreaterThan(all.view());
        assertThat(running)
                .flatExtracting(KarafContainer::log)
                .filteredOn(line -> line.contains("| ERROR |"))
                // The server that leads the others logs each one that goes.
                .allMatch(line -> line.contains("| LearnerHandler "));
    }

    /** Waits until all running ones show the same view with these members and a leader, and returns it. */
    private Shown untilAllAgree(List<String> ids) throws Exception {
        try {
            untilAsserted(() -> {
                Shown first = Shown.by(running.get(0));
                assertThat(first.leader()).isPresent();
                assertThat(first.members()).containsExactlyInAnyOrderElementsOf(ids);
                for (KarafContainer container : running) {
                    assertThat(Shown.by(container)).isEqualTo(first);
                }
            });
        } catch (ConditionTimeoutException e) {
            List<String> explained = new ArrayList<>();
            for (KarafContainer container : running) {
                explained.add(container.run("discovery:explain"));
            }
            throw new AssertionError(String.join("\n", explained), e);
        }
        return Shown.by(running.get(0));
    }
}
