// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.outside.Server;
import io.github.discoveryzk.launcher.Ports;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The feature archive is all that Sling's feature launcher needs. */
class FeatureIT extends ConsoleContract<FeatureContainer> {

    @BeforeAll
    void start() throws IOException {
        container = FeatureContainer.start(
                FeatureContainer.folder(),
                Document.block("docs/sling.md", "-f discovery.far -f discovery-zk-server.far\n")
                        .replace(" -f discovery-zk-server.far", ""),
                "-V discovery.servers=" + Server.address(),
                "-V discovery.cluster=feature",
                "-D io.github.discoveryzk.instanceId=feature");
    }

    @AfterAll
    void stop() {
        container.close();
    }

    @Test
    void itsLogHasTheTimeAndOnlyErrorsOfZooKeeper() {
        assertThat(container.log())
                .anyMatch(line -> line.matches("[0-9-]{10} [0-9:.]{12} INFO +\\[.*\\] io\\.github\\.discoveryzk\\..*"))
                .noneMatch(line -> line.contains("org.apache.zookeeper.") && !line.contains(" ERROR "));
    }

    @Test
    @Tag("thorough")
    void threeContainersWithTheServersAreOneCluster() throws Exception {
        String command = Document.block("docs/sling.md", "host1:2181");
        for (String host : List.of("host1", "host2", "host3")) {
            command = command.replace(
                    host + ":2181", "127.0.0.1:" + Ports.free() + ":" + Ports.free() + ":" + Ports.free());
        }
        try (FeatureContainer a = FeatureContainer.start(FeatureContainer.folder(), command);
                FeatureContainer b = FeatureContainer.start(FeatureContainer.folder(), command);
                FeatureContainer c = FeatureContainer.start(FeatureContainer.folder(), command)) {
            for (FeatureContainer each : List.of(a, b, c)) {
                untilAsserted(() -> assertThat(each.log()).anyMatch(line -> line.contains("SETTLED: 3 instances")));
            }
        }
    }

    @Test
    void nothingFailed() {
        assertThat(container.log()).noneMatch(line -> line.contains(" ERROR "));
    }
}
