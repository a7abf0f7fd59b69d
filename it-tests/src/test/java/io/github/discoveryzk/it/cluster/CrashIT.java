// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.cluster.Containers.awaitOrder;
import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.launcher.ContainerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers that are killed; the others notice it while the sessions in the servers go on. */
class CrashIT {

    /** Longer than any test waits. */
    private static final int SESSION_TIMEOUT = 300_000;

    @Test
    void aKilledFollowerAndAKilledLeaderAreNoticedByTheirNeighbours(@TempDir Path folder) throws Exception {
        try (Containers containers = new Containers(folder)) {
            ContainerProcess a = start(containers, "a");
            awaitOrder(List.of("a"), a);
            ContainerProcess b = start(containers, "b");
            awaitOrder(List.of("a", "b"), a, b);
            ContainerProcess c = start(containers, "c");
            awaitOrder(List.of("a", "b", "c"), a, b, c);
            Set<Long> sessions = Set.copyOf(containers.server().sessions());
            for (ContainerProcess each : List.of(a, b, c)) {
                awaitWatches(each, 2);
            }

            c.kill();
            awaitOrder(List.of("a", "b"), a, b);
            assertThat(Containers.page(a, "?show=history")).contains("c crashed");

            a.kill();
            awaitOrder(List.of("b"), b);
            assertThat(Containers.page(b, "?show=history")).contains("a crashed");
            assertThat(containers.server().sessions())
                    .as("no session has ended")
                    .containsAll(sessions);
            Containers.assertGrammar(b);
        }
    }

    private static ContainerProcess start(Containers containers, String id) throws Exception {
        return containers.start(containers.settings(id, id).withDiscovery("sessionTimeoutMillis", SESSION_TIMEOUT));
    }

    /** Waits until a container has begun to watch a neighbour that many times. */
    private static void awaitWatches(ContainerProcess container, int count) {
        awaitThat(
                container.name() + " watches its neighbours",
                () -> Files.readAllLines(container.log()).stream()
                                .filter(line -> line.contains("Watches "))
                                .count()
                        >= count);
    }
}
