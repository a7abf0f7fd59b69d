// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import static io.github.discoveryzk.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.it.chaos.Pause;
import io.github.discoveryzk.it.chaos.ServerProcess;
import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import io.github.discoveryzk.launcher.Distribution;
import io.github.discoveryzk.launcher.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ZooKeeper stops to answer while the pages of the leader and of a follower are open. */
@InBrowser
@Tag("thorough")
class OutageOnThePageIT {

    private static final String ADDRESS = "ZooKeeper 127.0.0.1:";
    private static final int SESSION_MILLIS = 6_000;

    /** The lease, a second for the notice, and a second for the page. */
    private static final Duration SOON = Duration.ofMillis(SESSION_MILLIS * 2 / 3 + 2_000);

    @Test
    void bothSayThatTheyAreCutOffAndBothRecover(@TempDir Path folder, Browser browser) throws Exception {
        int port = Ports.free();
        try (ServerProcess server = new ServerProcess(folder.resolve("zookeeper"), 1, port, List.of());
                Browser other = new Browser()) {
            server.start();
            try (ContainerProcess leader = start(folder, "author-1", port)) {
                TopologyPage first = new TopologyPage(browser, leader).open();
                first.awaitStatus("1 instance");
                try (ContainerProcess follower = start(folder, "publish-1", port)) {
                    TopologyPage second = new TopologyPage(other, follower).open();
                    first.awaitStatus("2 instances");
                    second.awaitStatus("2 instances");
                    watch(server, browser, first, other, second);
                }
            }
        }
    }

    private static void watch(
            ServerProcess server, Browser browser, TopologyPage leader, Browser other, TopologyPage follower)
            throws Exception {
        try (Pause pause = server.pause()) {
            assertThat(pause).isNotNull();
            await("both to say so").atMost(SOON).untilAsserted(() -> {
                for (TopologyPage each : List.of(leader, follower)) {
                    assertThat(each.status()).contains("Cut off", ADDRESS, "check whether the servers run");
                    assertThat(each.answers()).contains("Last leader", "its view is over already");
                }
                assertThat(browser.text("#dz-problems")).as("the state says it").doesNotContain(ADDRESS);
            });
            assertThat(leader.drawnStates())
                    .as("only what the leader cannot know")
                    .containsEntry("author-1", "CUT_OFF")
                    .containsEntry("publish-1", "UNKNOWN");
            assertThat(follower.drawnStates())
                    .containsEntry("author-1", "UNKNOWN")
                    .containsEntry("publish-1", "CUT_OFF");
            assertThat(browser.title()).isEqualTo("CUT OFF · author-1 – Topology");
            assertThat(leader.crowned()).isEmpty();
            browser.screenshot("cut-off-leader");
            other.screenshot("cut-off-follower");
            Accessibility.assertNoViolations(browser, "cut off");
        }
        leader.awaitStatus("Settled", "2 instances");
        follower.awaitStatus("Settled", "2 instances");
        awaitThat(
                "both to be drawn well",
                () -> leader.drawnAsCurrent().size() == 2
                        && follower.drawnAsCurrent().size() == 2);
        assertThat(browser.isSamePage()).isTrue();
    }

    private static ContainerProcess start(Path folder, String id, int port) throws Exception {
        ContainerProcess container = ContainerProcess.start(
                new Distribution(Path.of(System.getProperty("discovery.distribution"))),
                ContainerSettings.of(folder.resolve(id), Ports.free(), "127.0.0.1:" + port)
                        .withDiscovery("sessionTimeoutMillis", SESSION_MILLIS)
                        .withFrameworkProperty("io.github.discoveryzk.instanceId", id));
        container.awaitStarted(Duration.ofMinutes(1));
        return container;
    }
}
