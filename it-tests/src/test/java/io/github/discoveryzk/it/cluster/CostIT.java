// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.server.TestServer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cluster costs the server, by the requests that it receives. */
class CostIT {

    /** So long that hardly any confirmation falls into a change. */
    private static final int LONG_SESSION_MILLIS = 60_000;
    /** Room for the confirmations of some instances while a change is going on. */
    private static final int SLACK = 12;
    /** The publication with its transaction, the leave record and the end of a session. */
    private static final int FIXED = 7;
    /** The requests of a newcomer before it can read the members: connect, find the nodes, watch; and its announcement. */
    private static final int BOOTSTRAP = 7;

    private static final int SIZE = 5;
    private static final int INTERVALS = 4;
    private static final int SESSION_MILLIS = 3_000;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {3, 20})
    void joinsAndLeavesCostAFixedNumberOfRequestsForEachMember(int size) throws Exception {
        try (TestServer server = new TestServer(folder);
                Instances instances = Instances.on(server.address(), LONG_SESSION_MILLIS)) {
            instances.startAll(size);
            server.forgetAsked();
            instances.startAll("newcomer");
            // Each member reads the newcomer and the view, and acknowledges; the newcomer reads all members at the same
            // time.
            assertThat(asked(server)).isLessThanOrEqualTo(3L * size + FIXED + BOOTSTRAP + SLACK);
            server.forgetAsked();
            instances.stop("i1");
            instances.awaitSettled();
            // Each member reads the view, and acknowledges.
            assertThat(asked(server)).isLessThanOrEqualTo(2L * size + FIXED + SLACK);
        }
    }

    @Test
    void theLeaderWritesAndTheOthersReadOncePerEighthOfTheSessionTimeout() throws Exception {
        try (TestServer server = new TestServer(folder);
                Instances instances = Instances.on(server.address(), SESSION_MILLIS)) {
            instances.startAll(SIZE);
            // The consequences of the last change have ended once every instance has made two requests.
            server.forgetAsked();
            awaitThat("the end of the last change", () -> allHaveAsked(server, 2));
            server.forgetAsked();
            awaitThat("requests of all instances", () -> allHaveAsked(server, INTERVALS));
            Collection<Map<String, Long>> counts = requests(server);
            assertThat(counts).hasSize(SIZE);
            assertThat(counts.stream().filter(one -> Set.of("multi").containsAll(one.keySet())))
                    .as("the leader writes")
                    .hasSize(1);
            assertThat(counts.stream()
                            .filter(one -> Set.of("exists", "multiRead").containsAll(one.keySet())))
                    .as("the others read")
                    .hasSize(SIZE - 1);
            // The instances begin their intervals at different moments.
            assertThat(counts).allSatisfy(one -> assertThat(sum(one)).isBetween((long) INTERVALS, INTERVALS + 2L));
        }
    }

    private static boolean allHaveAsked(TestServer server, long times) {
        Collection<Map<String, Long>> counts = requests(server);
        return counts.size() == SIZE && counts.stream().allMatch(one -> sum(one) >= times);
    }

    private static long asked(TestServer server) {
        return requests(server).stream().mapToLong(CostIT::sum).sum();
    }

    /** Returns the requests of each session, without the comparison of access rights, which comes once, a second after each connect. */
    private static Collection<Map<String, Long>> requests(TestServer server) {
        Collection<Map<String, Long>> counts = server.asked().values();
        counts.forEach(one -> one.keySet().removeAll(Set.of("getACL", "getEphemerals", "whoAmI")));
        counts.removeIf(Map::isEmpty);
        return counts;
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
