// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.sling.discovery.launcher.EmbeddedZooKeeper;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Missing access rights: an instance reports what is denied and where, and continues when it is allowed again. */
class AccessRightsIT {

    private static final String CLUSTER = "/sling/discovery/clusters/default/";
    private static final int SESSION_MILLIS = 6_000;

    private final List<PlainInstance> all = new ArrayList<>();
    private EmbeddedZooKeeper server;
    private ZooKeeper administrator;

    @BeforeEach
    void startFirst(@TempDir Path folder) throws Exception {
        server = EmbeddedZooKeeper.start(folder);
        administrator = new ZooKeeper(server.connectString(), 60_000, event -> {});
        start("a");
        awaitOrder("a");
    }

    @AfterEach
    void stop() throws Exception {
        all.forEach(PlainInstance::close);
        administrator.close();
        server.close();
    }

    private PlainInstance start(String id) {
        PlainInstance next = new PlainInstance(
                id, ZooKeeperStoreConfig.of(server.connectString()).withSessionTimeout(SESSION_MILLIS));
        all.add(next);
        next.start();
        return next;
    }

    /** Sets the rights of all clients to a node, and keeps the right to change them. */
    private void allow(String node, int rights) throws Exception {
        // The client calls contains(null) on the list, which List.of does not support.
        administrator.setACL(
                CLUSTER + node, Collections.singletonList(new ACL(rights | Perms.ADMIN, Ids.ANYONE_ID_UNSAFE)), -1);
    }

    private void awaitOrder(String... order) {
        awaitThat("order " + String.join(", ", order), () -> all.stream()
                .allMatch(each -> each.order().equals(List.of(order)) && each.hasReceivedItsView()));
    }

    private static void awaitProblem(PlainInstance instance, String... words) {
        awaitThat("a problem with " + String.join(", ", words), () -> problems(instance)
                .anyMatch(problem -> Stream.of(words).allMatch(problem::contains)));
    }

    private static Stream<String> problems(PlainInstance instance) {
        return instance.report().problems().stream();
    }

    private void assertNoProblems() {
        awaitThat(
                "no problems",
                () -> all.stream().flatMap(AccessRightsIT::problems).findAny().isEmpty());
    }

    @Test
    void aNewcomerThatMayNotAnnounceItself() throws Exception {
        allow("members", Perms.READ);
        PlainInstance b = start("b");
        awaitProblem(
                b,
                "the store rejected the request to announce",
                "instance b",
                "denies access to " + CLUSTER + "members");
        assertThat(b.events()).isEmpty();
        assertThat(all.get(0).order()).as("no other instance is disturbed").containsExactly("a");

        allow("members", Perms.ALL);
        awaitOrder("a", "b");
        assertNoProblems();
    }

    @Test
    void aNewcomerThatMayNotSeeTheMembers() throws Exception {
        allow("members", Perms.ALL & ~Perms.READ);
        PlainInstance b = start("b");
        awaitProblem(b, "NOAUTH", CLUSTER + "members", "Check the access rights");

        allow("members", Perms.ALL);
        awaitOrder("a", "b");
        assertNoProblems();
    }

    @Test
    void aLeaderThatMayNotRenewItsLease() throws Exception {
        PlainInstance a = all.get(0);
        allow("lease", Perms.READ);
        awaitProblem(a, "the store rejected the request to renew", "denies access to " + CLUSTER + "lease");
        awaitThat("the end of the lease", () -> a.order().isEmpty());

        allow("lease", Perms.ALL);
        awaitOrder("a");
        assertNoProblems();
    }

    /** The leader coordinates the change and is a member of the old view. */
    @ParameterizedTest
    @CsvSource({"view, publish", "acks, acknowledge"})
    void aLeaderThatMayNotTakePartInAChange(String node, String request) throws Exception {
        allow(node, Perms.READ);
        start("b");
        awaitProblem(all.get(0), "the store rejected the request to " + request, "denies access to " + CLUSTER + node);

        allow(node, Perms.ALL);
        awaitOrder("a", "b");
        assertNoProblems();
    }
}
