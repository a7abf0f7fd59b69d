// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.sling.discovery.commons.model.HistoryReading;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.report.Secrets;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.StoreTree.Field;
import org.apache.sling.discovery.commons.report.StoreTree.Node;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.sling.discovery.zk.tree.HistoryEntryName;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreReadingTest {
    private static final String ROOT = "/sling/discovery";
    private static final String CLUSTER = ROOT + "/clusters/default";
    private static final byte[] BROKEN = "?".getBytes(StandardCharsets.UTF_8);

    private TestServer server;
    private Witness a;
    private Member own;

    @BeforeEach
    void settle(@TempDir Path data) throws Exception {
        server = new TestServer(data);
        a = new Witness("a", new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address())));
        own = a.join();
        publish();
    }

    @AfterEach
    void stop() {
        a.close();
        server.close();
    }

    private void publish() {
        Request.Publish next = a.publication(own.node());
        a.perform(next);
        a.awaitSnapshot(all -> all.view().equals(Optional.of(next.next())));
    }

    private static <T> T read(CompletionStage<T> reading) {
        CompletableFuture<T> future = reading.toCompletableFuture();
        await().atMost(Witness.LONG).until(future::isDone);
        return future.join();
    }

    private StoreTree tree() {
        return read(a.store().inspector().readTree());
    }

    private Node node(String path) {
        return tree().nodes().stream()
                .filter(node -> node.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private String entry() {
        return CLUSTER + "/history/"
                + HistoryEntryName.of(
                        a.snapshot().orElseThrow().view().orElseThrow().number());
    }

    @Test
    void everythingIsShownInOrder() {
        a.perform(new Request.Acknowledge(own.node(), 7));
        StoreTree tree = tree();

        assertThat(tree.complete()).isTrue();
        assertThat(tree.nodes())
                .extracting(Node::path, Node::kind)
                .containsExactly(
                        tuple(ROOT, "root"),
                        tuple(ROOT + "/clusters", "clusters"),
                        tuple(CLUSTER, "cluster"),
                        tuple(CLUSTER + "/acks", "acknowledgements"),
                        tuple(CLUSTER + "/acks/7." + own.node(), "acknowledgement"),
                        tuple(CLUSTER + "/departures", "departure notes"),
                        tuple(CLUSTER + "/history", "history"),
                        tuple(entry(), "history entry"),
                        tuple(CLUSTER + "/lease", "lease"),
                        tuple(CLUSTER + "/members", "members"),
                        tuple(CLUSTER + "/members/" + own.node(), "member"),
                        tuple(CLUSTER + "/view", "view"));
        assertThat(tree.nodes()).extracting(Node::problem).containsOnly(Optional.empty());
        assertThat(node(CLUSTER + "/acks/7." + own.node()).record())
                .containsExactly(new Field("view", "7"), new Field("member", own.node()));
        assertThat(node(ROOT).record()).contains(new Field("product", "discovery-zk"));
        assertThat(node(CLUSTER).record())
                .contains(new Field("id", a.snapshot().orElseThrow().clusterId()));
        assertThat(node(CLUSTER + "/view").record()).contains(new Field("members", own.node() + " a"));
    }

    @Test
    void whatTheServerKeepsOfANodeIsShown() {
        long now = own.createdMillis();
        a.perform(new Request.Update(own.node(), a.record(Map.of("x", "y".repeat(50_000), "api.key", "1234"))));
        a.awaitSnapshot(all -> !all.members().get(0).record().properties().isEmpty());
        Node member = node(CLUSTER + "/members/" + own.node());

        assertThat(member.owner()).contains("0x" + Long.toHexString(a.session()));
        assertThat(member.stat().creation()).isEqualTo("0x" + Long.toHexString(own.seniority()));
        assertThat(member.stat().createdMillis()).isEqualTo(now);
        assertThat(member.stat().modifiedMillis()).isGreaterThanOrEqualTo(now);
        assertThat(member.stat().version()).isEqualTo(1);
        assertThat(member.stat().bytes()).isBetween(50, 5_000);
        assertThat(member.record()).contains(new Field("properties.api.key", Secrets.MASK));
        assertThat(member.record())
                .filteredOn(field -> field.name().equals("properties.x"))
                .singleElement()
                .satisfies(field -> assertThat(field.value()).hasSize(10_001));
        assertThat(node(CLUSTER + "/view").record()).extracting(Field::name).contains("token");
        assertThat(node(CLUSTER + "/view").record()).extracting(Field::value).doesNotContain(Secrets.MASK);
    }

    @Test
    void departureNotesAreDecoded() {
        a.perform(Witness.leaving(own));

        Node note = tree().nodes().stream()
                .filter(node -> node.kind().equals("departure note"))
                .findFirst()
                .orElseThrow();
        assertThat(note.record())
                .containsExactly(
                        new Field("member", own.node()), new Field("how", "stopped"), new Field("by", own.node()));
    }

    @Test
    void brokenRecordsSayWhyAndForeignNodesAreNotOpened() throws Exception {
        server.create(ROOT + "/foreign", BROKEN);
        server.create(ROOT + "/foreign/deeper");
        server.create(CLUSTER + "/members/persistent");
        server.create(CLUSTER + "/history/notes", BROKEN);
        server.create(CLUSTER + "/departures/unknown");
        String entry = entry();
        server.with(client -> {
            client.setData(CLUSTER + "/view", BROKEN, -1);
            client.setData(CLUSTER + "/lease", BROKEN, -1);
            client.setData(entry, BROKEN, -1);
        });
        List<Node> nodes = tree().nodes();

        assertThat(nodes)
                .filteredOn(node -> node.kind().equals("foreign"))
                .allSatisfy(node -> {
                    assertThat(node.record()).isEmpty();
                    assertThat(node.problem().orElseThrow()).contains(node.path(), "does not belong there");
                })
                .extracting(Node::path)
                .containsExactly(
                        CLUSTER + "/departures/unknown",
                        CLUSTER + "/history/notes",
                        CLUSTER + "/members/persistent",
                        ROOT + "/foreign");
        assertThat(nodes)
                .filteredOn(node ->
                        List.of(CLUSTER + "/view", CLUSTER + "/lease", entry).contains(node.path()))
                .hasSize(3)
                .allSatisfy(node -> {
                    assertThat(node.record()).isEmpty();
                    assertThat(node.problem()).isPresent();
                });
    }

    @Test
    void aNodeThatMayNotBeReadIsShown() throws Exception {
        server.with(client -> client.setACL(
                CLUSTER + "/view",
                Collections.singletonList(new ACL(Perms.ALL & ~Perms.READ, Ids.ANYONE_ID_UNSAFE)),
                -1));
        StoreTree tree = tree();

        assertThat(tree.nodes()).hasSize(11);
        assertThat(node(CLUSTER + "/view").problem().orElseThrow()).contains("denies access");
    }

    @Test
    void moreThanIsReadAtOnceIsCutOff() throws Exception {
        server.with(client -> {
            for (int i = 0; i < 2_100; i++) {
                client.create(
                        CLUSTER + "/departures/foreign" + i,
                        new byte[0],
                        Ids.OPEN_ACL_UNSAFE,
                        CreateMode.PERSISTENT,
                        (rc, path, context, name) -> {},
                        null);
            }
            client.create(CLUSTER + "/members/last", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        });
        StoreTree tree = tree();

        assertThat(tree.nodes()).hasSize(2_000);
        assertThat(tree.complete()).isFalse();
    }

    @Test
    void readingCostsNothingUnlessAskedForAndLeavesNothingBehind() throws Exception {
        publish();
        publish();
        a.perform(new Request.Probe());
        int watches = server.watches();
        server.forgetAsked();
        HistoryReading all = read(a.store().inspector().readHistory(Set.of()));
        assertThat(all.entries()).hasSize(3);
        assertThat(server.asked(a.session())).isEqualTo(Map.of("getChildren", 1L, "getData", 3L));

        server.forgetAsked();
        read(a.store().inspector().readHistory(all.numbers()));
        assertThat(server.asked(a.session())).isEqualTo(Map.of("getChildren", 1L));

        server.forgetAsked();
        int nodes = tree().nodes().size();
        assertThat(server.asked(a.session())).isEqualTo(Map.of("getChildren", 5L, "getData", (long) nodes));
        assertThat(server.watches()).isEqualTo(watches);
    }

    @Test
    void whatIsNoEntryOfTheHistoryIsAProblem() throws Exception {
        server.create(CLUSTER + "/history/notes", BROKEN);
        server.create(CLUSTER + "/history/" + HistoryEntryName.of(1), server.data(entry()));
        HistoryReading read = read(a.store().inspector().readHistory(Set.of()));

        assertThat(read.entries()).hasSize(1);
        assertThat(read.problems())
                .hasSize(2)
                .anySatisfy(problem -> assertThat(problem).contains(CLUSTER + "/history/notes", "does not belong"))
                .anySatisfy(problem -> assertThat(problem).contains(HistoryEntryName.of(1), "it has view"));
    }

    @Test
    void largeEntriesDoNotCostTheConnection() throws Exception {
        byte[] large = new byte[900_000];
        for (int i = 1; i <= 5; i++) {
            server.create(CLUSTER + "/history/" + HistoryEntryName.of(i), large);
        }
        HistoryReading read = read(a.store().inspector().readHistory(Set.of()));

        assertThat(read.problems()).hasSize(5);
        assertThat(read.entries()).hasSize(1);
        assertThat(a.calls(Witness.Suspended.class)).isEmpty();
    }

    @Test
    void whoWaitsIsAnsweredWhenTheConnectionIsLost() {
        server.mute(true);
        CompletableFuture<StoreTree> tree = a.store().inspector().readTree().toCompletableFuture();
        CompletableFuture<HistoryReading> history =
                a.store().inspector().readHistory(Set.of()).toCompletableFuture();
        server.drop(a.session());

        await().atMost(Witness.LONG).until(() -> tree.isCompletedExceptionally() && history.isCompletedExceptionally());
        server.mute(false);
    }
}
