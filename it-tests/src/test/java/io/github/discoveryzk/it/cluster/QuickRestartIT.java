// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.cluster.Containers.awaitOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers that are killed and started again immediately, while the session of the killed process is still alive. */
class QuickRestartIT {

    /** Long enough that no session ends in a test unless the test ends it. */
    private static final int SESSION_TIMEOUT = 300_000;

    @TempDir
    private Path folder;

    @AutoClose
    private Containers containers;

    private ContainerProcess a;
    private ContainerProcess b;
    private long sessionOfA;

    @BeforeEach
    void startCluster() throws Exception {
        containers = new Containers(folder);
        a = start("one", "a");
        awaitOrder(List.of("a"), a);
        sessionOfA = containers.server().sessions().iterator().next();
        b = start("two", "b");
        awaitOrder(List.of("a", "b"), a, b);
    }

    private ContainerProcess start(String name, String instanceId) throws Exception {
        ContainerSettings settings =
                containers.settings(name, instanceId).withDiscovery("sessionTimeoutMillis", SESSION_TIMEOUT);
        Containers.withoutNeighbours(settings);
        return containers.start(settings);
    }

    @Test
    @Tag("thorough")
    void theNodeOfADeadEarlierProcessIsRemovedImmediately() throws Exception {
        a.kill();
        ContainerProcess second = start("one", "a");
        awaitOrder(List.of("b", "a"), second, b);
        assertThat(containers.server().sessions())
                .as("the session of the killed process has not ended")
                .contains(sessionOfA);
        assertThat(Containers.page(b, "?show=history")).contains("a died and was started again");
        // A second restart is as quick as the first.
        b.kill();
        ContainerProcess other = start("two", "b");
        awaitOrder(List.of("a", "b"), second, other);
        second.kill();
        awaitOrder(List.of("b", "a"), start("one", "a"), other);
    }
}
