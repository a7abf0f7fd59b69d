// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import static io.github.discoveryzk.it.cluster.Containers.awaitOrder;
import static io.github.discoveryzk.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.Containers;
import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import java.nio.file.Path;
import java.util.List;
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
            page.awaitStatus("2 instances", "leader a");

            b.close();
            awaitOrder(List.of("a"), a);
            awaitThat("the page to say that it is old", () -> browser.has(".dz-old"));

            ContainerProcess again = containers.start(settings);
            awaitOrder(List.of("a", "b"), a, again);
            page.awaitStatus("2 instances", "leader a");
            page.awaitDrawn(List.of("a", "b"));
            awaitThat("the page to be up to date", () -> !browser.has(".dz-old"));
            assertThat(browser.isSamePage()).isTrue();
        }
    }
}
