// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.commons.model.FormatRange;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store makes of a tree that is missing, foreign, broken, or deleted under it. */
class StoreTreeTest {
    private static final String ROOT = "/sling/discovery";
    private static final String CLUSTER = ROOT + "/clusters/default";

    private TestServer server;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        server = new TestServer(data);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Witness witness(String id) {
        return new Witness(id, new ZooKeeperStore(config()));
    }

    private ZooKeeperStoreConfig config() {
        return ZooKeeperStoreConfig.of(server.address());
    }

    @Test
    void storesThatStartTogetherAgreeOnTheClusterId() throws Exception {
        List<Witness> all = List.of(witness("a"), witness("b"), witness("c"), witness("d"));
        try {
            String id = all.get(0).sees(any -> true).clusterId();
            assertThat(all).allSatisfy(one -> assertThat(one.sees(any -> true).clusterId())
                    .isEqualTo(id));
            assertThat(server.children(CLUSTER))
                    .containsExactlyInAnyOrder("members", "acks", "view", "history", "lease", "departures");
        } finally {
            all.forEach(Witness::close);
        }
        try (Witness later = witness("e")) {
            assertThat(later.sees(any -> true).members()).isEmpty();
        }
    }

    @Test
    void treeDeletedUnderARunningStoreIsMadeAgain() throws Exception {
        try (Witness a = witness("a");
                Witness b = witness("b")) {
            a.join();
            StoreSnapshot before = b.sees(all -> all.members().size() == 1);
            Request.Publish early = a.publication(before.members().get(0).node());
            a.does(early);
            b.sees(all -> all.view().isPresent());
            server.delete("/sling");
            b.sees(all -> all.members().isEmpty() && !all.clusterId().equals(before.clusterId()));
            a.sees(all -> all.members().isEmpty() && !all.clusterId().equals(before.clusterId()));
            Member again = a.join();
            assertThat(early.expectedVersion())
                    .isEqualTo(a.snapshot().get().slot().version());
            assertThat(a.ask(early).detail()).as("sent too late").contains(early.node());
            b.sees(all -> all.members().size() == 1);
            long number = a.publication(again.node()).next().number();
            assertThat(number).isGreaterThan(before.slot().nextNumber());
            a.does(a.publication(again.node()));
            b.sees(all -> all.view().isPresent());
            a.does(new Request.Probe());
            assertThat(a.told(Witness.Suspended.class)).isEmpty();
        }
    }

    @Test
    void partsDeletedUnderARunningStoreAreMadeAgain() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            List<String> parts = List.of("lease", "history", "acks", "departures");
            for (String part : parts) {
                server.delete(CLUSTER + "/" + part);
            }
            Request renewal =
                    new Request.Renew(own.node(), a.snapshot().get().slot().version());
            assertThat(a.ask(renewal).status()).isEqualTo(Status.OVERTAKEN);
            await().atMost(Witness.LONG).until(() -> server.children(CLUSTER).containsAll(parts));
            a.does(new Request.Probe());
            a.does(renewal);
            a.does(new Request.ProbeLease());
            a.does(new Request.Acknowledge(own.node(), 3));
            a.does(a.publication(own.node()));
        }
    }

    @Test
    void nodeDeletedBySomebodyElseIsReplacedOnlyAfterTheRestHasBeenReadAgain() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            server.forgetAsked();
            server.delete(CLUSTER + "/members/" + own.node());
            a.sees(all -> all.members().isEmpty());
            a.does(new Request.Create(a.record(Map.of())));
            assertThat(server.asked(a.session())).containsKey("getChildren");
            assertThat(server.children(CLUSTER + "/members"))
                    .containsExactly(a.own().node());
        }
    }

    @Test
    void nodeOfAnotherInstanceThatIsDeletedDelaysNothing() throws Exception {
        try (Witness a = witness("a");
                Witness b = witness("b")) {
            Member own = a.join();
            Member other = b.join();
            a.sees(all -> all.members().size() == 2);
            server.forgetAsked();
            server.delete(CLUSTER + "/members/" + other.node());
            a.sees(all -> all.members().equals(List.of(own)));
            a.does(new Request.Create(a.record(Map.of())));
            assertThat(server.asked(a.session())).doesNotContainKey("getChildren");
        }
    }

    @Test
    void nodeIsMadeWhenTheMissingPartsAreThereAgain() throws Exception {
        try (Witness a = witness("a")) {
            a.join();
            server.delete(CLUSTER + "/members");
            a.sees(all -> all.members().isEmpty());
            a.does(new Request.Create(a.record(Map.of())));
            assertThat(a.snapshot().get().members()).containsExactly(a.own());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"view", "members", "acks"})
    void deletedPartIsMadeAgainThoughNothingIsAsked(String part) throws Exception {
        try (Witness a = witness("a")) {
            a.sees(any -> true);
            a.store().collect(true);
            a.sees(all -> all.acknowledgements().isPresent());
            server.delete(CLUSTER + "/" + part);
            await().atMost(Witness.LONG).until(() -> server.exists(CLUSTER + "/" + part));
        }
    }

    @Test
    void rootOfSomebodyElseIsRefusedAndNothingIsWritten() throws Exception {
        server.create("/sling");
        server.create(ROOT, "somebody else's".getBytes(StandardCharsets.UTF_8));
        try (Witness a = witness("a")) {
            a.hears(Witness.Troubled.class, trouble -> trouble.sentence().contains(ROOT));
            assertThat(a.ask(new Request.Create(a.record(java.util.Map.of()))).status())
                    .isEqualTo(Status.UNKNOWN);
            assertThat(a.told(Witness.Connected.class)).isEmpty();
            assertThat(server.children(ROOT)).isEmpty();
            server.delete(ROOT);
            a.sees(any -> true);
            assertThat(a.told(Witness.Troubled.class)).last().isEqualTo(new Witness.Troubled(""));
        }
    }

    @Test
    void rootOfANewerFormatIsRefused() throws Exception {
        server.create("/sling");
        server.create(ROOT, "{\"format\":2,\"product\":\"discovery-zk\"}".getBytes(StandardCharsets.UTF_8));
        try (Witness a = witness("a")) {
            a.hears(Witness.Troubled.class, trouble -> trouble.sentence().contains("format 2"));
            assertThat(server.children(ROOT)).isEmpty();
        }
    }

    @Test
    void rootWithoutDataButWithChildrenIsRefusedAndAnEmptyOneTaken() throws Exception {
        server.create("/kafka");
        server.create("/kafka/brokers");
        server.create("/empty");
        try (Witness a = new Witness("a", new ZooKeeperStore(config().withRootPath("/kafka")));
                Witness b = new Witness("b", new ZooKeeperStore(config().withRootPath("/empty")))) {
            a.hears(Witness.Troubled.class, trouble -> trouble.sentence().contains("/kafka"));
            assertThat(server.children("/kafka")).containsExactly("brokers");
            b.sees(any -> true);
        }
    }

    @Test
    void pathBehindTheServersIsMadeAndComesBeforeTheRoot() throws Exception {
        ZooKeeperStoreConfig config = ZooKeeperStoreConfig.of(server.address() + "/some/where");
        try (Witness a = new Witness("a", new ZooKeeperStore(config.withClusterName("blue")))) {
            a.join();
            assertThat(server.children("/some/where/sling/discovery/clusters/blue/members"))
                    .hasSize(1);
        }
    }

    @Test
    void brokenBytesAreReportedAndHarmNobody() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            server.with(client -> {
                client.create(CLUSTER + "/members/note", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                client.create(
                        CLUSTER + "/members/m-0123456789abcdef-1-3-0000000000",
                        new byte[0],
                        Ids.OPEN_ACL_UNSAFE,
                        CreateMode.EPHEMERAL);
                client.create(CLUSTER + "/acks/note", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                client.create(CLUSTER + "/history/note", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                client.setData(CLUSTER + "/view", new byte[] {0x1f, (byte) 0x8b, 0, 1}, -1);
                a.store().collect(true);
                StoreSnapshot seen = a.sees(all -> all.problems().size() == 4);
                assertThat(seen.members()).containsExactly(own);
                assertThat(seen.unreadable()).singleElement().satisfies(member -> {
                    assertThat(member.formats()).isEqualTo(new FormatRange(1, 3));
                    assertThat(member.seniority()).isGreaterThan(own.seniority());
                    assertThat(member.session()).isEqualTo(client.getSessionId());
                });
                assertThat(seen.view()).isEmpty();
                assertThat(seen.problems())
                        .anyMatch(problem -> problem.contains("members/note"))
                        .anyMatch(problem -> problem.contains("it is empty"))
                        .anyMatch(problem -> problem.contains("acks/note"))
                        .anyMatch(problem -> problem.contains("established view"));
                a.does(new Request.Probe());
            });
            a.does(a.publication(own.node()));
            a.sees(all -> all.view().isPresent() && all.problems().size() == 2);
        }
    }

    @Test
    void aMemberThatMayNotBeReadIsAlive() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            server.with(client -> client.setACL(
                    CLUSTER + "/members/" + own.node(),
                    Collections.singletonList(new ACL(Perms.ALL & ~Perms.READ, Ids.ANYONE_ID_UNSAFE)),
                    -1));
            try (Witness b = witness("b")) {
                StoreSnapshot seen = b.sees(all -> !all.unreadable().isEmpty());
                assertThat(seen.isLive(own.node())).isTrue();
                assertThat(seen.members()).isEmpty();
                assertThat(seen.problems()).singleElement().asString().contains("NOAUTH", own.node());
            }
        }
    }

    @Test
    void theOwnMemberThatMayNotBeReadIsKnownAfterAReconnect() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            allow(own, Perms.ALL & ~Perms.READ);
            server.drop(a.session());
            StoreSnapshot seen = a.sees(all -> !all.unreadable().isEmpty());
            assertThat(seen.unreadableOwned(a.session()))
                    .hasValueSatisfying(node -> assertThat(node.node()).isEqualTo(own.node()));
        }
    }

    /** A change of access rights is no change of the node, so the store tells nothing of it. */
    @Test
    void aMemberThatMayBeReadAgainIsRead() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            allow(own, Perms.ALL & ~Perms.READ);
            try (Witness b = witness("b")) {
                b.sees(all -> !all.unreadable().isEmpty());
                allow(own, Perms.ALL);
                b.sees(all -> all.members().size() == 1 && all.unreadable().isEmpty());
            }
        }
    }

    private void allow(Member member, int rights) throws Exception {
        server.with(client -> client.setACL(
                CLUSTER + "/members/" + member.node(),
                Collections.singletonList(new ACL(rights, Ids.ANYONE_ID_UNSAFE)),
                -1));
    }

    @Test
    void treeOfAnEarlierVersionGetsWhatItLacks() throws Exception {
        try (Witness a = witness("a")) {
            a.join();
        }
        server.delete(CLUSTER + "/departures");
        try (Witness a = witness("a")) {
            a.join();
            a.does(new Request.ProbeLease());
            assertThat(server.children(CLUSTER + "/departures")).isEmpty();
        }
    }

    @Test
    void departureNotesAndLeaseThatDoNotBelongThereAreNamed() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            String newer = "beamed_up." + own.node() + "." + own.node();
            server.create(CLUSTER + "/departures/note");
            server.create(CLUSTER + "/departures/" + newer);
            server.with(client -> client.setData(CLUSTER + "/lease", "?".getBytes(StandardCharsets.UTF_8), -1));
            a.does(new Request.ProbeLease());
            StoreSnapshot seen = a.snapshot().get();
            assertThat(seen.leaseProbe().get().notes()).isEmpty();
            assertThat(seen.problems())
                    .hasSize(3)
                    .anyMatch(problem -> problem.contains("departures/note"))
                    .anyMatch(problem -> problem.contains(newer))
                    .anyMatch(problem -> problem.contains(CLUSTER + "/lease holds 1 bytes"));

            server.delete(CLUSTER + "/departures/note");
            a.does(new Request.Renew(own.node(), seen.slot().version()));
            a.does(new Request.ProbeLease());
            assertThat(a.snapshot().get().problems()).hasSize(1);
            assertThat(server.children(CLUSTER + "/departures")).containsExactly(newer);
        }
    }

    @Test
    void departureNotesOfANewerVersionGoWhenTheirNodeIsInNoView() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            String gone = "m-0123456789abcdef-1-1-0000000001";
            String stays = "beamed_up." + own.node() + "." + gone;
            server.create(CLUSTER + "/departures/note");
            server.create(CLUSTER + "/departures/" + stays);
            server.create(CLUSTER + "/departures/beamed_up." + gone + "." + own.node());
            a.does(new Request.ProbeLease());
            Request.Publish stillWithIt = a.publication(gone, own.node());
            a.does(stillWithIt);
            a.sees(all -> all.view().equals(Optional.of(stillWithIt.next())));
            a.does(new Request.ProbeLease());
            assertThat(server.children(CLUSTER + "/departures")).hasSize(3);
            publishes(a, own);
            a.does(new Request.ProbeLease());
            assertThat(server.children(CLUSTER + "/departures")).containsExactlyInAnyOrder("note", stays);
        }
    }

    @Test
    void brokenClusterIdIsRefusedAndNamed() throws Exception {
        try (Witness a = witness("a")) {
            a.join();
        }
        server.with(client -> client.setData(CLUSTER, new byte[] {0x1f, (byte) 0x8b, 8, 0}, -1));
        try (Witness a = witness("a")) {
            a.hears(Witness.Troubled.class, trouble -> trouble.sentence().contains(CLUSTER));
            assertThat(a.told(Witness.Connected.class)).isEmpty();
            assertThat(server.children(CLUSTER + "/members")).isEmpty();
        }
    }

    @Test
    void brokenRootMarkerUnderARunningStoreIsNamedAtTheNextConnect() throws Exception {
        try (Witness a = witness("a")) {
            a.join();
            byte[] good = server.data(ROOT);
            server.with(client -> client.setData(ROOT, new byte[] {1, 2, 3}, -1));
            server.drop(a.session());
            a.hears(Witness.Troubled.class, trouble -> trouble.sentence().contains(ROOT));
            assertThat(a.ask(new Request.Probe()).status()).isEqualTo(Status.UNKNOWN);
            server.with(client -> client.setData(ROOT, good, -1));
            await().atMost(Witness.LONG)
                    .until(() -> a.told(Witness.Connected.class).size() == 2);
            a.sees(all -> all.members().size() == 1);
        }
    }

    @Test
    void viewRestoredFromAnOlderStateIsFollowedByANumberAboveTheHistory() throws Exception {
        byte[] older;
        long last;
        try (Witness a = witness("a")) {
            Member own = a.join();
            publishes(a, own);
            older = server.data(CLUSTER + "/view");
            publishes(a, own);
            publishes(a, own);
            last = a.snapshot().get().view().get().number();
            server.with(client -> client.setData(CLUSTER + "/view", older, -1));
            a.sees(all -> all.view().get().number() == last - 2);
        }
        try (Witness a = witness("a")) {
            Member own = a.join();
            Request.Publish tooLow = a.publication(own.node());
            assertThat(tooLow.next().number()).isEqualTo(last - 1);
            assertThat(a.ask(tooLow).status()).isEqualTo(Status.OVERTAKEN);
            StoreSnapshot known = a.snapshot().get();
            assertThat(known.slot().recorded()).isEqualTo(last);
            assertThat(known.problems())
                    .singleElement()
                    .asString()
                    .contains(CLUSTER + "/view", "number " + (last - 2), "number " + last);
            publishes(a, own);
            assertThat(a.snapshot().get().view().get().number()).isGreaterThan(last);
            assertThat(a.snapshot().get().problems()).isEmpty();
            publishes(a, own);
        }
    }

    @Test
    void whoCollectsKnowsTheHighestNumberOfTheHistoryBeforeItPublishes() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            publishes(a, own);
            byte[] older = server.data(CLUSTER + "/view");
            publishes(a, own);
            long last = a.snapshot().get().view().get().number();
            server.with(client -> client.setData(CLUSTER + "/view", older, -1));
            try (Witness b = witness("b")) {
                Member other = b.join();
                assertThat(b.snapshot().get().slot().recorded()).isZero();
                b.store().collect(true);
                b.sees(all -> all.slot().recorded() == last);
                publishes(b, other);
                assertThat(b.snapshot().get().view().get().number()).isGreaterThan(last);
            }
        }
    }

    private static void publishes(Witness one, Member own) {
        Request.Publish next = one.publication(own.node());
        one.does(next);
        one.sees(all -> all.view().equals(Optional.of(next.next())));
    }
}
