// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.testing.server.TcpProxy;
import io.github.discoveryzk.zk.testing.OneServer;
import io.github.discoveryzk.zk.tree.NodeKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The clusters of one root see each other without configuration. */
class StoreRemoteClustersTest extends OneServer {
    private static final String OTHER = ROOT + "/clusters/other";

    private Witness a;
    private Witness x;

    @BeforeEach
    void connect() {
        a = witness("a");
        x = witness("x", "other");
        a.awaitSnapshot(any -> true);
        x.awaitSnapshot(any -> true);
    }

    private static void awaitRemotes(Witness of, List<RemoteCluster> expected) {
        await().atMost(OneServer.LONG)
                .untilAsserted(() -> assertThat(of.remotes()).isEqualTo(expected));
    }

    /** Makes x the only member of its cluster, and waits until a shows that. */
    private RemoteCluster settleOther() {
        x.join();
        x.publishNext();
        awaitRemotes(a, List.of(other(Map.of())));
        return other(Map.of());
    }

    private RemoteCluster other(Map<String, String> properties) {
        return new RemoteCluster(x.snapshot().clusterId(), List.of(new RemoteInstance("x", properties)), "x");
    }

    @Test
    void aClusterIsShownWhileItHasAViewWithALiveMemberAndItsPropertiesFollow() {
        assertThat(a.remotes()).isEmpty();
        settleOther();
        assertThat(x.remotes()).isEmpty();
        assertThat(a.calls(RecordingObserver.Remotes.class)).hasSize(1);

        x.update(Map.of("color", "blue"));
        awaitRemotes(a, List.of(other(Map.of("color", "blue"))));
        server.expire(x.session());
        awaitRemotes(a, List.of());
    }

    @Test
    void theLastViewIsShownWhileTheClusterChanges() throws Exception {
        RemoteCluster other = settleOther();
        byte[] record = server.data(OTHER + "/members/" + x.own().node());
        server.with(client -> {
            addMembers(client, OTHER, 1, record);
            a.perform(new Request.Probe());
        });
        a.perform(new Request.Probe());

        assertThat(a.remotes()).containsExactly(other);
        assertThat(a.calls(RecordingObserver.Remotes.class)).hasSize(1);
    }

    @Test
    void aReconnectAndTheNextSessionTellNothingNew() {
        settleOther();
        readAgain(a);
        server.expire(a.session());
        eventually(() -> a.calls(RecordingObserver.Announcements.class).size() == 3);
        assertThat(a.calls(RecordingObserver.Remotes.class)).hasSize(1);

        x.update(Map.of("color", "green"));
        awaitRemotes(a, List.of(other(Map.of("color", "green"))));
        assertThat(a.calls(RecordingObserver.Remotes.class)).hasSize(2);
    }

    @Test
    void aNodeThatIsNoClusterIsLeftAlone() throws Exception {
        server.create(ROOT + "/clusters/broken", (byte) '?');
        server.create(ROOT + "/clusters/broken/members");
        server.create(ROOT + "/clusters/broken/view");
        settleOther();
        a.join();
    }

    @Test
    void anotherClusterMustNotBeReadAndTheOthersAreShown() throws Exception {
        Witness y = witness("y", "third");
        y.join();
        y.publishNext();
        eventually(() -> a.remotes().size() == 1);
        allow(ROOT + "/clusters/third/members", UNREADABLE);
        RemoteCluster third = a.remotes().get(0);
        x.join();
        x.publishNext();
        awaitRemotes(witness("b"), List.of(other(Map.of())));
        awaitRemotes(a, List.of(other(Map.of()), third));
        readAgain(a);
        x.update(Map.of("color", "green"));
        // The third one is shown as it was read last.
        awaitRemotes(a, List.of(other(Map.of("color", "green")), third));
        a.join();
        a.publishNext();
        assertThat(a.troubles()).allMatch(String::isEmpty);
    }

    @Test
    void clustersBeyondTheLimitAreNamedAndNotShown() throws Exception {
        settleOther();
        server.with(client -> {
            for (int i = 0; i < 200; i++) {
                client.create(ROOT + "/clusters/empty-" + i, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
        });
        Witness b = witness("b");
        // That sentence, and one for each node that is read and empty.
        b.awaitSnapshot(all -> all.problems().size() > NodeKind.SHOWN_SENTENCES
                && all.problems().get(0).startsWith("There are 202 nodes")
                && all.problems().get(NodeKind.SHOWN_SENTENCES).contains((201 - NodeKind.SHOWN_SENTENCES) + " more"));
        server.forgetAsked();
        x.update(Map.of("color", "blue"));
        b.perform(new Request.Probe());
        assertThat(asked(b)).isEqualTo(Map.of("exists", 1L));
        assertThat(b.remotes()).isEmpty();

        server.delete(ROOT + "/clusters/empty-7");
        awaitRemotes(b, List.of(other(Map.of("color", "blue"))));
        assertThat(b.snapshot().problems()).noneMatch(each -> each.contains("There are"));
    }

    @Test
    void clustersThatMustNotBeListedHarmNothing() throws Exception {
        settleOther();
        allow(ROOT + "/clusters", UNREADABLE);
        readAgain(a);
        a.join();
        x.update(Map.of("color", "green"));
        awaitRemotes(a, List.of(other(Map.of("color", "green"))));
    }

    @Test
    void aClusterWhoseViewCannotBeReadStays() throws Exception {
        settleOther();
        byte[] view = server.data(OTHER + "/view");
        write(OTHER + "/view", "?");
        a.join();
        a.perform(new Request.Probe());
        assertThat(a.calls(RecordingObserver.Remotes.class))
                .as("its last view is shown")
                .hasSize(1);

        write(OTHER + "/view", view);
        x.update(Map.of("color", "green"));
        awaitRemotes(a, List.of(other(Map.of("color", "green"))));
    }

    @Test
    void aClusterWhoseViewNamesAnInstanceTwiceIsNotShown() throws Exception {
        RemoteCluster other = settleOther();
        String member = "{\"node\":\"" + x.own().node() + "\",\"id\":\"x\"}";
        write(
                OTHER + "/view",
                new String(server.data(OTHER + "/view"), StandardCharsets.UTF_8)
                        .replace(member, member + "," + member));
        awaitRemotes(a, List.of());

        a.join();
        x.perform(x.publication(x.own().node()));
        awaitRemotes(a, List.of(other));
    }

    @Test
    void whatChangesWhileTheConnectionIsAwayIsShownAfterwards() throws Exception {
        RemoteCluster other = settleOther();
        try (TcpProxy proxy = new TcpProxy(server.port())) {
            Witness c = witness("c", ZooKeeperStoreConfig.of(proxy.address()));
            awaitRemotes(c, List.of(other));
            proxy.cut();
            c.awaitCall(RecordingObserver.Suspended.class, any -> true);
            x.update(Map.of("color", "blue"));
            Witness y = witness("y", "third");
            y.join();
            y.publishNext();
            eventually(() -> a.remotes().size() == 2);
            proxy.restore();
            eventually(() -> c.remotes().equals(a.remotes()));
            c.close();
            y.close();
        }
        awaitRemotes(a, List.of(other(Map.of("color", "blue"))));
    }

    @Test
    void aChangeOfALargeClusterCostsAnInstanceOfAnotherAFewRequests() throws Exception {
        settleOther();
        byte[] record = server.data(OTHER + "/members/" + x.own().node());
        server.with(client -> {
            addMembers(client, OTHER, 249, record);
            x.awaitMembers(250);
            a.perform(new Request.Probe());
            a.perform(new Request.Probe());
            server.forgetAsked();
            x.update(Map.of("color", "green"));
            awaitRemotes(a, List.of(other(Map.of("color", "green"))));
            assertThat(asked(a)).as("new properties").isEqualTo(Map.of("getData", 1L));

            server.forgetAsked();
            x.perform(x.publication(x.own().node()));
            x.perform(new Request.Probe());
            a.perform(new Request.Probe());
            assertThat(asked(a)).as("a new view").isEqualTo(Map.of("getData", 1L, "exists", 1L));

            server.forgetAsked();
            readAgain(a);
            // The local cluster, and three packets of the other one behind its names.
            await().atMost(OneServer.LONG).untilAsserted(() -> assertThat(asked(a))
                    .isEqualTo(Map.of("setWatches2", 1L, "addWatch", 4L, "multiRead", 1L + 3L, "getChildren", 4L)));
        });
    }
}
