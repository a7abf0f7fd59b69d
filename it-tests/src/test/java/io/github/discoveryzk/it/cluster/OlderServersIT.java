// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.cluster.Containers.awaitOrder;
import static io.github.discoveryzk.it.cluster.Containers.awaitThat;
import static io.github.discoveryzk.it.cluster.Containers.events;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.testing.server.ServerOfVersion;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers on servers of the oldest versions that they support. */
class OlderServersIT {

    @ParameterizedTest
    @ValueSource(strings = {"3.7", "3.8"})
    void theConnectionStaysAndTheSuccessorOfAKilledLeaderLeads(String version, @TempDir Path folder) throws Exception {
        try (Containers containers = new Containers(folder, ServerOfVersion.start(version, folder.resolve("data")))) {
            ContainerProcess a = start(containers, "a");
            awaitOrder(List.of("a"), a);
            ContainerProcess b = start(containers, "b");
            awaitOrder(List.of("a", "b"), a, b);
            awaitThat("b knows as whom the server knows it", () -> Containers.page(b, "/b")
                    .contains("ip:127.0.0.1"));
            a.kill();
            awaitOrder(List.of("b"), b);
            assertThat(events(b)).extracting(EventLine::type).containsExactly("INIT", "CHANGING", "CHANGED");
        }
    }

    /** A lost connection is an event. */
    private static ContainerProcess start(Containers containers, String id) throws Exception {
        return containers.start(containers.settings(id, id).withInstance("suspendedPolicy", "STRICT"));
    }
}
