// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.apache.sling.discovery.testing.SharedTexts.encoded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.server.TcpProxy;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.sling.discovery.zk.tree.Names;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
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
    }

    @AfterEach
    void disconnect() {
        a.close();
        b.close();
    }

    private static SharedAnnouncement by(String holder, String owner, String content) {
        return new SharedAnnouncement(holder, true, owner, Bytes.of(content));
    }

    private static List<SharedAnnouncement> seenBy(Witness of) {
        List<Witness.Announcements> all = of.calls(Witness.Announcements.class);
        return all.isEmpty() ? List.of() : all.get(all.size() - 1).all();
    }

    private static void awaitSeen(Witness by, SharedAnnouncement... expected) {
        await().atMost(Witness.LONG).untilAsserted(() -> assertThat(seenBy(by)).containsExactly(expected));
    }

    private static void awaitConnects(Witness of, int count) {
        await().atMost(Witness.LONG)
                .until(() -> of.calls(Witness.Connected.class).size() == count);
    }

    private static List<String> troubles(Witness of) {
        return of.calls(Witness.Troubled.class).stream()
                .map(Witness.Troubled::sentence)
                .toList();
    }

    /** Returns how often the instance wrote since the last reset. */
    private long writes(Witness of) {
        Map<String, Long> asked = server.asked(of.session());
        return asked.getOrDefault("create", 0L)
                + asked.getOrDefault("setData", 0L)
                + asked.getOrDefault("delete", 0L)
                + asked.getOrDefault("multi", 0L);
    }

    @Test
    void equalContentIsNotWrittenAgain() {
        a.store().board().share(encoded(Map.of("x", "1", "y", "2")));
        awaitSeen(a, by("a", "x", "1"), by("a", "y", "2"));
        server.forgetAsked();
        a.store().board().share(encoded(Map.of("y", "2", "x", "1")));
        a.perform(new Request.Probe());
        assertThat(writes(a)).isZero();

        a.store().board().share(encoded(Map.of("y", "3", "x", "1")));
        awaitSeen(a, by("a", "x", "1"), by("a", "y", "3"));
        assertThat(server.asked(a.session())).containsEntry("setData", 1L);
        assertThat(writes(a)).isEqualTo(1);
    }

    @Test
    void aReconnectWritesNothingAndTellsTheWholeListOnce() {
        a.store().board().share(encoded(Map.of("x", "1")));
        awaitSeen(a, by("a", "x", "1"));
        awaitSeen(b, by("a", "x", "1"));
        int told = a.calls(Witness.Announcements.class).size();
        server.forgetAsked();
        server.drop(a.session());
        awaitConnects(a, 2);
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Announcements.class).size() > told);
        a.awaitSnapshot(any -> true);
        a.perform(new Request.Probe());

        assertThat(writes(a)).isZero();
        assertThat(seenBy(a)).containsExactly(by("a", "x", "1"));
        assertThat(a.calls(Witness.Announcements.class)).hasSize(told + 1);
    }

    @Test
    void whatIsSharedBeforeTheInstanceIsKnownIsWrittenLater() {
        try (Witness c = witness("c")) {
            c.store().board().share(encoded(Map.of("x", "1")));
            c.awaitSnapshot(any -> true);
            c.perform(new Request.Probe());
            assertThat(server.exists(FOLDER)).isFalse();
            c.perform(new Request.Announce(c.record(Map.of())));
            awaitSeen(a, by("c", "x", "1"));
        }
    }

    @Test
    void whatIsTooLargeIsNamedAndTheOthersAreShared() {
        Bytes large = Bytes.of(new byte[1_000_000], 0);
        Bytes small = Bytes.of("1");
        a.store()
                .board()
                .share(Map.of(
                        "huge",
                        large,
                        "long" + "!".repeat(300),
                        small,
                        "odd\ud800",
                        small,
                        "x",
                        small,
                        "in\njected" + "!".repeat(99),
                        large));
        await().atMost(Witness.LONG).until(() -> !troubles(a).isEmpty());
        assertThat(troubles(a))
                .last()
                .asString()
                .contains("huge takes", "has an id of more than 300 characters", "in?jected!")
                .doesNotContain("\n", "!".repeat(80));
        await().atMost(Witness.LONG).until(() -> seenBy(b).stream()
                .map(SharedAnnouncement::ownerId)
                .toList()
                .equals(List.of("odd\ud800", "x")));

        a.store().board().share(Map.of("x", small));
        await().atMost(Witness.LONG).until(() -> troubles(a).contains(""));
        a.perform(new Request.Probe());
    }

    @Test
    void aTextOutsideAsciiIsSharedAsItIs() {
        a.store().board().share(encoded(Map.of("Zoë 漢", "é漢\n\"'")));
        awaitSeen(b, by("a", "Zoë 漢", "é漢\n\"'"));
    }

    @Test
    void foreignNodesAreReportedAndSkipped() throws Exception {
        a.store().board().share(encoded(Map.of("x", "1")));
        awaitSeen(b, by("a", "x", "1"));
        server.with(client -> {
            long session = client.getSessionId();
            byte[] record = server.data(FOLDER + "/" + Names.announcement(a.session(), "x"));
            String broken = FOLDER + "/" + Names.announcement(session, "broken");
            client.create(broken, new byte[] {'?'}, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            String misnamed = FOLDER + "/" + Names.announcement(session, "y");
            client.create(misnamed, record, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            String permanent = FOLDER + "/" + Names.announcement(session, "x");
            client.create(permanent, record, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            client.create(FOLDER + "/odd", record, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);

            b.awaitSnapshot(all -> all.problems().size() == 4);
            assertThat(b.snapshot().get().problems())
                    .anySatisfy(sentence -> assertThat(sentence).contains(broken, "not a record"))
                    .anySatisfy(sentence -> assertThat(sentence).contains(misnamed, "another owner"))
                    .anySatisfy(sentence -> assertThat(sentence).contains(permanent, "does not belong"))
                    .anySatisfy(sentence -> assertThat(sentence).contains("/odd"));
            assertThat(seenBy(b)).containsExactly(by("a", "x", "1"));
            client.delete(permanent, -1);
            client.delete(FOLDER + "/odd", -1);
        });
        b.awaitSnapshot(all -> all.problems().isEmpty());
        a.store().board().share(encoded(Map.of("x", "2")));
        awaitSeen(b, by("a", "x", "2"));
    }

    @Test
    void theNewerOfTwoSessionsOfOneHolderCounts() {
        a.store().board().share(encoded(Map.of("x", "old")));
        awaitSeen(b, by("a", "x", "old"));
        try (Witness again = witness("a")) {
            again.store().board().share(encoded(Map.of("x", "new")));
            again.join();
            awaitSeen(b, by("a", "x", "new"));
        }
        awaitSeen(b, by("a", "x", "old"));
    }

    @Test
    void whatAnotherClientDeletesOrOverwritesIsWrittenAgain() throws Exception {
        a.store().board().share(encoded(Map.of("x", "1")));
        awaitSeen(b, by("a", "x", "1"));
        String path = FOLDER + "/" + Names.announcement(a.session(), "x");
        server.with(client -> client.setData(path, new byte[] {'?'}, -1));
        awaitSeen(b);
        awaitSeen(b, by("a", "x", "1"));
        server.delete(FOLDER);
        awaitSeen(b);
        awaitSeen(b, by("a", "x", "1"));
    }

    @Test
    void theTreeCanBeDeletedUnderThem() throws Exception {
        a.store().board().share(encoded(Map.of("x", "1")));
        awaitSeen(b, by("a", "x", "1"));
        server.delete("/sling");
        b.awaitSnapshot(all -> all.members().isEmpty());
        awaitSeen(b, by("a", "x", "1"));
        a.perform(new Request.Probe());
    }

    @Test
    void aDeniedFolderDelaysNoRequestAndIsWrittenToLater() throws Exception {
        server.with(client -> {
            client.create(FOLDER, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            client.setACL(
                    FOLDER, Collections.singletonList(new ACL(Perms.READ | Perms.ADMIN, Ids.ANYONE_ID_UNSAFE)), -1);
            a.store().board().share(encoded(Map.of("x", "1")));
            await().atMost(Witness.LONG).until(() -> !troubles(a).isEmpty());
            assertThat(troubles(a)).last().asString().contains("announcement of x", "denies access");
            a.perform(new Request.Probe());
            a.perform(a.publication(a.own().node()));
            client.setACL(FOLDER, Ids.OPEN_ACL_UNSAFE, -1);
        });
        awaitSeen(b, by("a", "x", "1"));
        await().atMost(Witness.LONG).until(() -> troubles(a).contains(""));
    }

    private void setRights(String path, int rights) throws Exception {
        server.with(
                client -> client.setACL(path, Collections.singletonList(new ACL(rights, Ids.ANYONE_ID_UNSAFE)), -1));
    }

    /** Waits until everything has been read again on a new connection. */
    private void reconnect(Witness of) {
        int connects = of.calls(Witness.Connected.class).size();
        int told = of.calls(Witness.Announcements.class).size();
        server.drop(of.session());
        awaitConnects(of, connects + 1);
        await().atMost(Witness.LONG)
                .until(() -> of.calls(Witness.Announcements.class).size() > told);
    }

    @Test
    void oneThatMustNotBeReadHidesNoOther() throws Exception {
        a.store().board().share(encoded(Map.of("x", "1", "y", "2")));
        awaitSeen(b, by("a", "x", "1"), by("a", "y", "2"));
        String path = FOLDER + "/" + Names.announcement(a.session(), "x");
        setRights(path, Perms.ALL & ~Perms.READ);
        try (Witness c = witness("c")) {
            awaitSeen(c, by("a", "y", "2"));
            c.awaitSnapshot(all -> all.problems().stream().anyMatch(sentence -> sentence.contains(path)));
            c.perform(new Request.Probe());
        }
    }

    @Test
    void whatMustNotBeReadAnyMoreStaysAsItWasRead() throws Exception {
        a.store().board().share(encoded(Map.of("x", "1", "y", "2")));
        awaitSeen(b, by("a", "x", "1"), by("a", "y", "2"));
        String path = FOLDER + "/" + Names.announcement(a.session(), "x");
        setRights(path, Perms.ALL & ~Perms.READ);
        reconnect(b);
        b.awaitSnapshot(all -> all.problems().stream().anyMatch(sentence -> sentence.contains(path)));
        assertThat(seenBy(b)).containsExactly(by("a", "x", "1"), by("a", "y", "2"));

        setRights(path, Perms.ALL);
        reconnect(b);
        b.awaitSnapshot(all -> all.problems().isEmpty());
        assertThat(seenBy(b)).containsExactly(by("a", "x", "1"), by("a", "y", "2"));
    }

    @Test
    void whatMustNotBeListedAnyMoreStaysUntilItIsDeleted() throws Exception {
        a.store().board().share(encoded(Map.of("x", "1", "y", "2")));
        try (TcpProxy proxy = new TcpProxy(server.port());
                Witness c = new Witness("c", new ZooKeeperStore(ZooKeeperStoreConfig.of(proxy.address())))) {
            awaitSeen(c, by("a", "x", "1"), by("a", "y", "2"));
            proxy.cut();
            await().atMost(Witness.LONG)
                    .until(() -> !c.calls(Witness.Suspended.class).isEmpty());
            setRights(FOLDER, Perms.ALL & ~Perms.READ);
            a.store().board().share(encoded(Map.of("x", "3")));
            awaitSeen(b, by("a", "x", "3"));
            proxy.restore();

            awaitSeen(c, by("a", "x", "3"));
            c.awaitSnapshot(all -> all.problems().stream().anyMatch(sentence -> sentence.contains(FOLDER)));
        }
    }

    @Test
    void otherClustersOfTheRootSeeThem() {
        try (Witness x = new Witness("x", new ZooKeeperStore(config().withClusterName("other")))) {
            x.join();
            x.store().board().share(encoded(Map.of("o", "1")));
            a.store().board().share(encoded(Map.of("p", "2")));
            SharedAnnouncement ofX = new SharedAnnouncement("x", false, "o", Bytes.of("1"));
            awaitSeen(a, by("a", "p", "2"), ofX);
            awaitSeen(x, new SharedAnnouncement("a", false, "p", Bytes.of("2")), by("x", "o", "1"));
            server.drop(a.session());
            awaitConnects(a, 2);
            x.store().board().share(encoded(Map.of("o", "3")));
            awaitSeen(a, by("a", "p", "2"), new SharedAnnouncement("x", false, "o", Bytes.of("3")));
        }
        awaitSeen(a, by("a", "p", "2"));
    }

    @Test
    void eachIsReadInAPacketOfItsOwn() throws Exception {
        Map<String, String> many =
                IntStream.range(0, 250).boxed().collect(Collectors.toMap(i -> "owner-" + i, i -> "content-" + i));
        a.store().board().share(encoded(many));
        await().atMost(Witness.LONG).until(() -> seenBy(b).size() == 250);
        int told = b.calls(Witness.Announcements.class).size();
        server.forgetAsked();
        server.drop(b.session());
        await().atMost(Witness.LONG)
                .until(() -> b.calls(Witness.Announcements.class).size() > told);
        assertThat(seenBy(b)).hasSize(250);
        b.perform(new Request.Probe());

        // The tree and the members of the own cluster are read in two packets.
        assertThat(server.asked(b.session())).containsEntry("multiRead", 2L).containsEntry("getData", 250L);
    }

    @Test
    void manyBytesAreWrittenSlowly() throws Exception {
        a.store()
                .board()
                .share(Map.of(
                        "x", Bytes.of(new byte[800_000], 0),
                        "y", Bytes.of(new byte[800_000], 0),
                        "z", Bytes.of(new byte[800_000], 0)));
        await().atMost(Witness.LONG).until(() -> seenBy(b).size() == 3);
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
    void oneChangeCostsEachOtherMemberOneRead() {
        a.store().board().share(encoded(Map.of("x", "1", "y", "1")));
        awaitSeen(b, by("a", "x", "1"), by("a", "y", "1"));
        awaitSeen(a, by("a", "x", "1"), by("a", "y", "1"));
        server.forgetAsked();
        a.store().board().share(encoded(Map.of("x", "2", "y", "1")));
        awaitSeen(b, by("a", "x", "2"), by("a", "y", "1"));
        awaitSeen(a, by("a", "x", "2"), by("a", "y", "1"));

        assertThat(server.asked(b.session())).isEqualTo(Map.of("getData", 1L));
        assertThat(server.asked(a.session())).isEqualTo(Map.of("setData", 1L, "getData", 1L));
    }

    @Test
    void theTreeShowsThemWithoutTheirContent() throws Exception {
        a.store().board().share(encoded(Map.of("x", "password=hidden")));
        awaitSeen(a, by("a", "x", "password=hidden"));
        StoreTree tree = a.store().inspector().readTree().toCompletableFuture().get();

        assertThat(tree.toString()).doesNotContain("hidden");
        StoreTree.Node node = node(tree, FOLDER + "/" + Names.announcement(a.session(), "x"));
        assertThat(node.kind()).isEqualTo("announcement");
        assertThat(node.problem()).isEmpty();
        assertThat(field(node, "holder")).contains("a");
        assertThat(field(node, "ownerId")).contains("x");
        assertThat(field(node, "content")).contains("15 bytes");
        assertThat(node(tree, FOLDER).kind()).isEqualTo("announcements");
        server.with(client -> client.setData(node.path(), "?".getBytes(StandardCharsets.UTF_8), -1));
        StoreTree broken =
                b.store().inspector().readTree().toCompletableFuture().get();
        assertThat(node(broken, node.path()).problem()).isPresent();
        assertThat(a.ask(new Request.Probe()).status()).isEqualTo(Outcome.Status.DONE);
    }

    private static StoreTree.Node node(StoreTree tree, String path) {
        return tree.nodes().stream()
                .filter(node -> node.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private static Optional<String> field(StoreTree.Node node, String name) {
        return node.record().stream()
                .filter(field -> field.name().equals(name))
                .map(StoreTree.Field::value)
                .findFirst();
    }
}
