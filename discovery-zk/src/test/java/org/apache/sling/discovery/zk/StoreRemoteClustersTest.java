// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.RemoteCluster.RemoteInstance;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
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
    void aClusterIsShownAsSoonAsItHasAView() {
        assertThat(remotes(a)).isEmpty();
        RemoteCluster other = settleOther(Map.of("color", "red"));

        awaitRemotes(a, List.of(other));
        assertThat(remotes(x)).isEmpty();
        assertThat(a.calls(Witness.Remotes.class)).hasSize(1);
    }

    @Test
    void propertiesOfItsMembersFollow() {
        RemoteCluster other = settleOther(Map.of("color", "red"));
        awaitRemotes(a, List.of(other));

        x.perform(new Request.Update(x.own().node(), x.record(Map.of("color", "blue"))));
        awaitRemotes(
                a,
                List.of(new RemoteCluster(
                        other.id(), List.of(new RemoteInstance(other.leader(), Map.of("color", "blue"))), "x")));
    }

    @Test
    void aClusterIsGoneWithItsLastMember() {
        awaitRemotes(a, List.of());
        RemoteCluster other = settleOther(Map.of());
        awaitRemotes(a, List.of(other));

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
}
