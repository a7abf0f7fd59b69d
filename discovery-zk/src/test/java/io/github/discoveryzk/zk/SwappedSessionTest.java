// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.testing.server.TcpProxy;
import io.github.discoveryzk.zk.testing.OneServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.junit.jupiter.api.Test;

/**
 * What becomes of an ephemeral node when its client returns with its session and gets another one, without an event that the first one
 * has expired. That one lasts on, without a client, and the node with it.
 */
class SwappedSessionTest extends OneServer {

    /** Longer than the test lasts, which ends the first sessions itself. */
    private static final int SESSION_MILLIS = 60_000;

    /** The owner of a node that does not exist. */
    private static final long NONE = 0;

    private static final String MEMBERS = CLUSTER + "/members";
    private static final String NODE = "/node";

    @Test
    void instanceAnnouncesItselfAgainWhileCuratorReliesOnTheFirstSession() throws Exception {
        try (TcpProxy ofInstance = new TcpProxy(server.port());
                TcpProxy ofCurator = new TcpProxy(server.port());
                Execution execution = Execution.ofThreads("a");
                DiscoveryInstance instance = instance(ofInstance.address(), execution);
                CuratorFramework curator = CuratorFrameworkFactory.newClient(
                        ofCurator.address(), SESSION_MILLIS, SESSION_MILLIS, new RetryForever(10));
                PersistentNode node = new PersistentNode(curator, CreateMode.EPHEMERAL, false, NODE, new byte[0])) {
            List<ConnectionState> reported = new CopyOnWriteArrayList<>();
            curator.getConnectionStateListenable().addListener((client, state) -> reported.add(state));
            curator.start();
            node.start();
            instance.start();
            eventually(() -> instance.getTopology().isCurrent() && server.exists(NODE));
            List<Long> firstOfInstance = ownersOfMembers();
            long firstOfCurator = owner(NODE);

            List.of(ofInstance, ofCurator).forEach(TcpProxy::swapSessions);
            List.of(ofInstance, ofCurator).forEach(TcpProxy::reset);

            eventually(() -> ownersOfMembers().size() == 1
                    && !ownersOfMembers().equals(firstOfInstance)
                    && instance.getTopology().isCurrent());
            eventually(() -> reported.contains(ConnectionState.RECONNECTED));
            assertThat(owner(NODE)).isEqualTo(firstOfCurator);
            assertThat(reported).doesNotContain(ConnectionState.LOST);

            List<Long> secondOfInstance = ownersOfMembers();
            assertThat(secondOfInstance).hasSize(1);
            server.expire(firstOfInstance.get(0));
            server.expire(firstOfCurator);
            eventually(() -> !List.of(firstOfCurator, NONE).contains(owner(NODE)));
            assertThat(ownersOfMembers()).isEqualTo(secondOfInstance);
        }
    }

    private static DiscoveryInstance instance(String address, Execution execution) {
        ZooKeeperStoreConfig config = ZooKeeperStoreConfig.of(address).withSessionTimeout(SESSION_MILLIS);
        return new DiscoveryInstance(
                InstanceIdentity.ofThisProcess("a", Time.SYSTEM),
                new ZooKeeperStore(config),
                () -> SettlingPolicy.DEFAULT,
                execution);
    }

    private List<Long> ownersOfMembers() throws Exception {
        List<Long> owners = new ArrayList<>();
        for (String member : server.children(MEMBERS)) {
            owners.add(owner(MEMBERS + "/" + member));
        }
        return owners;
    }

    /** Returns the session that owns a node. */
    private long owner(String path) throws Exception {
        try {
            return server.stat(path).getEphemeralOwner();
        } catch (NoNodeException e) {
            return NONE;
        }
    }
}
