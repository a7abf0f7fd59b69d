// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import static org.apache.sling.discovery.it.cluster.Containers.awaitOrder;
import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.sling.discovery.it.cluster.Containers;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.apache.sling.discovery.launcher.ContainerSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An open page while its container is stopped and started, without a reload. */
@InBrowser
@Tag("thorough")
class LivePageIT {

    @Test
    void comesBackWithItsContainer(@TempDir Path folder, Browser browser) throws Exception {
        try (Containers containers = new Containers(folder)) {
            ContainerProcess a = containers.start("one", "a");
            awaitOrder(List.of("a"), a);
            ContainerSettings settings = containers.settings("two", "b");
            ContainerProcess b = containers.start(settings);
            awaitOrder(List.of("a", "b"), a, b);
            TopologyPage page = new TopologyPage(browser, b).open();
            page.awaitStatus("settled: 2 instances", "leader a");

            b.close();
            awaitOrder(List.of("a"), a);
            awaitThat("the page to say that it is old", () -> browser.has(".dz-old"));

            ContainerProcess again = containers.start(settings);
            awaitOrder(List.of("a", "b"), a, again);
            page.awaitStatus("settled: 2 instances", "leader a");
            page.awaitDrawn(List.of("a", "b"));
            awaitThat("the page to be up to date", () -> !browser.has(".dz-old"));
            assertThat(browser.isSamePage()).isTrue();
        }
    }
}
