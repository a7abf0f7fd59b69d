// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.SuspendedPolicy;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator deletes the whole tree while instances use it, node by node and children first, as the ZooKeeper shell does. */
class DeletedTreeIT {

    private static final int SESSION_MILLIS = 4_000;
    private static final int SETTLE_MILLIS = 5_000;
    private static final int ROUNDS = 5;
    private static final int FEW = 5;
    private static final String TREE = "/sling";

    @Test
    void instancesLetItBeDeletedAndSettleAgain(@TempDir Path folder) throws Exception {
        try (TestServer server = new TestServer(folder)) {
            ZooKeeperStoreConfig config =
                    ZooKeeperStoreConfig.of(server.address()).withSessionTimeout(SESSION_MILLIS);
            SettlingPolicy policy = new SettlingPolicy(SETTLE_MILLIS, 0, 1_000, SuspendedPolicy.LEASE);
            List<PlainInstance> all = Stream.of("a", "b", "c")
                    .map(id -> new PlainInstance(id, config, policy))
                    .toList();
            try {
                all.forEach(PlainInstance::start);
                awaitThat("all are settled", () -> settled(all));
                for (int round = 1; round <= ROUNDS; round++) {
                    deletes(server, all, round);
                }
            } finally {
                all.forEach(PlainInstance::close);
            }
        }
    }

    private static void deletes(TestServer server, List<PlainInstance> all, int round) throws Exception {
        String before = all.get(0).clusterId();
        int attempts = delete(server.address());
        long deleted = System.nanoTime();
        awaitThat(
                "all are settled in the cluster of round " + round,
                () -> settled(all) && !all.get(0).clusterId().equals(before));
        long took = Duration.ofNanos(System.nanoTime() - deleted).toMillis();

        assertThat(attempts).as("attempts of round %s", round).isLessThanOrEqualTo(FEW);
        assertThat(took).as("milliseconds of round %s", round).isLessThan(SESSION_MILLIS + SETTLE_MILLIS);
        assertThat(all)
                .flatExtracting(each -> each.report().recent().transitions())
                .extracting(TopologyReport.Status::state)
                .doesNotContain(State.QUARANTINED);
    }

    private static boolean settled(List<PlainInstance> all) {
        return all.stream().allMatch(each -> each.order().size() == all.size());
    }

    /** Tries until it succeeds, and returns the number of tries. */
    @SuppressWarnings("try")
    private static int delete(String connectString) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeper client = new ZooKeeper(connectString, SESSION_MILLIS, event -> connected.countDown())) {
            connected.await();
            int attempts = 1;
            while (!deleted(client)) {
                attempts++;
            }
            return attempts;
        }
    }

    private static boolean deleted(ZooKeeper client) throws InterruptedException, KeeperException {
        try {
            ZKUtil.deleteRecursive(client, TREE);
            return true;
        } catch (KeeperException.NotEmptyException | KeeperException.NoNodeException e) {
            return false;
        }
    }
}
