// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import static io.github.discoveryzk.it.cluster.Containers.awaitOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.discoveryzk.it.cluster.Containers;
import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One member is killed while the listener of another one hangs: the page tells who is gone, awaited and has acknowledged. */
@InBrowser
@Tag("thorough")
class ChangeOnThePageIT {

    private static final Duration SOON = Duration.ofSeconds(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** As the instance sees it that leads next, and so reads the acknowledgements. */
    private static final Map<String, String> STATES = new TreeMap<>(Map.of(
            "author-1", "GONE", "author-2", "ACKNOWLEDGED", "publish-1", "AWAITED", "publish-2", "ACKNOWLEDGED"));

    @Test
    void goneAwaitedAndAcknowledgedAreToldApart(@TempDir Path folder, Browser browser) throws Exception {
        try (Containers containers = new Containers(folder)) {
            ContainerSettings leader = containers.settings("one", "author-1");
            Containers.withoutNeighbours(leader);
            ContainerProcess first = containers.start(leader);
            awaitOrder(List.of("author-1"), first);
            ContainerProcess second = containers.start("two", "author-2");
            awaitOrder(List.of("author-1", "author-2"), first, second);
            try (HesitantInstance hung =
                    new HesitantInstance("publish-1", containers.server().address(), Containers.SESSION_TIMEOUT)) {
                awaitOrder(List.of("author-1", "author-2", "publish-1"), first, second);
                ContainerProcess last = containers.start("four", "publish-2");
                awaitOrder(List.of("author-1", "author-2", "publish-1", "publish-2"), first, second, last);
                watch(browser, first, second, hung);
            }
        }
    }

    private static void watch(Browser browser, ContainerProcess leader, ContainerProcess next, HesitantInstance hung) {
        TopologyPage page = new TopologyPage(browser, next).open();
        page.awaitStatus("4 instances");
        assertThat(page.answers())
                .contains("If this instance stops\nauthor-1 stays the leader", "May it be stopped\nyes, go on");

        hung.hesitate();
        leader.kill();
        page.awaitStatus("Changing for", "waiting for publish-1", "excluded in");
        await("the states").atMost(SOON).untilAsserted(() -> {
            assertThat(page.drawnStates()).isEqualTo(STATES);
            assertThat(page.listedStates()).isEqualTo(STATES);
            assertThat(inDocument(next)).isEqualTo(STATES);
        });
        assertThat(page.crowned()).as("a crown that counts").isEmpty();
        assertThat(page.text()).contains("was leader");
        assertThat(page.answers())
                .contains("Why\nauthor-1 left because its session ended")
                .contains("Last leader\nauthor-1")
                .contains("If this instance stops\nthe change goes on without it");
        assertThat(browser.title()).isEqualTo("CHANGING · author-2 – Topology");
        page.awaitStatus("waiting for publish-1 (listener " + HesitantInstance.class.getName());
        Accessibility.assertNoViolations(browser, "change");
        browser.screenshot("change-with-its-cause");
        browser.phone();
        browser.screenshot("change-phone");
        browser.desktop();
        browser.dark(true);
        browser.screenshot("change-dark");
        browser.dark(false);

        hung.goOn();
        page.awaitStatus("3 instances", "leader author-2");
        page.awaitCrowned("author-2");
        assertThat(page.text()).contains("Live");
        assertThat(browser.isSamePage()).isTrue();
        assertThat(browser.complaints()).isEmpty();
        await("the ghost").atMost(SOON).untilAsserted(() -> {
            assertThat(page.drawnStates()).containsEntry("author-1", "GONE").containsEntry("publish-1", "SETTLED");
            assertThat(page.answers()).contains("Last change").contains("author-1 left because its session ended");
            assertThat(browser.text("#dz-problems")).contains("author-1: left because its session ended");
        });
        browser.screenshot("after-the-change");
    }

    private static Map<String, String> inDocument(ContainerProcess container) throws Exception {
        String document =
                new Visitor(HttpClient.newHttpClient(), true).page(URI.create(container.consoleUri() + ".json"));
        Map<String, String> states = new TreeMap<>();
        for (JsonNode instance : JSON.readTree(document).at("/clusters/0/instances")) {
            states.put(
                    instance.path("id").asText(), instance.at("/status/state").asText());
        }
        return states;
    }
}
