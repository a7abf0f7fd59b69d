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
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three containers in three processes and a real server: actions of users on a cluster, and the expected results. */
class ClusterIT {

    private static final String MEMBERS = "/sling/discovery/clusters/default/members";

    @TempDir
    private Path folder;

    private Containers containers;
    private ContainerProcess a;
    private ContainerProcess b;
    private ContainerProcess c;

    @BeforeEach
    void startCluster() throws Exception {
        containers = new Containers(folder);
        a = containers.start("one", "a");
        awaitOrder(List.of("a"), a);
        b = containers.start("two", "b");
        awaitOrder(List.of("a", "b"), a, b);
        c = containers.start("three", "c");
        awaitOrder(List.of("a", "b", "c"), a, b, c);
    }

    @AfterEach
    void stopCluster() {
        try {
            List.of(a, b, c).forEach(ClusterIT::assertGrammar);
            List.of(a, b, c).forEach(ClusterIT::assertNoErrors);
            assertSameViews(List.of(a, b, c));
        } finally {
            containers.close();
        }
    }

    @Test
    void everyPageShowsTheSameOrderAndTheSameLeader() throws Exception {
        for (ContainerProcess each : List.of(a, b, c)) {
            String page = get(each.consoleUri());
            assertThat(page).contains("leader a").contains("settled: 3 instances");
            assertThat(page).containsSubsequence("topology/a\"", "topology/b\"", "topology/c\"");
        }
    }

    @Test
    void theNextInOrderLeadsAfterTheLeaderWasKilled() throws Exception {
        long before = last(b).orElseThrow().view();
        a.kill();

        awaitOrder(List.of("b", "c"), b, c);
        for (ContainerProcess survivor : List.of(b, c)) {
            List<String> heard = events(survivor).stream()
                    .filter(event -> event.view() >= before)
                    .map(EventLine::type)
                    .toList();
            assertThat(heard.subList(heard.size() - 2, heard.size())).containsExactly("CHANGING", "CHANGED");
            assertThat(last(survivor).orElseThrow().leader()).isEqualTo("b");
        }

        ContainerProcess again = containers.start("one", "a");
        awaitOrder(List.of("b", "c", "a"), again, b, c);
    }

    @Test
    void anInstanceThatStopsCleanlyIsRemovedAtOnce() throws Exception {
        Stat before = members().get(0);
        b.stop();

        awaitOrder(List.of("a", "c"), a, c);
        assertThat(before.getEphemeralOwner())
                .as("the leader's session went on")
                .isIn(containers.server().sessions());
        assertThat(containers.server().sessions()).hasSize(2);
    }

    @Test
    void anInstanceThatLostItsSessionRejoinsAtTheEnd() throws Exception {
        containers.server().expire(session("a"));

        awaitOrder(List.of("b", "c", "a"), a, b, c);
        assertThat(events(a).stream().map(EventLine::type).filter("INIT"::equals))
                .hasSize(1);
    }

    @Test
    void aRestartOfTheServerChangesNothing() throws Exception {
        List<Integer> before = counts();
        containers.restartServer();

        // A change in which all take part shows that all are back.
        ContainerProcess d = containers.start("four", "d");
        awaitOrder(List.of("a", "b", "c", "d"), a, b, c, d);
        List<Integer> after = counts();
        for (int i = 0; i < 3; i++) {
            assertThat(after.get(i) - before.get(i))
                    .as("events of the join only")
                    .isEqualTo(2);
        }
    }

    @Test
    void aChangedPropertyReachesAllWithoutChanging() throws Exception {
        List<Integer> before = counts();
        configure(b, "org.apache.sling.discovery.sample.SamplePropertyProvider", "sample.value1", "eins");

        for (ContainerProcess each : List.of(a, b, c)) {
            awaitThat(each.name() + " receives the property", () -> last(each)
                    .filter(event -> event.type().equals("PROPERTIES_CHANGED")
                            && event.text().contains("b:sample.value1"))
                    .isPresent());
            assertThat(get(each.consoleUri().resolve("topology/b"))).contains("eins");
        }
        assertThat(counts()).isEqualTo(before.stream().map(count -> count + 1).toList());
    }

    @Test
    void aSecondInstanceWithTheSameIdIsRefusedUntilTheFirstHasGone() throws Exception {
        List<Integer> before = counts();
        ContainerProcess twin = containers.start("twin", "b");

        awaitThat("the twin says why", () -> Files.readString(twin.log())
                .contains("refused: instance id b is held by process " + b.pid()));
        awaitThat("the others say so too", () -> get(a.consoleUri()).contains("its instance id is held"));
        assertThat(events(twin)).isEmpty();
        assertThat(counts()).as("no other instance is affected").isEqualTo(before);

        b.stop();
        awaitOrder(List.of("a", "c", "b"), a, c, twin);
    }

    private List<Integer> counts() {
        return List.of(events(a).size(), events(b).size(), events(c).size());
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

    private long session(String instanceId) throws Exception {
        return member(instanceId).getEphemeralOwner();
    }

    private List<Stat> members() throws Exception {
        return List.of(member("a"), member("b"), member("c"));
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

    private static String get(URI uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(authorized(uri).GET().build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Changes a value of a component as the configuration page of the console does. */
    private static void configure(ContainerProcess container, String pid, String name, String value) throws Exception {
        String form = "apply=true&action=ajaxConfigManager&propertylist=" + name + "&" + name + "=" + value;
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        authorized(container.consoleUri().resolve("configMgr/" + pid))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(HttpRequest.BodyPublishers.ofString(form))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isLessThan(400);
    }

    private static HttpRequest.Builder authorized(URI uri) {
        String login = Base64.getEncoder().encodeToString("admin:admin".getBytes(StandardCharsets.UTF_8));
        return HttpRequest.newBuilder(uri).header("Authorization", "Basic " + login);
    }
}
