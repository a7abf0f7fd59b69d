// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import io.github.discoveryzk.testing.server.TestServer;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator deletes the whole tree while instances use it, node by node and children first, as the ZooKeeper shell does. */
class DeletedTreeIT {

    private static final int SESSION_MILLIS = 2_000;
    private static final int ROUNDS = 3;
    private static final int MAX_ATTEMPTS = 5;

    @Test
    void instancesLetItBeDeletedAndSettleAgain(@TempDir Path folder) throws Exception {
        SettlingPolicy policy = new SettlingPolicy(SESSION_MILLIS, 0, 1_000, SuspendedPolicy.LEASE);
        try (TestServer server = new TestServer(folder);
                Instances instances = Instances.on(server.address(), SESSION_MILLIS, policy)) {
            instances.startAll(3);
            List<SharedMap<String>> owned = instances.all().stream()
                    .map(each -> each.discovery().data().map("app", "owned", DataKind.TEXT))
                    .toList();
            for (int i = 0; i < owned.size(); i++) {
                owned.get(i).own("key" + i, "value");
            }
            // A claim that meets the deletion may be refused.
            awaitThat("what is owned is there", () -> areAllThere(owned));
            for (int round = 1; round <= ROUNDS; round++) {
                String before = instances.get("i0").clusterId();
                server.with(client -> assertThat(attemptsToDelete(client)).isLessThanOrEqualTo(MAX_ATTEMPTS));
                awaitThat("another cluster in round " + round, () -> instances.all().stream()
                        .noneMatch(each -> each.clusterId().equals(before)));
                instances.awaitSettled();
                awaitThat("what is owned is back", () -> areAllThere(owned));
            }
            assertThat(instances.all())
                    .flatExtracting(each -> each.report().recent().transitions())
                    .extracting(TopologyReport.ExplainedState::state)
                    .doesNotContain(State.QUARANTINED);
        }
    }

    private static boolean areAllThere(List<SharedMap<String>> owned) {
        return owned.stream().allMatch(each -> each.entries().size() == owned.size());
    }

    /** Tries until it succeeds, and returns the number of tries. */
    private static int attemptsToDelete(ZooKeeper client) throws InterruptedException, KeeperException {
        for (int attempts = 1; ; attempts++) {
            try {
                ZKUtil.deleteRecursive(client, "/sling");
                return attempts;
            } catch (KeeperException.NotEmptyException | KeeperException.NoNodeException e) {
                // An instance was quicker.
                continue;
            }
        }
    }
}
