// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static io.github.discoveryzk.testing.SharedTexts.encoded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.testing.server.TcpProxy;
import io.github.discoveryzk.zk.testing.OneServer;
import io.github.discoveryzk.zk.tree.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What members share besides their records, on a real server. */
class StoreAnnouncementsTest extends OneServer {
    private static final String FOLDER = CLUSTER + "/announcements";

    private Witness a;
    private Witness b;

    @BeforeEach
    void connect() {
        a = witness("a");
        b = witness("b");
        a.join();
        b.join();
        // Tests do not count what a reads of b.
        a.awaitMembers(2);
    }

    private static SharedAnnouncement by(String holder, String owner, String content) {
        return new SharedAnnouncement(holder, true, owner, Bytes.of(content));
    }

    private static void awaitSeen(Witness by, SharedAnnouncement... expected) {
        await().atMost(OneServer.LONG)
                .untilAsserted(() -> assertThat(by.announcements()).containsExactly(expected));
    }

    private void shares(Witness one, Map<String, String> contents) {
        one.store().board().share(encoded(contents));
    }

    /** Shares announcements of a, and waits until b knows them. */
    private void share(SharedAnnouncement... all) {
        a.store()
                .board()
                .share(List.of(all).stream()
                        .collect(Collectors.toMap(SharedAnnouncement::ownerId, SharedAnnouncement::content)));
        awaitSeen(b, all);
        awaitSeen(a, all);
    }

    private String path(String owner) {
        return FOLDER + "/" + Names.announcement(a.session(), owner);
    }

    @Test
    void oneChangeCostsEachOtherMemberOneRead() {
        share(by("a", "Zoe", "é漢\n\"'"), by("a", "y", "1"));
        server.forgetAsked();
        shares(a, Map.of("y", "1", "Zoe", "é漢\n\"'"));
        a.perform(new Request.Probe());
        assertThat(asked(a)).isEqualTo(Map.of("exists", 1L));

        server.forgetAsked();
        share(by("a", "Zoe", "2"), by("a", "y", "1"));
        assertThat(asked(b)).isEqualTo(Map.of("getData", 1L));
        assertThat(asked(a)).isEqualTo(Map.of("setData", 1L, "getData", 1L));
    }

    @Test
    void aReconnectWritesNothingAndTellsTheWholeListOnce() {
        share(by("a", "x", "1"));
        int notified = a.calls(RecordingObserver.Announcements.class).size();
        server.forgetAsked();
        readAgain(a);
        a.awaitSnapshot(any -> true);
        a.perform(new Request.Probe());

        assertThat(asked(a)).doesNotContainKeys("create", "setData", "delete", "multi");
        assertThat(a.announcements()).containsExactly(by("a", "x", "1"));
        assertThat(a.calls(RecordingObserver.Announcements.class)).hasSize(notified + 1);
    }

    @Test
    void whatIsTooLargeIsNamedAndTheOthersAreShared() {
        Bytes large = Bytes.of(new byte[1_000_000], 0);
        Bytes small = Bytes.of("1");
        String injected = "in\njected" + "!".repeat(99);
        a.store().board().share(Map.of("huge", large, "x", small, injected, small));
        eventually(() -> !a.troubles().isEmpty());
        assertThat(a.troubles())
                .last()
                .asString()
                .contains("huge takes", "in?jected!", "has an id that no instance can have")
                .doesNotContain("\n", "!".repeat(80));
        awaitSeen(b, by("a", "x", "1"));

        a.store().board().share(Map.of("x", small));
        eventually(() -> a.troubles().contains(""));
        a.perform(new Request.Probe());
    }

    @Test
    void foreignNodesAreReportedAndSkipped() throws Exception {
        share(by("a", "x", "1"));
        server.with(client -> {
            long session = client.getSessionId();
            byte[] record = server.data(path("x"));
            String broken = FOLDER + "/" + Names.announcement(session, "broken");
            client.create(broken, new byte[] {'?'}, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            String misnamed = FOLDER + "/" + Names.announcement(session, "y");
            client.create(misnamed, record, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            String permanent = FOLDER + "/" + Names.announcement(session, "x");
            client.create(permanent, record, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            client.create(FOLDER + "/odd", record, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);

            b.awaitSnapshot(all -> all.problems().size() == 4);
            assertThat(b.snapshot().problems())
                    .anySatisfy(sentence -> assertThat(sentence).contains(broken, "not a record"))
                    .anySatisfy(sentence -> assertThat(sentence).contains(misnamed, "another owner"))
                    .anySatisfy(sentence -> assertThat(sentence).contains(permanent, "does not belong"))
                    .anySatisfy(sentence -> assertThat(sentence).contains("/odd"));
            assertThat(b.announcements()).containsExactly(by("a", "x", "1"));
            client.delete(permanent, -1);
            client.delete(FOLDER + "/odd", -1);
        });
        b.awaitSnapshot(all -> all.problems().isEmpty());
        share(by("a", "x", "2"));
    }

    @Test
    void aNodeWithAForeignNameIsNotRead() throws Exception {
        share(by("a", "x", "1"));
        server.forgetAsked();
        server.create(FOLDER + "/odd");
        b.awaitSnapshot(all -> !all.problems().isEmpty());
        b.perform(new Request.Probe());
        assertThat(asked(b)).isEqualTo(Map.of("exists", 1L));
    }

    @Test
    void theNewerOfTwoSessionsOfOneHolderCounts() {
        share(by("a", "x", "old"));
        Witness again = witness("a");
        shares(again, Map.of("x", "new"));
        again.join();
        awaitSeen(b, by("a", "x", "new"));
        again.close();
        awaitSeen(b, by("a", "x", "old"));
    }

    @Test
    void theTreeCanBeDeletedUnderThem() throws Exception {
        share(by("a", "x", "1"));
        write(path("x"), "?");
        awaitSeen(b);
        awaitSeen(b, by("a", "x", "1"));
        for (String deleted : List.of(FOLDER, "/sling")) {
            server.delete(deleted);
            awaitSeen(b);
            awaitSeen(b, by("a", "x", "1"));
        }
        a.awaitMembers(0);
        a.perform(new Request.Probe());
    }

    @Test
    void aDeniedFolderDelaysNoRequestAndIsWrittenToLater() throws Exception {
        server.create(FOLDER);
        allow(FOLDER, Perms.READ | Perms.ADMIN);
        shares(a, Map.of("x", "1"));
        eventually(() -> !a.troubles().isEmpty());
        assertThat(a.troubles()).last().asString().contains("announcement of x", "denies access");
        a.publishNext();
        allow(FOLDER, Perms.ALL);
        awaitSeen(b, by("a", "x", "1"));
        eventually(() -> a.troubles().contains(""));
    }

    @Test
    void whatMustNotBeReadStaysAsItWasReadAndHidesNoOther() throws Exception {
        share(by("a", "x", "1"), by("a", "y", "2"));
        allow(path("x"), UNREADABLE);
        Witness c = witness("c");
        awaitSeen(c, by("a", "y", "2"));
        readAgain(b);
        for (Witness one : List.of(b, c)) {
            one.awaitSnapshot(all -> all.problems().stream().anyMatch(sentence -> sentence.contains(path("x"))));
        }
        c.perform(new Request.Probe());
        assertThat(b.announcements()).containsExactly(by("a", "x", "1"), by("a", "y", "2"));

        allow(path("x"), Perms.ALL);
        readAgain(b);
        b.awaitSnapshot(all -> all.problems().isEmpty());
        assertThat(b.announcements()).containsExactly(by("a", "x", "1"), by("a", "y", "2"));
    }

    @Test
    void whatMustNotBeListedAnyMoreStaysUntilItIsDeleted() throws Exception {
        share(by("a", "x", "1"), by("a", "y", "2"));
        try (TcpProxy proxy = new TcpProxy(server.port())) {
            Witness c = witness("c", ZooKeeperStoreConfig.of(proxy.address()));
            awaitSeen(c, by("a", "x", "1"), by("a", "y", "2"));
            proxy.cut();
            c.awaitCall(RecordingObserver.Suspended.class, any -> true);
            allow(FOLDER, UNREADABLE);
            share(by("a", "x", "3"));
            proxy.restore();

            awaitSeen(c, by("a", "x", "3"));
            c.awaitSnapshot(all -> all.problems().stream().anyMatch(sentence -> sentence.contains(FOLDER)));
        }
    }

    @Test
    void otherClustersOfTheRootSeeThem() {
        Witness x = witness("x", "other");
        x.join();
        shares(x, Map.of("o", "1"));
        shares(a, Map.of("p", "2"));
        awaitSeen(a, by("a", "p", "2"), new SharedAnnouncement("x", false, "o", Bytes.of("1")));
        awaitSeen(x, new SharedAnnouncement("a", false, "p", Bytes.of("2")), by("x", "o", "1"));
        reconnect(a);
        shares(x, Map.of("o", "3"));
        awaitSeen(a, by("a", "p", "2"), new SharedAnnouncement("x", false, "o", Bytes.of("3")));
        x.close();
        awaitSeen(a, by("a", "p", "2"));
    }

    @Test
    void eachIsReadInAPacketOfItsOwn() {
        shares(a, IntStream.range(0, 250).boxed().collect(Collectors.toMap(i -> "owner-" + i, i -> "content-" + i)));
        eventually(() -> b.announcements().size() == 250);
        server.forgetAsked();
        readAgain(b);
        assertThat(b.announcements()).hasSize(250);
        b.perform(new Request.Probe());

        // The tree and the members of the local cluster are read in two packets.
        assertThat(asked(b)).containsEntry("multiRead", 2L).containsEntry("getData", 250L);
    }

    @Test
    void manyBytesAreWrittenSlowly() throws Exception {
        Bytes large = Bytes.of(new byte[800_000], 0);
        a.store().board().share(Map.of("x", large, "y", large, "z", large));
        eventually(() -> b.announcements().size() == 3);
        List<Long> created = new ArrayList<>();
        server.with(client -> {
            for (String name : client.getChildren(FOLDER, false)) {
                created.add(client.exists(FOLDER + "/" + name, false).getCtime());
            }
        });
        Collections.sort(created);

        assertThat(created.get(1) - created.get(0)).isGreaterThan(700);
        assertThat(created.get(2) - created.get(1)).isGreaterThan(700);
    }

    @Test
    void theTreeShowsThemWithoutTheirContent() throws Exception {
        share(by("a", "x", "password=hidden"));
        StoreTree tree = a.store().inspector().readTree().toCompletableFuture().get();

        assertThat(tree.toString()).doesNotContain("hidden");
        StoreTree.Node node = node(tree, path("x"));
        assertThat(node.kind()).isEqualTo("announcement");
        assertThat(node.problem()).isEmpty();
        assertThat(node.record())
                .containsExactly(
                        new StoreTree.Field("holder", "a"),
                        new StoreTree.Field("ownerId", "x"),
                        new StoreTree.Field("content", "15 bytes"));
        assertThat(node(tree, FOLDER).kind()).isEqualTo("announcements");
        write(path("x"), "?");
        StoreTree broken =
                b.store().inspector().readTree().toCompletableFuture().get();
        assertThat(node(broken, path("x")).problem()).isNotEqualTo(Optional.empty());
    }
}
