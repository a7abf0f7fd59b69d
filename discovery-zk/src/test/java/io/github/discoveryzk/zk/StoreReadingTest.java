// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.discoveryzk.model.HistoryReading;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.report.Secrets;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.report.StoreTree.Field;
import io.github.discoveryzk.report.StoreTree.Node;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.zk.testing.OneServer;
import io.github.discoveryzk.zk.tree.Names;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The history and the tree for display, beyond the contract of all stores. */
class StoreReadingTest extends OneServer {
    private Witness a;
    private Member own;
    private String entry;

    @BeforeEach
    void settle() {
        a = witness("a");
        own = a.join();
        entry = CLUSTER + "/history/" + Names.entry(a.publishNext().number());
    }

    private static <T> T read(CompletionStage<T> reading) {
        CompletableFuture<T> future = reading.toCompletableFuture();
        eventually(future::isDone);
        return future.join();
    }

    private HistoryReading history(Set<Long> known) {
        return read(a.store().inspector().readHistory(known));
    }

    private StoreTree tree() {
        return read(a.store().inspector().readTree());
    }

    private Node node(String path) {
        return node(tree(), path);
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
                        tuple(CLUSTER + "/departures", "leave records"),
                        tuple(CLUSTER + "/history", "history"),
                        tuple(entry, "history entry"),
                        tuple(CLUSTER + "/lease", "lease"),
                        tuple(CLUSTER + "/members", "members"),
                        tuple(CLUSTER + "/members/" + own.node(), "member"),
                        tuple(CLUSTER + "/suspects", "suspicions"),
                        tuple(CLUSTER + "/view", "view"));
        assertThat(tree.nodes()).extracting(Node::problem).containsOnly(Optional.empty());
        assertThat(node(CLUSTER + "/acks/7." + own.node()).record())
                .containsExactly(new Field("view", "7"), new Field("member", own.node()));
        assertThat(node(ROOT).record()).contains(new Field("product", "discovery-zk"));
        assertThat(node(CLUSTER).record()).contains(new Field("id", a.snapshot().clusterId()));
        assertThat(node(CLUSTER + "/view").record()).contains(new Field("members", own.node() + " a"));

        a.perform(Witness.leaving(own));
        String leaveRecord = CLUSTER + "/departures/stopped." + own.node() + "." + own.node();
        assertThat(node(leaveRecord).kind()).isEqualTo("leave record");
        assertThat(node(leaveRecord).record())
                .containsExactly(
                        new Field("member", own.node()), new Field("how", "stopped"), new Field("by", own.node()));
    }

    @Test
    void whatTheServerKeepsOfANodeIsShown() {
        long now = own.createdMillis();
        a.update(Map.of("x", "y".repeat(50_000), "api.key", "1234"));
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
    void brokenRecordsSayWhyAndForeignNodesAreNotOpened() throws Exception {
        server.create(ROOT + "/foreign", (byte) '?');
        server.create(ROOT + "/foreign/deeper");
        server.create(CLUSTER + "/members/persistent");
        server.create(CLUSTER + "/history/notes", (byte) '?');
        server.create(CLUSTER + "/departures/unknown");
        List<String> broken = List.of(CLUSTER + "/view", CLUSTER + "/lease", entry);
        for (String path : broken) {
            write(path, "?");
        }
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
                .filteredOn(node -> broken.contains(node.path()))
                .hasSize(3)
                .allSatisfy(node -> {
                    assertThat(node.record()).isEmpty();
                    assertThat(node.problem()).isPresent();
                });
    }

    @Test
    void aNodeThatMayNotBeReadIsShown() throws Exception {
        allow(CLUSTER + "/view", UNREADABLE);

        assertThat(tree().nodes()).hasSize(12);
        assertThat(node(CLUSTER + "/view").problem().orElseThrow()).contains("denies access");
    }

    @Test
    void moreThanIsReadImmediatelyIsCutOff() throws Exception {
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
            server.create(CLUSTER + "/members/last");
        });
        StoreTree tree = tree();

        assertThat(tree.nodes()).hasSize(2_000);
        assertThat(tree.complete()).isFalse();
    }

    @Test
    void readingCostsNothingUnlessAskedForAndLeavesNothingBehind() {
        a.publishNext();
        a.publishNext();
        a.perform(new Request.Probe());
        int watches = server.watches();
        server.forgetAsked();
        HistoryReading all = history(Set.of());
        assertThat(all.entries()).hasSize(3);
        assertThat(asked(a)).isEqualTo(Map.of("getChildren", 1L, "getData", 3L));

        server.forgetAsked();
        history(all.numbers());
        assertThat(asked(a)).isEqualTo(Map.of("getChildren", 1L));

        server.forgetAsked();
        long nodes = tree().nodes().size();
        assertThat(asked(a)).isEqualTo(Map.of("getChildren", 5L, "getData", nodes));
        assertThat(server.watches()).isEqualTo(watches);
    }

    @Test
    void whatIsNoEntryOfTheHistoryIsAProblemAndLargeEntriesDoNotCostTheConnection() throws Exception {
        server.create(CLUSTER + "/history/notes", (byte) '?');
        server.create(CLUSTER + "/history/" + Names.entry(1), server.data(entry));
        for (int i = 2; i <= 6; i++) {
            server.create(CLUSTER + "/history/" + Names.entry(i), new byte[900_000]);
        }
        HistoryReading read = history(Set.of());

        assertThat(read.entries()).hasSize(1);
        assertThat(read.problems())
                .hasSize(7)
                .anySatisfy(problem -> assertThat(problem).contains(CLUSTER + "/history/notes", "does not belong"))
                .anySatisfy(problem -> assertThat(problem).contains(Names.entry(1), "it has view"));
        assertThat(a.calls(RecordingObserver.Suspended.class)).isEmpty();
    }

    @Test
    void whoWaitsIsAnsweredWhenTheConnectionIsLost() {
        server.mute(true);
        CompletableFuture<StoreTree> tree = a.store().inspector().readTree().toCompletableFuture();
        CompletableFuture<HistoryReading> history =
                a.store().inspector().readHistory(Set.of()).toCompletableFuture();
        server.drop(a.session());

        eventually(() -> tree.isCompletedExceptionally() && history.isCompletedExceptionally());
        server.mute(false);
    }
}
