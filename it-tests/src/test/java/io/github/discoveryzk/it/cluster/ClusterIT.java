// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.cluster.Containers.awaitOrder;
import static io.github.discoveryzk.it.cluster.Containers.events;
import static io.github.discoveryzk.it.cluster.Containers.last;
import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.console.Visitor;
import io.github.discoveryzk.launcher.ContainerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Three containers in three processes and a real server: actions of users on a cluster, and the expected results. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterIT {

    /** The containers that run, by their instance ids, and these ids in the order of the view. */
    private final Map<String, ContainerProcess> running = new HashMap<>();

    private final List<String> order = new ArrayList<>();
    private final List<ContainerProcess> all = new ArrayList<>();
    private Containers containers;

    @BeforeAll
    void startCluster(@TempDir Path folder) throws Exception {
        containers = new Containers(folder);
        for (String id : List.of("a", "b", "c")) {
            begin(id, id);
            order.add(id);
        }
        // They were started together: the order of the view is that of their joining.
        awaitThat("all are in one view", () -> last(running.get("c"))
                .filter(event -> event.order().size() == order.size())
                .isPresent());
        order.clear();
        order.addAll(last(running.get("c")).orElseThrow().order());
        awaitOrderOfAll();
    }

    @AfterAll
    void stopCluster() throws IOException {
        try {
            for (ContainerProcess each : all) {
                Containers.assertGrammar(each);
                assertThat(Files.readAllLines(each.log()).stream().filter(line -> line.contains(" ERROR ")))
                        .as("errors of " + each.name())
                        .isEmpty();
            }
            assertSameViews();
        } finally {
            containers.close();
        }
    }

    private void assertSameViews() {
        Map<Long, EventLine> views = new HashMap<>();
        for (ContainerProcess each : all) {
            events(each).stream().filter(EventLine::settles).forEach(event -> {
                EventLine known = views.computeIfAbsent(event.view(), number -> event);
                assertThat(event.order()).isEqualTo(known.order());
                assertThat(event.leader()).isEqualTo(known.leader());
            });
        }
    }

    private void start(String id) throws Exception {
        begin(id, id);
        order.add(id);
        awaitOrderOfAll();
    }

    private void begin(String folder, String id) throws Exception {
        ContainerProcess container = containers.start(folder, id);
        running.put(id, container);
        all.add(container);
    }

    private void awaitOrderOfAll() {
        awaitOrder(order, running.values().toArray(ContainerProcess[]::new));
    }

    /** Takes an instance out of those that run. */
    private ContainerProcess remove(String id) {
        order.remove(id);
        return running.remove(id);
    }

    @Test
    void theSuccessorLeadsAfterTheLeaderWasKilled() throws Exception {
        String leader = order.get(0);
        long before = last(running.get(leader)).orElseThrow().view();
        remove(leader).kill();
        awaitOrderOfAll();
        for (ContainerProcess survivor : running.values()) {
            List<String> heard = events(survivor).stream()
                    .filter(event -> event.view() >= before)
                    .map(EventLine::type)
                    .toList();
            assertThat(heard.subList(heard.size() - 2, heard.size())).containsExactly("CHANGING", "CHANGED");
            assertThat(last(survivor).orElseThrow().leader()).isEqualTo(order.get(0));
        }
        start(leader);
    }

    @Test
    void anInstanceThatStopsCleanlyIsRemovedBeforeItsSessionWouldEnd() throws Exception {
        Set<Long> sessions = Set.copyOf(containers.server().sessions());
        String follower = order.get(1);
        ContainerProcess stopped = remove(follower);
        stopped.stop();
        awaitOrderOfAll();
        assertThat(sessions)
                .as("the sessions of the others went on")
                .containsAll(containers.server().sessions());
        stopped.onExit().join();
        start(follower);
    }

    @Test
    void aChangedPropertyReachesAllWithoutChanging() throws Exception {
        Map<String, Integer> before = counts();
        configure(running.get("b"), "io.github.discoveryzk.sample.SamplePropertyProvider", "sample.value1", "eins");
        for (ContainerProcess each : running.values()) {
            awaitThat(each.name() + " receives the property", () -> last(each)
                    .filter(event -> event.type().equals("PROPERTIES_CHANGED")
                            && event.text().contains("b:sample.value1"))
                    .isPresent());
            assertThat(Containers.page(each, "/b")).contains("eins");
        }
        before.replaceAll((id, count) -> count + 1);
        assertThat(counts()).isEqualTo(before);
    }

    @Test
    void aSecondInstanceWithTheSameIdIsRefusedUntilTheFirstHasGone() throws Exception {
        String id = order.get(1);
        ContainerProcess original = remove(id);
        int heard = events(original).size();
        begin("twin", id);
        ContainerProcess twin = running.get(id);
        Map<String, Integer> before = counts();
        awaitThat("the twin says why", () -> Files.readString(twin.log())
                .contains("instance id " + id + " is held by process " + original.pid()));
        awaitThat("the others say so too", () -> Containers.page(running.get(order.get(0)), "")
                .contains("its instance id is held"));
        assertThat(counts()).as("no other instance is affected").isEqualTo(before);
        assertThat(events(original)).hasSize(heard);
        assertThat(events(twin)).isEmpty();
        original.stop();
        order.add(id);
        awaitOrderOfAll();
    }

    private Map<String, Integer> counts() {
        Map<String, Integer> counts = new HashMap<>();
        running.forEach((id, container) -> counts.put(id, events(container).size()));
        return counts;
    }

    /** Changes a value of a component as the configuration page of the console does. */
    private static void configure(ContainerProcess container, String pid, String name, String value) throws Exception {
        String form = "apply=true&action=ajaxConfigManager&propertylist=" + name + "&" + name + "=" + value;
        URI address = container.consoleUri().resolve("configMgr/" + pid);
        assertThat(new Visitor(HttpClient.newHttpClient(), true)
                        .post(address, form)
                        .statusCode())
                .isLessThan(400);
    }
}
