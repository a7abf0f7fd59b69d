// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.RemoteCluster.RemoteInstance;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.server.TcpProxy;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The clusters of one root see each other without configuration. */
class StoreRemoteClustersTest extends OneServer {
    private Witness a;
    private Witness x;

    @BeforeEach
    void connect() {
        a = witness("a");
        x = new Witness("x", new ZooKeeperStore(config().withClusterName("other")));
        a.awaitSnapshot(any -> true);
        x.awaitSnapshot(any -> true);
    }

    @AfterEach
    void disconnect() {
        a.close();
        x.close();
    }

    private static List<RemoteCluster> remotes(Witness of) {
        List<Witness.Remotes> all = of.calls(Witness.Remotes.class);
        return all.isEmpty() ? List.of() : all.get(all.size() - 1).clusters();
    }

    private static void awaitRemotes(Witness of, List<RemoteCluster> expected) {
        await().atMost(Witness.LONG).untilAsserted(() -> assertThat(remotes(of)).isEqualTo(expected));
    }

    private RemoteCluster settleOther(Map<String, String> properties) {
        x.perform(new Request.Announce(x.record(properties)));
        StoreSnapshot seen = x.awaitSnapshot(all -> all.members().size() == 1);
        Member own = seen.members().get(0);
        x.perform(x.publication(own.node()));
        return new RemoteCluster(
                seen.clusterId(), List.of(new RemoteInstance(own.instanceId(), properties)), own.instanceId());
    }

    @Test
    void aClusterIsShownWhileItHasAViewWithALiveMemberAndItsPropertiesFollow() {
        assertThat(remotes(a)).isEmpty();
        RemoteCluster other = settleOther(Map.of("color", "red"));
        awaitRemotes(a, List.of(other));
        assertThat(remotes(x)).isEmpty();
        assertThat(a.calls(Witness.Remotes.class)).hasSize(1);

        x.perform(new Request.Update(x.own().node(), x.record(Map.of("color", "blue"))));
        awaitRemotes(
                a,
                List.of(new RemoteCluster(
                        other.id(), List.of(new RemoteInstance(other.leader(), Map.of("color", "blue"))), "x")));
        server.expire(x.session());
        awaitRemotes(a, List.of());
    }

    @Test
    void theLastViewIsShownWhileTheClusterChanges() throws Exception {
        RemoteCluster other = settleOther(Map.of());
        awaitRemotes(a, List.of(other));
        byte[] record = server.data(ROOT + "/clusters/other/members/" + x.own().node());
        server.with(client -> {
            client.create(
                    ROOT + "/clusters/other/members/m-0000000000000001-1-1-",
                    record,
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.EPHEMERAL_SEQUENTIAL);
            a.perform(new Request.Probe());
        });
        a.perform(new Request.Probe());

        assertThat(remotes(a)).containsExactly(other);
        assertThat(a.calls(Witness.Remotes.class)).hasSize(1);
    }

    @Test
    void aReconnectTellsNothingNew() {
        RemoteCluster other = settleOther(Map.of());
        awaitRemotes(a, List.of(other));
        server.drop(a.session());
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Connected.class).size() == 2);
        a.awaitSnapshot(any -> true);

        x.perform(new Request.Update(x.own().node(), x.record(Map.of("color", "green"))));
        await().atMost(Witness.LONG).until(() -> !remotes(a).equals(List.of(other)));
        assertThat(a.calls(Witness.Remotes.class)).hasSize(2);
    }

    @Test
    void aClusterThatIsDeletedIsGone() throws Exception {
        settleOther(Map.of());
        await().atMost(Witness.LONG).until(() -> !remotes(a).isEmpty());
        x.close();
        server.delete(ROOT + "/clusters/other");

        awaitRemotes(a, List.of());
        assertThat(a.ask(new Request.Probe()).status())
                .isEqualTo(org.apache.sling.discovery.commons.spi.Outcome.Status.DONE);
    }

    @Test
    void aNodeThatIsNoClusterIsLeftAlone() throws Exception {
        server.with(client -> {
            client.create(ROOT + "/clusters/broken", new byte[] {'?'}, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            client.create(ROOT + "/clusters/broken/members", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            client.create(ROOT + "/clusters/broken/view", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        });
        RemoteCluster other = settleOther(Map.of());

        awaitRemotes(a, List.of(other));
        a.join();
    }

    @Test
    void anotherClusterMustNotBeReadAndTheOthersAreShown() throws Exception {
        try (Witness y = new Witness("y", new ZooKeeperStore(config().withClusterName("third")))) {
            y.join();
            y.perform(y.publication(y.own().node()));
            await().atMost(Witness.LONG).until(() -> remotes(a).size() == 1);
            server.with(client -> client.setACL(
                    ROOT + "/clusters/third/members",
                    Collections.singletonList(new ACL(Perms.ALL & ~Perms.READ, Ids.ANYONE_ID_UNSAFE)),
                    -1));
            RemoteCluster third = remotes(a).get(0);
            RemoteCluster other = settleOther(Map.of());
            try (Witness b = witness("b")) {
                awaitRemotes(b, List.of(other));
            }
            awaitRemotes(a, List.of(other, third));
            server.drop(a.session());
            await().atMost(Witness.LONG)
                    .until(() -> a.calls(Witness.Announcements.class).size() == 2);
            x.perform(new Request.Update(x.own().node(), x.record(Map.of("color", "green"))));
            await().atMost(Witness.LONG).until(() -> !remotes(a).get(0).equals(other));
            assertThat(remotes(a))
                    .as("it is shown as it was read last")
                    .hasSize(2)
                    .contains(third);
            a.join();
            a.perform(a.publication(a.own().node()));
            a.perform(new Request.Probe());
            assertThat(a.calls(Witness.Troubled.class))
                    .allSatisfy(trouble -> assertThat(trouble.sentence()).isEmpty());
        }
    }

    @Test
    void clustersThatMustNotBeListedHarmNothing() throws Exception {
        RemoteCluster other = settleOther(Map.of());
        awaitRemotes(a, List.of(other));
        server.with(client -> client.setACL(
                ROOT + "/clusters",
                Collections.singletonList(new ACL(Perms.ALL & ~Perms.READ, Ids.ANYONE_ID_UNSAFE)),
                -1));
        server.drop(a.session());
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Announcements.class).size() == 2);
        a.join();
        x.perform(new Request.Update(x.own().node(), x.record(Map.of("color", "green"))));
        await().atMost(Witness.LONG).until(() -> !remotes(a).equals(List.of(other)));
        assertThat(remotes(a)).hasSize(1);
    }

    @Test
    void aClusterWhoseViewCannotBeReadStays() throws Exception {
        RemoteCluster other = settleOther(Map.of());
        awaitRemotes(a, List.of(other));
        int told = a.calls(Witness.Remotes.class).size();
        String path = ROOT + "/clusters/other/view";
        server.with(client -> {
            byte[] view = client.getData(path, false, null);
            client.setData(path, new byte[] {'?'}, -1);
            a.join();
            a.perform(new Request.Probe());
            assertThat(a.calls(Witness.Remotes.class))
                    .as("its last view is shown")
                    .hasSize(told);

            client.setData(path, view, -1);
        });
        x.perform(new Request.Update(x.own().node(), x.record(Map.of("color", "green"))));
        await().atMost(Witness.LONG).until(() -> !remotes(a).equals(List.of(other)));
    }

    @Test
    void aClusterWhoseViewNamesAnInstanceTwiceIsNotShown() throws Exception {
        RemoteCluster other = settleOther(Map.of());
        awaitRemotes(a, List.of(other));
        String path = ROOT + "/clusters/other/view";
        String member = "{\"node\":\"" + x.own().node() + "\",\"id\":\"x\"}";
        String twice = new String(server.data(path), StandardCharsets.UTF_8).replace(member, member + "," + member);
        server.with(client -> client.setData(path, twice.getBytes(StandardCharsets.UTF_8), -1));
        awaitRemotes(a, List.of());

        a.join();
        x.perform(x.publication(x.own().node()));
        awaitRemotes(a, List.of(other));
    }

    @Test
    void theNextSessionShowsTheSameClustersWithoutAGap() {
        RemoteCluster other = settleOther(Map.of("color", "red"));
        awaitRemotes(a, List.of(other));
        server.expire(a.session());
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Announcements.class).size() == 2);
        assertThat(a.calls(Witness.Remotes.class)).hasSize(1);

        x.perform(new Request.Update(x.own().node(), x.record(Map.of("color", "blue"))));
        await().atMost(Witness.LONG).until(() -> !remotes(a).equals(List.of(other)));
    }

    @Test
    void whatChangesWhileTheConnectionIsAwayIsShownAfterwards() throws Exception {
        RemoteCluster other = settleOther(Map.of("color", "red"));
        awaitRemotes(a, List.of(other));
        try (TcpProxy proxy = new TcpProxy(server.port());
                Witness c = new Witness("c", new ZooKeeperStore(ZooKeeperStoreConfig.of(proxy.address())))) {
            awaitRemotes(c, List.of(other));
            proxy.cut();
            await().atMost(Witness.LONG)
                    .until(() -> !c.calls(Witness.Suspended.class).isEmpty());
            x.perform(new Request.Update(x.own().node(), x.record(Map.of("color", "blue"))));
            try (Witness y = new Witness("y", new ZooKeeperStore(config().withClusterName("third")))) {
                y.join();
                y.perform(y.publication(y.own().node()));
                await().atMost(Witness.LONG).until(() -> remotes(a).size() == 2);
                proxy.restore();
                await().atMost(Witness.LONG).until(() -> remotes(c).equals(remotes(a)));
            }
        }
        awaitRemotes(a, remotes(a).stream().limit(1).toList());
    }

    @Test
    void aChangeOfALargeClusterCostsAnInstanceOfAnotherAFewRequests() throws Exception {
        settleOther(Map.of());
        String members = ROOT + "/clusters/other/members/";
        byte[] record = server.data(members + x.own().node());
        server.with(client -> {
            for (int i = 1; i < 250; i++) {
                client.create(
                        members + String.format("m-%016x-1-1-", i),
                        record,
                        Ids.OPEN_ACL_UNSAFE,
                        CreateMode.EPHEMERAL_SEQUENTIAL);
            }
            x.awaitSnapshot(all -> all.members().size() == 250);
            a.perform(new Request.Probe());
            a.perform(new Request.Probe());
            int told = a.calls(Witness.Remotes.class).size();
            server.forgetAsked();
            x.perform(new Request.Update(x.own().node(), x.record(Map.of("color", "green"))));
            await().atMost(Witness.LONG)
                    .until(() -> a.calls(Witness.Remotes.class).size() == told + 1);
            assertThat(server.asked(a.session())).as("new properties").isEqualTo(Map.of("getData", 1L));

            server.forgetAsked();
            x.perform(x.publication(x.own().node()));
            x.perform(new Request.Probe());
            a.perform(new Request.Probe());
            assertThat(server.asked(a.session())).as("a new view").isEqualTo(Map.of("getData", 1L, "exists", 1L));

            server.forgetAsked();
            int connects = a.calls(Witness.Announcements.class).size();
            server.drop(a.session());
            await().atMost(Witness.LONG)
                    .until(() -> a.calls(Witness.Announcements.class).size() > connects);
            // The own cluster, and three packets of the other one behind its names.
            await().atMost(Witness.LONG).untilAsserted(() -> assertThat(server.asked(a.session()))
                    .isEqualTo(Map.of("setWatches2", 1L, "addWatch", 3L, "multiRead", 1L + 3L, "getChildren", 4L)));
        });
    }
}
