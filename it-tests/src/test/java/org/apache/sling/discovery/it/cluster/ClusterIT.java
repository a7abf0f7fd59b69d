// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitOrder;
import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.apache.sling.discovery.it.cluster.Containers.events;
import static org.apache.sling.discovery.it.cluster.Containers.last;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.it.console.Visitor;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Three containers in three processes and a real server: actions of users on a cluster, and the expected results. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterIT {
    private static final String MEMBERS = "/sling/discovery/clusters/default/members";

    /** The containers that run, by their instance ids, and these ids in the order of the view. */
    private final Map<String, ContainerProcess> running = new HashMap<>();

    private final List<String> order = new ArrayList<>();
    private final List<ContainerProcess> all = new ArrayList<>();
    private Containers containers;

    @BeforeAll
    void startCluster(@TempDir Path folder) throws Exception {
        containers = new Containers(folder);
        for (String id : List.of("a", "b", "c")) {
            start(id);
        }
    }

    @AfterAll
    void stopCluster() {
        try {
            all.forEach(ClusterIT::assertGrammar);
            all.forEach(ClusterIT::assertNoErrors);
            assertSameViews(all);
        } finally {
            containers.close();
        }
    }

    private void start(String id) throws Exception {
        running.put(id, begin(id, id));
        order.add(id);
        awaitOrderOfAll();
    }

    private ContainerProcess begin(String folder, String id) throws Exception {
        ContainerProcess container = containers.start(folder, id);
        all.add(container);
        return container;
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
    void everyPageShowsTheSameOrderAndTheSameLeader() throws Exception {
        for (ContainerProcess each : running.values()) {
            String page = Page.of(each);
            assertThat(page).contains("leader " + order.get(0)).contains("settled: 3 instances");
            assertThat(page)
                    .containsSubsequence(
                            order.stream().map(id -> "topology/" + id + "\"").toList());
        }
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
        long leader = member(order.get(0)).getEphemeralOwner();
        String follower = order.get(1);
        ContainerProcess stopped = remove(follower);
        stopped.stop();
        awaitOrderOfAll();

        assertThat(containers.server().sessions())
                .as("the leader's session went on")
                .contains(leader)
                .hasSize(2);
        stopped.onExit().join();
        start(follower);
    }

    @Test
    void anInstanceThatLostItsSessionRejoinsAtTheEnd() throws Exception {
        String leader = order.get(0);
        containers.server().expire(member(leader).getEphemeralOwner());
        order.add(order.remove(0));
        awaitOrderOfAll();

        assertThat(events(running.get(leader)).stream().map(EventLine::type).filter("INIT"::equals))
                .hasSize(1);
    }

    @Test
    void aRestartOfTheServerChangesNothing() throws Exception {
        Map<String, Integer> before = counts();
        containers.restartServer();

        // A change in which all take part shows that all are back.
        start("d");
        for (String id : before.keySet()) {
            assertThat(events(running.get(id)).size() - before.get(id))
                    .as("events of the join only")
                    .isEqualTo(2);
        }
        remove("d").stop();
        awaitOrderOfAll();
    }

    @Test
    void aChangedPropertyReachesAllWithoutChanging() throws Exception {
        Map<String, Integer> before = counts();
        configure(
                running.get("b"), "org.apache.sling.discovery.sample.SamplePropertyProvider", "sample.value1", "eins");

        for (ContainerProcess each : running.values()) {
            awaitThat(each.name() + " receives the property", () -> last(each)
                    .filter(event -> event.type().equals("PROPERTIES_CHANGED")
                            && event.text().contains("b:sample.value1"))
                    .isPresent());
            assertThat(Page.get(each.consoleUri().resolve("topology/b"))).contains("eins");
        }
        before.replaceAll((id, count) -> count + 1);
        assertThat(counts()).isEqualTo(before);
    }

    @Test
    void aSecondInstanceWithTheSameIdIsRefusedUntilTheFirstHasGone() throws Exception {
        String id = order.get(1);
        ContainerProcess original = running.get(id);
        Map<String, Integer> before = counts();
        ContainerProcess twin = begin("twin", id);
        awaitThat("the twin says why", () -> Files.readString(twin.log())
                .contains("refused: instance id " + id + " is held by process " + original.pid()));
        awaitThat("the others say so too", () -> Page.of(running.get(order.get(0)))
                .contains("its instance id is held"));
        assertThat(events(twin)).isEmpty();
        assertThat(counts()).as("no other instance is affected").isEqualTo(before);

        remove(id).stop();
        running.put(id, twin);
        order.add(id);
        awaitOrderOfAll();
    }

    private Map<String, Integer> counts() {
        Map<String, Integer> counts = new HashMap<>();
        running.forEach((id, container) -> counts.put(id, events(container).size()));
        return counts;
    }

    private static void assertGrammar(ContainerProcess container) {
        List<String> types = events(container).stream().map(EventLine::type).toList();
        assertThat(String.join(" ", types)).matches("INIT( PROPERTIES_CHANGED| CHANGING CHANGED)*( CHANGING)?");
    }

    private static void assertSameViews(List<ContainerProcess> all) {
        List<EventLine> settled = new ArrayList<>();
        all.forEach(each -> events(each).stream().filter(EventLine::settles).forEach(settled::add));
        for (EventLine one : settled) {
            assertThat(settled.stream().filter(other -> other.view() == one.view()))
                    .allSatisfy(other -> assertThat(other.order()).isEqualTo(one.order()))
                    .allSatisfy(other -> assertThat(other.leader()).isEqualTo(one.leader()));
        }
    }

    private static void assertNoErrors(ContainerProcess container) {
        try {
            assertThat(Files.readAllLines(container.log()).stream().filter(line -> line.contains(" ERROR ")))
                    .as("errors of " + container.name())
                    .isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Stat member(String instanceId) throws Exception {
        ZooKeeper client = new ZooKeeper(containers.server().connectString(), 10_000, event -> {});
        try {
            for (String name : client.getChildren(MEMBERS, false)) {
                Stat stat = new Stat();
                String record = new String(client.getData(MEMBERS + "/" + name, false, stat), StandardCharsets.UTF_8);
                if (record.replace(" ", "").contains("\"instanceId\":\"" + instanceId + "\"")) {
                    return stat;
                }
            }
        } finally {
            client.close();
        }
        throw new AssertionError("no member node of " + instanceId);
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
