// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cost of an idle cluster for the server: one write and a read of each other member per third of a timeout. */
class IdleCostIT {

    private static final int SIZE = 5;
    private static final int THIRDS = 6;
    private static final int SESSION_MILLIS = 3_000;

    /** The instances begin their thirds at different moments. */
    private static final int SLACK = 2;

    private static final Set<String> WRITES = Set.of("multi");
    private static final Set<String> READS = Set.of("exists", "multiRead");

    @Test
    void theLeaderWritesAndTheOthersReadOncePerThirdOfTheSessionTimeout(@TempDir Path folder) throws Exception {
        TestServer server = new TestServer(folder);
        List<PlainInstance> all = new ArrayList<>();
        try {
            ZooKeeperStoreConfig config =
                    ZooKeeperStoreConfig.of(server.address()).withSessionTimeout(SESSION_MILLIS);
            for (int i = 0; i < SIZE; i++) {
                PlainInstance next = new PlainInstance("i" + i, config);
                all.add(next);
                next.start();
                awaitThat(all.size() + " settled", () -> all.stream()
                        .allMatch(each -> each.order().size() == all.size() && each.hasReceivedItsView()));
            }
            assertIdle(server);
            assertThat(all).allSatisfy(each -> assertThat(each.order()).hasSize(SIZE));
        } finally {
            all.forEach(PlainInstance::close);
            server.close();
        }
    }

    private static void assertIdle(TestServer server) {
        // The consequences of the last change have ended once every instance has made two requests.
        server.forgetAsked();
        awaitThat("the end of the last change", () -> allHaveAsked(server, 2));
        server.forgetAsked();
        long start = System.nanoTime();
        awaitThat("requests of all instances", () -> allHaveAsked(server, THIRDS));
        Map<Long, Map<String, Long>> counts = server.asked();
        long thirds = (System.nanoTime() - start) / 1_000_000 * 3 / SESSION_MILLIS;

        System.out.println("idle for " + thirds + " thirds of a session timeout: " + counts.values());
        assertThat(counts).hasSize(SIZE);
        assertThat(counts.values().stream().filter(one -> WRITES.containsAll(one.keySet())))
                .as("the leader writes")
                .hasSize(1);
        assertThat(counts.values().stream().filter(one -> READS.containsAll(one.keySet())))
                .as("the others read")
                .hasSize(SIZE - 1);
        assertThat(counts.values())
                .allSatisfy(one ->
                        assertThat(sum(one.values())).as("once per third").isBetween((long) THIRDS, thirds + SLACK));
    }

    private static boolean allHaveAsked(TestServer server, long times) {
        Collection<Map<String, Long>> counts = server.asked().values();
        return counts.size() == SIZE && counts.stream().allMatch(one -> sum(one.values()) >= times);
    }

    private static long sum(Collection<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }
}
