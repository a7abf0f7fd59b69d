// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.discoveryzk.launcher.ContainerProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four containers with a heap of 192 MB, each in its own process, and an allowed peer with eight owners, which change the largest
 * announcements that are permitted ten times a minute. {@code -Ddiscovery.test.peer.seconds=60} goes on for a minute.
 */
@Tag("thorough")
class LargeAnnouncementsIT {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient PEER = HttpClient.newHttpClient();
    private static final long SECONDS = Long.getLong("discovery.test.peer.seconds", 20);
    private static final List<String> MEMBERS = List.of("a", "b", "c", "d");
    private static final int OWNERS = 8;
    private static final long CHANGE_MILLIS = 6_000;
    private static final int CHARACTERS = 640;
    /** The most that a message may have, and what a holder keeps with all properties, without them, or not at all. */
    private static final int[] INSTANCES = {10_000, 1_500, 500, 5_000};

    private final Map<String, ContainerProcess> containers = new TreeMap<>();
    private final Set<Integer> statuses = ConcurrentHashMap.newKeySet();

    @Test
    void anAllowedPeerEndsNoLeaseAndExhaustsNoHeap(@TempDir Path folder) throws Exception {
        try (Containers all = new Containers(folder)) {
            for (String id : MEMBERS) {
                containers.put(
                        id,
                        all.start(all.settings(id, id)
                                .withDiscovery("sessionTimeoutMillis", 10_000)
                                .withFrameworkProperty(ContainerProcess.HEAP, "192m")
                                .withConnectors(List.of())));
                Containers.awaitOrder(MEMBERS.subList(0, containers.size()), containers.get(id));
            }
            awaitThat("all are in one view", () -> views().size() == 1);
            List<Long> views = views();
            long begin = System.currentTimeMillis();
            send(begin + SECONDS * 1_000);
            awaitThat("all pages are there", () -> views().size() == 1);
            assertThat(views()).isEqualTo(views);
            for (ContainerProcess each : containers.values()) {
                assertThat(each.isAlive()).as(each.name()).isTrue();
                assertThat(Files.readString(each.log())).as(each.name()).doesNotContain("OutOfMemoryError");
                assertThat(document(each).findValue("transitions"))
                        .as(each.name())
                        .noneMatch(transition -> transition.at("/millis").asLong() >= begin
                                && (transition.at("/to").asText().equals("SUSPENDED")
                                        || transition.at("/sentence").asText().contains("lease")));
            }
            assertThat(statuses).contains(200).isSubsetOf(200, 503);
        }
    }

    /** Has each owner change what it announces at its own times, and looks at the pages meanwhile. */
    private void send(long end) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(OWNERS);
        try {
            List<Future<?>> owners = IntStream.range(0, OWNERS)
                    .<Future<?>>mapToObj(owner -> threads.submit(() -> {
                        for (int change = 0; System.currentTimeMillis() < end; change++) {
                            long next = System.currentTimeMillis() + CHANGE_MILLIS;
                            statuses.add(put(owner, INSTANCES[(owner + change) % INSTANCES.length], change));
                            awaitThat("the next change", () -> System.currentTimeMillis() >= next);
                        }
                        return null;
                    }))
                    .toList();
            while (!owners.stream().allMatch(Future::isDone)) {
                for (ContainerProcess each : containers.values()) {
                    assertThat(Containers.page(each, "")).contains("topology");
                }
            }
            for (Future<?> owner : owners) {
                owner.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private int put(int owner, int instances, int change) throws Exception {
        String id = "owner-" + owner;
        ContainerProcess holder = containers.get(MEMBERS.get(owner % MEMBERS.size()));
        URI uri = holder.consoleUri().resolve("/libs/sling/topology/connector." + id + ".json");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofMinutes(2))
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(message(id, instances, owner * 1_000L + change)))
                .build();
        return PEER.send(request, BodyHandlers.discarding()).statusCode();
    }

    private static byte[] message(String id, int instances, long seed) throws IOException {
        Random random = new Random(seed);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Writer out = new OutputStreamWriter(new GZIPOutputStream(bytes), StandardCharsets.US_ASCII)) {
            out.write("{\"ownerId\":\"" + id + "\",\"protocolVersion\":1,\"created\":1,\"inherited\":false,"
                    + "\"localClusterView\":{\"id\":\"cluster-" + id + "\",\"instances\":[");
            for (int i = 0; i < instances; i++) {
                String changing = Long.toHexString(random.nextLong());
                out.write((i == 0 ? "" : ",") + "{\"slingId\":\"" + (i == 0 ? id : id + "-" + i) + "\",\"isLeader\":"
                        + (i == 0) + ",\"properties\":{\"text\":\""
                        + (changing + "x".repeat(CHARACTERS)).substring(0, CHARACTERS) + "\"}}");
            }
            out.write("]},\"topologyAnnouncements\":[]}");
        }
        return bytes.toByteArray();
    }

    /** Returns the numbers of the views of all members, each once; -1 for a member without a current view or without a page. */
    private List<Long> views() {
        return containers.values().stream()
                .map(each -> document(each).at("/view/number").asLong(-1))
                .distinct()
                .toList();
    }

    private static JsonNode document(ContainerProcess container) {
        try {
            return MAPPER.readTree(Containers.page(container, ".json"));
        } catch (Exception e) {
            return MAPPER.missingNode();
        }
    }
}
