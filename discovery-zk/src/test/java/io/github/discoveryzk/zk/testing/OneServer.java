// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.ZooKeeperStore;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import io.github.discoveryzk.zk.security.Access;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server, and instances at it, which are closed after the test. No call of an observer may overlap with another. */
public abstract class OneServer {
    protected static final String ROOT = "/sling/discovery";
    protected static final String CLUSTER = ROOT + "/clusters/default";
    protected static final int UNREADABLE = Perms.ALL & ~Perms.READ;

    /** As long as a slow machine may need. */
    public static final Duration LONG = Duration.ofSeconds(Integer.getInteger("discovery.test.limit.seconds", 20));

    static {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(2));
        Awaitility.setDefaultPollDelay(Duration.ZERO);
    }

    protected TestServer server;

    private final List<Witness> witnesses = new ArrayList<>();

    @BeforeEach
    final void startServer(@TempDir Path data) throws Exception {
        server = new TestServer(data);
    }

    @AfterEach
    final void stopServer() {
        witnesses.forEach(Witness::close);
        server.close();
        witnesses.forEach(Witness::assertLawful);
    }

    protected final ZooKeeperStoreConfig config() {
        return ZooKeeperStoreConfig.of(server.address());
    }

    /** Opens the store of an instance with the default configuration. */
    protected final Witness witness(String id) {
        return witness(id, config());
    }

    /** Opens the store of an instance of another cluster. */
    protected final Witness witness(String id, String cluster) {
        return witness(id, config().withClusterName(cluster));
    }

    protected final Witness witness(String id, ZooKeeperStoreConfig config) {
        return witness(id, new ZooKeeperStore(config));
    }

    protected final Witness witness(String id, ClusterStore store) {
        Witness witness = new Witness(id, store, condition -> eventually(condition::getAsBoolean)).open();
        witnesses.add(witness);
        return witness;
    }

    /** Checks that nodes which only their creator may use are used by two instances with these credentials. */
    protected final void assertCreator(ZooKeeperStoreConfig config, String identity) {
        ZooKeeperStoreConfig ofCreator =
                config.withRootPath("/creator").withAccess(Access.of(List.of("creator"), List.of()));
        List<Witness> both =
                Stream.of("a", "b").map(id -> witness(id, ofCreator)).toList();
        both.forEach(Witness::join);
        for (Witness one : both) {
            one.awaitMembers(2);
            eventually(() -> one.store().inspector().access().isPresent());
            assertThat(one.store().inspector().access().orElseThrow())
                    .returns(0, StoreAccess::differing)
                    .satisfies(access -> assertThat(access.identity()).contains(identity));
        }
        both.forEach(Witness::close);
    }

    /** Waits, for as long as a slow machine may need. */
    protected static void eventually(Callable<Boolean> condition) {
        await().atMost(LONG).until(condition);
    }

    /** Interrupts the connection of an instance, and waits until it is back. */
    protected final void reconnect(Witness one) {
        int connects = one.calls(RecordingObserver.Connected.class).size();
        server.drop(one.session());
        one.awaitConnects(connects + 1);
    }

    /** Interrupts the connection of an instance, and waits until other clusters and announcements have been read again. */
    protected final void readAgain(Witness one) {
        int notified = one.calls(RecordingObserver.Announcements.class).size();
        reconnect(one);
        eventually(() -> one.calls(RecordingObserver.Announcements.class).size() > notified);
    }

    protected static StoreTree.Node node(StoreTree tree, String path) {
        return tree.nodes().stream()
                .filter(node -> node.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    /** Returns what an instance has sent since the last reset, pings aside. */
    protected final Map<String, Long> asked(Witness one) {
        Map<String, Long> asked = server.asked(one.session());
        // The comparison of access rights comes some time after the connect.
        asked.keySet().removeAll(List.of("getACL", "getEphemerals", "whoAmI"));
        return asked;
    }

    protected final void write(String path, String data) throws Exception {
        write(path, data.getBytes(StandardCharsets.UTF_8));
    }

    protected final void write(String path, byte[] data) throws Exception {
        server.with(client -> client.setData(path, data, -1));
    }

    /** Restricts the rights of all clients. */
    protected final void allow(String path, int rights) throws Exception {
        server.with(
                client -> client.setACL(path, Collections.singletonList(new ACL(rights, Ids.ANYONE_ID_UNSAFE)), -1));
    }

    /** Adds members that last as long as the session of a client. */
    protected static void addMembers(ZooKeeper client, String cluster, int count, byte[] record) throws Exception {
        for (int i = 1; i <= count; i++) {
            client.create(
                    cluster + "/members/" + String.format("m-%016x-1-1-", i),
                    record,
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.EPHEMERAL_SEQUENTIAL);
        }
    }
}
