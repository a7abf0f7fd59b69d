// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import static org.apache.sling.discovery.it.cluster.Containers.awaitOrder;
import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.sling.discovery.it.cluster.Containers;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of an instance that is in no view. */
@InBrowser
class OutsideTheViewIT {

    private static final Duration START = Duration.ofMinutes(1);

    @Test
    void whoIsRefusedSeesAHealthyClusterAndItself(@TempDir Path folder, Browser browser) throws Exception {
        try (Containers containers = new Containers(folder)) {
            ContainerProcess a = containers.start("one", "author-1");
            awaitOrder(List.of("author-1"), a);
            ContainerProcess b = containers.start("two", "publish-1");
            awaitOrder(List.of("author-1", "publish-1"), a, b);
            ContainerProcess duplicate = containers.start("copy", "publish-1");

            duplicate.awaitStarted(START);
            TopologyPage page = new TopologyPage(browser, duplicate).open();
            page.awaitStatus("Refused");
            awaitThat("the cluster", () -> browser.all("#dz-others .dz-good").size() == 2);
            assertThat(browser.all("#dz-others .dz-here")).isEmpty();
            assertThat(browser.all("#dz-apart .dz-node")).hasSize(1);
            assertThat(browser.text("#dz-apart")).contains("refused", "this instance", "is held by process");
            assertThat(page.answers()).contains("Leader\nauthor-1");
            Accessibility.assertNoViolations(browser, "refused");
            browser.screenshot("refused");

            TopologyPage holder = new TopologyPage(browser, b).open();
            holder.awaitStatus("Settled");
            assertThat(browser.text("#dz-apart")).contains("refused");
            awaitThat("the warning", () -> browser.text("#dz-problems")
                    .contains("publish-1: its instance id is held by process"));
            browser.screenshot("refused-seen-by-the-holder");
        }
    }
}
