// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import io.github.discoveryzk.launcher.Distribution;
import io.github.discoveryzk.launcher.Ports;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller starts and restarts containers with their servers, one after the other. It knows what they say of themselves, and nothing else. */
class RestartsIT {

    /** How often all are restarted, by the plan and in another order. */
    private static final int ROUNDS =
            Integer.getInteger("discovery.restarts", Boolean.getBoolean("discovery.thorough") ? 2 : 1);

    private static final List<String> IDS = List.of("a", "b", "c");

    private final List<Integer> clientPorts =
            IDS.stream().map(any -> Ports.free()).toList();
    private final List<String> entries = clientPorts.stream()
            .map(port -> "127.0.0.1:" + port + ":" + Ports.free() + ":" + Ports.free())
            .toList();
    private final Map<String, ContainerSettings> settings = new TreeMap<>();
    private final Map<String, ContainerProcess> running = new TreeMap<>();
    private final Distribution distribution = new Distribution(Path.of(System.getProperty("discovery.distribution")));

    @TempDir
    private Path folder;

    @BeforeEach
    void startInOrder() throws Exception {
        for (String id : IDS) {
            Map<String, Object> server = Map.of(
                    "servers",
                    String.join(",", entries),
                    "folder",
                    folder.resolve(id).resolve("server").toString());
            Map<String, String> properties = Map.of("io.github.discoveryzk.instanceId", id);
            settings.put(
                    id,
                    new ContainerSettings(
                            folder.resolve(id),
                            Ports.free(),
                            Map.of(),
                            Map.of(),
                            properties,
                            List.of(),
                            Optional.empty(),
                            server));
            start(id);
            awaitReady(id);
        }
        awaitThat("all are settled", () -> leader().isPresent() && order().size() == 3);
    }

    @AfterEach
    void stop() {
        running.values().forEach(ContainerProcess::close);
    }

    private void start(String id) throws Exception {
        running.put(id, ContainerProcess.start(distribution, settings.get(id)));
    }

    private JsonNode restart(String id) throws Exception {
        return document(id).path("restart");
    }

    /** Returns what a container says of itself; nothing while its console has not started. */
    private JsonNode document(String id) throws Exception {
        try {
            return new ObjectMapper().readTree(Containers.page(running.get(id), ".json"));
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    private void awaitReady(String id) {
        awaitThat(id + " is ready", () -> {
            String stage = restart(id).path("startup").path("stage").asText();
            return stage.equals("STARTED") || stage.equals("FOUNDING");
        });
    }

    private List<String> order() throws Exception {
        return StreamSupport.stream(restart("a").path("order").spliterator(), false)
                .map(step -> step.path("instanceId").asText())
                .toList();
    }

    /** Returns the leader as the first container shows it. */
    private Optional<String> leader() throws Exception {
        return StreamSupport.stream(
                        document("a").path("clusters").path(0).path("instances").spliterator(), false)
                .filter(each -> each.path("leader").asBoolean())
                .map(each -> each.path("id").asText())
                .findFirst();
    }

    /** Restarts all; returns how often the lead moved. */
    private int restartAll(List<String> order) throws Exception {
        int moves = 0;
        String before = leader().orElseThrow();
        for (String id : order) {
            awaitThat(
                    id + " may be stopped", () -> restart(id).path("safeToStop").asBoolean());
            running.get(id).close();
            start(id);
            awaitReady(id);
            awaitThat("all know the leader", () -> leader().isPresent());
            String now = leader().orElseThrow();
            moves += now.equals(before) ? 0 : 1;
            before = now;
        }
        return moves;
    }

    /** Checks that no container that is running has lost its connection since it was started, as a loss of the quorum would make it do. */
    private void assertNeverCutOff() throws Exception {
        for (String id : running.keySet()) {
            String states = document(id).path("recent").path("transitions").toString();
            assertThat(states).as(id).contains("SETTLED").doesNotContain("CUT_OFF", "EXCLUDED", "REFUSED");
        }
    }

    /** Each build plays that in pods. */
    @Test
    @Tag("thorough")
    void theQuorumIsNeverLostAndTheLeadMovesOnceIfThePlanIsFollowed() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < ROUNDS; i++) {
            awaitThat("all are members", () -> order().size() == 3);
            assertThat(restartAll(order())).as("moves by the plan").isEqualTo(1);
            assertNeverCutOff();
            List<String> any = new ArrayList<>(IDS);
            Collections.shuffle(any, random);
            assertThat(restartAll(any)).as("moves in the order %s", any).isLessThanOrEqualTo(any.size());
            assertNeverCutOff();
        }
    }

    /** Its instance is settled by the other servers, which are a majority only as long as both run. */
    @Test
    @Tag("thorough")
    void aContainerWhoseServerDoesNotServeIsNotReady() throws Exception {
        running.get("b").close();
        String port = String.valueOf(clientPorts.get(1));
        try (ServerSocket taken = new ServerSocket()) {
            taken.setReuseAddress(true);
            taken.bind(new InetSocketAddress("127.0.0.1", clientPorts.get(1)));
            start("b");
            awaitThat(
                    "b is settled",
                    () -> document("b").path("status").path("state").asText().equals("SETTLED"));
            assertThat(restart("b").path("startup").path("stage").asText()).isEqualTo("STARTING");
            assertThat(restart("b").path("startup").path("sentence").asText()).contains(port);
            awaitThat(
                    "c objects",
                    () -> restart("c").path("objections").toString().contains("127.0.0.1:" + port));
            assertThat(restart("c").path("safeToStop").asBoolean()).isFalse();
        }
        awaitReady("b");
        awaitThat("c does not object", () -> restart("c").path("safeToStop").asBoolean());
    }
}
