// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.outside.Limit;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers that carry their ensemble: from one text, which is the same for all. */
class EnsembleIT {
    /** Short enough to see a kill, and long enough for a busy machine. */
    private static final int SHORT = 5_000;
    /** No session ends by itself, so what leaves has left cleanly. */
    private static final int LONG = 300_000;

    @TempDir
    private Path folder;

    @AutoClose
    private Ensemble ensemble;

    private void start(int sessionMillis, String servers, String... ids) throws Exception {
        ensemble = new Ensemble(folder, sessionMillis);
        for (String id : ids) {
            ensemble.start(id, servers);
        }
        ensemble.awaitMembers(ids);
    }

    /** The log of one that starts and stops has nothing that needs attention. */
    private void assertCalm(String... ids) throws Exception {
        for (String id : ids) {
            assertThat(ensemble.log(id)
                            .lines()
                            // The back end names a connection that takes long, and servers wait for one another.
                            .filter(line -> line.contains(" ERROR ")
                                    || (line.contains(" WARN ") && line.contains("discovery.zk.server")))
                            // ZooKeeper's leader logs each connection to another server that ends.
                            .filter(line -> !line.contains(" ERROR [LearnerHandler-"))
                            .toList())
                    .as("log of %s", id)
                    .isEmpty();
        }
    }

    @Test
    void oneContainerHasAServerAndLeavesCleanly() throws Exception {
        String servers = Ensemble.servers(1);
        start(LONG, servers, "a", "b");
        Limit.untilAsserted(() -> assertThat(ensemble.log("a") + ensemble.log("b"))
                .contains("Server 1 of 1 serves", "so this container is a client only"));
        String client = ensemble.log("a").contains("a client only") ? "a" : "b";
        long view = ensemble.view(client);
        ensemble.stop(client);
        ensemble.awaitMembers(client.equals("a") ? "b" : "a");
        ensemble.start(client, servers);
        ensemble.awaitMembers("a", "b");
        assertThat(ensemble.view(client)).isGreaterThan(view);
        assertCalm("a", "b");
    }

    @Test
    void threeContainersFormAnEnsembleAndSurviveAKill() throws Exception {
        String servers = Ensemble.servers(3);
        start(SHORT, servers, "a", "b", "c");
        assertThat(served()).containsExactlyInAnyOrder("1", "2", "3");
        assertCalm("a", "b", "c");
        ensemble.kill("a");
        ensemble.awaitMembers("b", "c");
        ensemble.start("a", servers);
        ensemble.awaitMembers("a", "b", "c");
    }

    /** Returns the ids of the servers that serve. */
    private Set<String> served() throws Exception {
        for (String id : List.of("a", "b", "c")) {
            ensemble.awaitLog(id, "of 3 serves on");
        }
        return (ensemble.log("a") + ensemble.log("b") + ensemble.log("c"))
                .lines()
                .filter(line -> line.contains(" of 3 serves on "))
                .map(line -> line.replaceFirst(".* Server (\\d) of 3 serves.*", "$1"))
                .collect(Collectors.toSet());
    }

    @Test
    @Tag("thorough")
    void aContainerThatStopsLeavesBeforeItsServerStops() throws Exception {
        start(LONG, Ensemble.servers(3), "a", "b", "c");
        Limit.untilAsserted(() -> assertThat(Containers.page(ensemble.get("b"), "?show=servers"))
                .contains(" of 3 serves on ", " leads."));
        ensemble.stop("a");
        ensemble.awaitMembers("b", "c");
        // If the leader of the servers was there, the others have none for a moment.
        Limit.untilAsserted(() ->
                assertThat(Containers.page(ensemble.get("b"), "?show=history")).contains("a stopped"));
        assertCalm("a");
    }

    @Test
    @Tag("thorough")
    void oneGrowsToThreeAndKeepsTheNumbersOfItsViews() throws Exception {
        String three = Ensemble.servers(3);
        String one = three.split(",")[0];
        start(LONG, one, "a");
        long before = ensemble.view("a");
        ensemble.start("b", three);
        ensemble.awaitLog("b", "Server 2 of 3 runs");
        ensemble.stop("a");
        ensemble.start("a", three);
        ensemble.awaitMembers("a", "b");
        ensemble.start("c", three);
        ensemble.awaitMembers("a", "b", "c");
        assertThat(ensemble.view("a")).isBetween(before + 1, before + 20);
        assertThat(served()).containsExactlyInAnyOrder("1", "2", "3");
        assertCalm("a", "b", "c");
    }

    @Test
    @Tag("thorough")
    void twoJoinersAtTheSameMomentJoinOneAfterTheOther() throws Exception {
        String three = Ensemble.servers(3);
        start(LONG, three.split(",")[0], "a");
        long before = ensemble.view("a");
        ensemble.start("b", three);
        ensemble.start("c", three);
        Limit.untilAsserted(
                () -> assertThat(ensemble.log("b") + ensemble.log("c")).contains("Refused for now"));
        ensemble.stop("a");
        ensemble.start("a", three);
        ensemble.awaitMembers("a", "b", "c");
        assertThat(ensemble.view("a")).isBetween(before + 1, before + 20);
    }

    @Test
    @Tag("thorough")
    void twoKilledAreSaidAndAllRecover() throws Exception {
        String servers = Ensemble.servers(3);
        start(SHORT, servers, "a", "b", "c");
        long before = ensemble.view("c");
        ensemble.kill("a");
        ensemble.kill("b");
        ensemble.awaitLog("c", "waits for a majority of the servers");
        ensemble.start("a", servers);
        ensemble.start("b", servers);
        ensemble.awaitMembers("a", "b", "c");
        assertThat(ensemble.view("c")).isBetween(before + 1, before + 20);
    }

    @Test
    @Tag("thorough")
    void allRestartedAtTheSameMomentKeepTheirData() throws Exception {
        String servers = Ensemble.servers(3);
        start(SHORT, servers, "a", "b", "c");
        long before = ensemble.view("c");
        for (String id : List.of("a", "b", "c")) {
            ensemble.kill(id);
        }
        for (String id : List.of("a", "b", "c")) {
            ensemble.start(id, servers);
        }
        ensemble.awaitMembers("a", "b", "c");
        assertThat(ensemble.view("c")).isBetween(before + 1, before + 20);
    }

    @Test
    @Tag("thorough")
    void theFirstServerMayBeChangedFirst() throws Exception {
        String three = Ensemble.servers(3);
        start(LONG, three.split(",")[0], "a");
        long before = ensemble.view("a");
        ensemble.stop("a");
        ensemble.start("a", three);
        ensemble.awaitLog("a", "The ensemble of one grows, and this server waits for one of the servers 2 (");
        ensemble.start("c", three);
        ensemble.awaitMembers("a", "c");
        ensemble.start("b", three);
        ensemble.awaitMembers("a", "b", "c");
        assertThat(ensemble.view("a")).isBetween(before + 1, before + 20);
    }

    @Test
    @Tag("thorough")
    void lostDataIsNamedAndComesBackFromTheOthers() throws Exception {
        String servers = Ensemble.servers(3);
        start(LONG, servers, "a", "b", "c");
        long before = ensemble.view("a");
        ensemble.stop("b");
        ensemble.awaitMembers("a", "c");
        ensemble.loseData("b");
        ensemble.start("b", servers);
        ensemble.awaitLog("b", "The data of this server is lost");
        ensemble.awaitMembers("a", "b", "c");
        ensemble.stop("a");
        ensemble.awaitMembers("b", "c");
        assertThat(ensemble.view("b")).isBetween(before + 1, before + 20);
    }
}
