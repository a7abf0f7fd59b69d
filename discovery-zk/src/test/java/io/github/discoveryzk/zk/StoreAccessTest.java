// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.SharedTexts;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.security.Security;
import io.github.discoveryzk.zk.security.Security.Login;
import io.github.discoveryzk.zk.security.Security.Secret;
import io.github.discoveryzk.zk.testing.OneServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The access rights of nodes on a real server: from their creation, compared with the configuration, and repaired. */
class StoreAccessTest extends OneServer {
    private static final String APP = "app:secret";
    private static final String OTHER = "other:secret";
    private static final ACL WORLD_READS = new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE);

    private static ACL all(String credentials) throws Exception {
        return new ACL(Perms.ALL, new Id("digest", DigestAuthenticationProvider.generateDigest(credentials)));
    }

    private static Access access(String... acl) {
        return Access.of(List.of(acl), List.of());
    }

    private static Access creatorAndReaders() {
        return Access.of(List.of("creator"), List.of("world"));
    }

    private ZooKeeperStoreConfig authenticated(String credentials, Access access) {
        return authenticated(config(), credentials).withAccess(access);
    }

    private static ZooKeeperStoreConfig authenticated(ZooKeeperStoreConfig config, String credentials) {
        Login login = new Login("digest", new Secret(credentials, ""), "", "", "", "", Secret.NONE);
        return config.withSecurity(new Security(login, Optional.empty()));
    }

    private void asClient(String credentials, TestServer.Operation task) throws Exception {
        server.with(client -> {
            client.addAuthInfo("digest", credentials.getBytes(UTF_8));
            task.run(client);
        });
    }

    /** Creates a node of each kind, in two clusters, and returns the paths of all nodes. */
    private List<String> createAll(ZooKeeperStoreConfig config, String top) throws Exception {
        Witness a = witness("a", config);
        Witness b = witness("b", config);
        Witness c = witness("c", config.withClusterName("green"));
        a.join();
        b.join();
        c.join();
        a.awaitMembers(2);
        b.awaitMembers(2);
        a.publishNext();
        a.perform(a.renewal());
        a.perform(new Request.Acknowledge(a.own().node(), 7));
        a.perform(new Request.Acknowledge(a.own().node(), 8));
        a.store().board().share(SharedTexts.encoded(Map.of("x", "1")));
        eventually(() -> !a.announcements().isEmpty());
        String record = a.own().node();
        a.perform(Witness.leaving(a.own()));
        b.awaitMembers(1);
        b.perform(new Request.Acknowledge(b.own().node(), 7));
        List<String> paths = server.paths(top);
        assertThat(paths.stream()
                        .map(path -> path.replaceFirst(".*/clusters/", "").replaceFirst("/[^/]*\\d.*", "/…")))
                .contains(
                        "default/members/…",
                        "default/acks/…",
                        "default/history/…",
                        "default/view",
                        "default/lease",
                        "green/members/…");
        assertThat(paths).anyMatch(path -> path.contains("/departures/") && path.contains(record));
        assertThat(paths).anyMatch(path -> path.contains("/announcements/"));
        return paths;
    }

    @Test
    void everyNodeHasItsRightsFromItsCreation() throws Exception {
        ZooKeeperStoreConfig config = ZooKeeperStoreConfig.of(server.address() + "/app/blue");
        for (String path : createAll(authenticated(config, APP).withAccess(creatorAndReaders()), "/app")) {
            assertThat(server.acl(path)).as(path).containsExactly(all(APP), WORLD_READS);
        }
        assertThat(server.asked().values()).noneMatch(asked -> asked.containsKey("setACL"));
    }

    @Test
    void withEntriesAllIdentitiesHaveAllRights() throws Exception {
        Access both = access(
                "digest:" + all(APP).getId().getId() + ":cdrwa",
                "digest:" + all(OTHER).getId().getId() + ":cdrwa");
        createAll(authenticated(APP, both), "/sling");
        Witness other = witness("other", authenticated(OTHER, both));
        other.join();
        other.awaitMembers(2);
        assertThat(other.snapshot().unreadable()).isEmpty();
        for (String path : server.paths("/sling")) {
            assertThat(server.acl(path)).as(path).containsExactlyInAnyOrder(all(APP), all(OTHER));
        }
    }

    @Test
    void anOutsiderReadsAndWritesNothing() throws Exception {
        List<String> paths = createAll(authenticated(APP, access("creator")), "/sling");
        List<Attempt> attempts = List.of(
                (client, path) -> client.getData(path, false, null),
                (client, path) -> client.getChildren(path, false),
                (client, path) -> client.getACL(path, null),
                (client, path) -> client.setData(path, new byte[0], -1),
                (client, path) -> client.setACL(path, Ids.OPEN_ACL_UNSAFE, -1),
                (client, path) -> client.create(path + "/x", null, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL),
                (client, path) -> client.delete(path, -1));
        for (TestServer.Operation outsider :
                List.<TestServer.Operation>of(client -> assertDenied(client, attempts, paths), client -> {
                    client.addAuthInfo("digest", OTHER.getBytes(UTF_8));
                    assertDenied(client, attempts, paths);
                })) {
            server.with(outsider);
        }
        assertThat(server.paths("/sling")).containsExactlyInAnyOrderElementsOf(paths);
    }

    private static void assertDenied(ZooKeeper client, List<Attempt> attempts, List<String> paths) {
        for (String path : paths) {
            for (Attempt attempt : attempts) {
                // Below the root of ZooKeeper, which is open, a node with children is protected by these.
                assertThatExceptionOfType(KeeperException.class)
                        .isThrownBy(() -> attempt.on(client, path))
                        .matches(e -> e.code() == KeeperException.Code.NOAUTH
                                || path.equals("/sling") && e.code() == KeeperException.Code.NOTEMPTY);
            }
        }
    }

    private interface Attempt {
        void on(ZooKeeper client, String path) throws Exception;
    }

    @Test
    void readersOnlyRead() throws Exception {
        List<String> paths = createAll(authenticated(APP, creatorAndReaders()), "/sling");
        server.with(client -> {
            for (String path : paths) {
                client.getData(path, false, null);
                client.getChildren(path, false);
            }
            List<Attempt> writes = List.of(
                    (one, path) -> one.setData(path, new byte[0], -1),
                    (one, path) -> one.create(path + "/x", null, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL),
                    (one, path) -> one.delete(path, -1));
            assertDenied(client, writes, paths);
        });
    }

    private StoreAccess check(Witness one, boolean repair) {
        return one.store().inspector().checkAccess(repair).toCompletableFuture().join();
    }

    private static List<String> paths(StoreAccess access, String found) {
        return access.nodes().stream()
                .filter(node -> node.found().equals(found))
                .map(StoreAccess.DifferingNode::path)
                .toList();
    }

    private Optional<StoreAccess> awaitCompared(Witness one, int differing) {
        eventually(() -> one.store()
                .inspector()
                .access()
                .filter(found -> found.differing() == differing)
                .isPresent());
        return one.store().inspector().access();
    }

    @Test
    void plantedNodesAreFoundAndRepaired() throws Exception {
        Witness a = witness("a", authenticated(APP, access("creator")));
        a.join();
        List<String> planted = List.of(
                CLUSTER + "/members/note",
                CLUSTER + "/history/note",
                CLUSTER + "/departures/note",
                CLUSTER + "/acks/note",
                CLUSTER + "/note",
                CLUSTER + "/note/deep",
                ROOT + "/clusters/red");
        asClient(APP, client -> {
            for (String path : planted) {
                client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            client.create(ROOT + "/foreign", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            client.create(ROOT + "/foreign/deep", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        });
        StoreAccess found = check(a, false);
        assertThat(paths(found, "world:anyone:cdrwa")).containsExactlyInAnyOrderElementsOf(planted);
        assertThat(paths(found, "foreign")).containsExactly(ROOT + "/foreign");
        assertThat(found).returns("creator", StoreAccess::expected).returns(7, StoreAccess::differing);
        assertThat(found.identity()).contains("digest:app");
        assertThat(server.acl(planted.get(0))).isEqualTo(Ids.OPEN_ACL_UNSAFE);

        assertThat(check(a, true)).returns(7, StoreAccess::changed).returns(0, StoreAccess::differing);
        for (String path : server.paths("/sling")) {
            assertThat(server.acl(path))
                    .as(path)
                    .isEqualTo(path.contains("foreign") ? Ids.OPEN_ACL_UNSAFE : List.of(all(APP)));
        }
        assertThat(check(a, true)).returns(0, StoreAccess::changed).returns(found.checked(), StoreAccess::checked);
        assertThat(a.snapshot().problems()).anyMatch(problem -> problem.contains("members/note"));
    }

    @Test
    void migrationAndTheWayBackKeepTheMembers() throws Exception {
        Witness a = witness("a", authenticated(APP, Access.OPEN));
        a.join();
        Witness b = witness("b", authenticated(APP, access("creator")));
        b.join();
        a.awaitMembers(2);
        awaitCompared(a, 0);
        assertThat(awaitCompared(b, 11).flatMap(StoreAccess::problem))
                .hasValueSatisfying(sentence -> assertThat(sentence)
                        .startsWith("The access rights of 11 of 11 nodes differ from creator; this instance is ")
                        .contains("/sling has world:anyone:cdrwa. All instances"));
        assertThat(check(b, true)).returns(12, StoreAccess::changed).returns(0, StoreAccess::differing);
        awaitCompared(b, 0);
        for (String path : server.paths("/sling")) {
            assertThat(server.acl(path)).as(path).containsExactly(all(APP));
        }
        assertThat(check(a, true).changed()).isEqualTo(13);
        for (String path : server.paths("/sling")) {
            assertThat(server.acl(path)).as(path).isEqualTo(Ids.OPEN_ACL_UNSAFE);
        }
        a.update(Map.of("x", "y"));
        b.awaitSnapshot(seen -> !seen.members().get(0).record().properties().isEmpty());
        assertThat(b.snapshot().members()).hasSize(2);
    }

    @Test
    void parentsWithAnotherUseAreLeftAlone() throws Exception {
        server.create("/sling");
        server.create("/sling/other");
        Witness a = witness("a", authenticated(APP, access("creator")));
        a.join();
        assertThat(check(a, true)).returns(0, StoreAccess::changed);
        assertThat(server.acl("/sling")).isEqualTo(Ids.OPEN_ACL_UNSAFE);
    }

    @Test
    void withoutTheRightsNothingIsRepaired() throws Exception {
        witness("a", authenticated(APP, creatorAndReaders())).join();
        Witness b = witness("b", authenticated(OTHER, access("creator")));
        b.awaitSnapshot(any -> true);
        StoreAccess found = check(b, true);
        assertThat(found.changed()).isZero();
        assertThat(found.nodes()).allSatisfy(node -> assertThat(node.reason())
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("ZooKeeper denies ")));
        assertThat(found.problem()).hasValueSatisfying(sentence -> assertThat(sentence)
                .contains("digest:other", "digest:app:…:cdrwa", "All instances need one identity"));
    }

    @Test
    void deniedInstancesSayWhoTheyAre() throws Exception {
        Witness a = witness("a", authenticated(APP, access("creator")));
        a.join();
        Witness b = witness("b", authenticated(OTHER, access("creator")));
        b.awaitTrouble("ZooKeeper replies NOAUTH for ");
        b.awaitTrouble("discovery:acl shows both.");
        assertThat(awaitCompared(b, 10).flatMap(StoreAccess::problem))
                .hasValueSatisfying(sentence -> assertThat(sentence)
                        .contains("10 of 10 nodes", "digest:other", "has denied. All instances need one identity"));
        assertThat(check(b, true)).returns(0, StoreAccess::changed).returns(1, StoreAccess::differing);
        Access both = access(
                "digest:" + all(APP).getId().getId() + ":cdrwa",
                "digest:" + all(OTHER).getId().getId() + ":cdrwa");
        Witness repairer = witness("repairer", authenticated(APP, both));
        repairer.awaitSnapshot(any -> true);
        check(repairer, true);
        b.join();
        assertThat(b.snapshot().unreadable()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"sasl:someone:cdrwa", "digest:other:jAwbxUeNMYUzuEBAC4FDpVq3GCs=:cdrwa", "ip:10.1.1.1:cdrwa"})
    void entriesWithoutThisInstanceCreateNothing(String entry) throws Exception {
        Witness a = witness("a", authenticated(APP, access(entry)));
        String code = entry.startsWith("sasl") ? "INVALIDACL" : "NOAUTH";
        a.awaitTrouble(
                "does not let this instance use the nodes that it would create (" + code + "): ZooKeeper knows it as ");
        a.awaitTrouble("digest:app:…. Nothing was created.");
        assertThat(server.children("/")).containsExactly("zookeeper");
        Witness b = witness("b", authenticated(APP, access(entry, "creator")));
        if (!entry.startsWith("sasl")) {
            b.join();
            assertThat(server.acl(ROOT)).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"r", "rw", "crw"})
    void entriesWithTooFewRightsCreateNothing(String permissions) throws Exception {
        String id = all(APP).getId().getId();
        Witness a = witness("a", authenticated(APP, access("digest:" + id + ":" + permissions)));
        a.awaitTrouble("(digest:app:…:" + permissions + ") does not let this instance use the nodes");
        assertThat(server.children("/")).containsExactly("zookeeper");
    }

    @Test
    void aCreatorNeedsCredentials() throws Exception {
        Witness a = witness("a", config().withAccess(access("creator")));
        a.awaitTrouble("(INVALIDACL): ZooKeeper knows it as ip:127.0.0.1. Nothing was created.");
        assertThat(server.children("/")).containsExactly("zookeeper");
    }

    @Test
    void aRefusedConfigurationNeverConnects() {
        Witness a = witness("a", config().withAccess(new Access(List.of(), Optional.of("It is wrong."))));
        a.awaitTrouble("It is wrong.");
        assertThat(server.sessions()).isEmpty();
        assertThat(a.store().inspector().access()).isEmpty();
        assertThat(a.store().inspector().checkAccess(true))
                .failsWithin(LONG)
                .withThrowableThat()
                .withMessageContaining("There is no usable connection to ZooKeeper.");
    }

    @Test
    void anOlderServerIsAskedOnceForTheIdentities() throws Exception {
        server.beOlder();
        Witness a = witness("a");
        a.awaitConnects(2);
        awaitCompared(a, 0);
        List<ACL> other = Arrays.asList(all(APP), new ACL(Perms.ALL, Ids.ANYONE_ID_UNSAFE));
        server.with(client -> client.setACL(CLUSTER + "/members", other, -1));
        reconnect(a);
        awaitCompared(a, 1);
        assertThat(server.asked(a.session())).containsEntry("whoAmI", 1L);
        server.expire(a.session());
        a.awaitConnects(4);
        eventually(() -> server.asked(a.session()).containsKey("getACL"));
        a.perform(new Request.Probe());
        assertThat(server.asked(a.session())).doesNotContainKey("whoAmI");
    }

    @Test
    void comparingCostsAFixedNumberOfReads() throws Exception {
        Witness a = witness("a", authenticated(APP, access("creator")));
        a.join();
        server.with(client -> {
            client.addAuthInfo("digest", APP.getBytes(UTF_8));
            for (int i = 0; i < 50; i++) {
                client.create(CLUSTER + "/history/note" + i, null, Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
            }
        });
        awaitCompared(a, 0);
        // The parent, the root, clusters, the cluster, and its nine folders, of which those of announcements and shared
        // data are missing.
        assertThat(server.asked(a.session()))
                .containsEntry("getACL", 13L)
                .containsEntry("whoAmI", 1L)
                .doesNotContainKey("setACL");
    }

    @Test
    void aNodeThatLosesItsRightsIsFoundAfterAReconnect() throws Exception {
        Witness a = witness("a", authenticated(APP, access("creator")));
        a.join();
        awaitCompared(a, 0);
        asClient(APP, client -> client.setACL(CLUSTER + "/members", Ids.OPEN_ACL_UNSAFE, -1));
        reconnect(a);
        assertThat(awaitCompared(a, 1).orElseThrow().nodes())
                .singleElement()
                .returns(CLUSTER + "/members", StoreAccess.DifferingNode::path);
        check(a, true);
        awaitCompared(a, 0);
    }

    @Test
    void thousandsOfNodesAreRepaired() throws Exception {
        Witness a = witness("a", authenticated(APP, access("creator")));
        a.join();
        asClient(APP, client -> {
            for (int batch = 0; batch < 3; batch++) {
                List<Op> creations = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    String path = CLUSTER + "/history/note" + batch + "-" + i;
                    creations.add(Op.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
                }
                client.multi(creations);
            }
        });
        StoreAccess found = check(a, false);
        assertThat(found.differing()).isEqualTo(3_000);
        assertThat(found.nodes()).hasSize(StoreAccess.NAMED);
        assertThat(check(a, true)).returns(3_000, StoreAccess::changed).returns(0, StoreAccess::differing);
    }
}
