// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import static org.apache.sling.discovery.it.cluster.Containers.awaitOrder;
import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.sling.discovery.it.cluster.Containers;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.apache.sling.discovery.launcher.ContainerSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** An open page while processes are killed and started, without a reload. */
@InBrowser
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LivePageIT {

    private final Map<String, ContainerSettings> settings = new TreeMap<>();
    private final Map<String, ContainerProcess> running = new TreeMap<>();
    private final List<String> order = new ArrayList<>();
    private Containers containers;
    private HesitantInstance slow;

    @BeforeAll
    void startCluster(@TempDir Path folder) throws Exception {
        containers = new Containers(folder);
        for (String id : List.of("a", "b", "c")) {
            settings.put(id, containers.settings(id, id));
            start(id);
        }
        slow = new HesitantInstance("slow", containers.server().connectString(), Containers.SESSION_TIMEOUT);
        order.add("slow");
        awaitOrderEverywhere();
    }

    @AfterAll
    void stopCluster() {
        slow.close();
        containers.close();
    }

    private void start(String id) throws Exception {
        running.put(id, containers.start(settings.get(id)));
        order.add(id);
        awaitOrderEverywhere();
    }

    private void awaitOrderEverywhere() {
        awaitOrder(order, running.values().toArray(ContainerProcess[]::new));
    }

    @BeforeEach
    void haveThreeContainers() throws Exception {
        for (String id : settings.keySet()) {
            if (!running.containsKey(id)) {
                start(id);
            }
        }
    }

    @AfterEach
    void resumeAll() {
        slow.goOn();
    }

    /** A container that survives the leader. */
    private String follower() {
        return order.stream().skip(1).filter(running::containsKey).findFirst().orElseThrow();
    }

    private TopologyPage open(Browser browser) {
        return new TopologyPage(browser, running.get(follower())).open();
    }

    @Test
    void turnsToChangingAndToTheNextLeaderWhenTheLeaderIsKilled(Browser browser) {
        TopologyPage page = open(browser);
        seeTheLeaderKilled(browser, page);
        assertThat(page.text()).contains("Live");
        assertThat(browser.complaints()).isEmpty();
    }

    private void seeTheLeaderKilled(Browser browser, TopologyPage page) {
        page.awaitStatus("settled: 4 instances", "leader " + order.get(0));
        page.awaitDrawn(order);
        assertThat(page.crowned()).containsExactly(order.get(0));
        assertThat(page.drawnAsCurrent()).isEqualTo(order);
        slow.hesitate();

        running.remove(order.remove(0)).kill();
        page.awaitStatus("Changing for", "waiting for slow", "left out in");
        assertThat(page.drawnAsCurrent()).as("drawn as current while changing").isEmpty();
        browser.screenshot("changing");
        slow.goOn();

        page.awaitStatus("settled: 3 instances", "leader " + order.get(0));
        page.awaitDrawn(order);
        assertThat(page.crowned()).containsExactly(order.get(0));
        assertThat(browser.isSamePage()).isTrue();
    }

    @Test
    void comesBackWithItsContainer(Browser browser) throws Exception {
        String id = follower();
        TopologyPage page = open(browser);
        running.remove(id).close();
        order.remove(id);
        awaitOrderEverywhere();
        awaitThat("the page to say that it is old", () -> browser.has(".dz-old"));

        start(id);
        page.awaitStatus("settled: 4 instances", "leader " + order.get(0));
        page.awaitDrawn(order);
        awaitThat("the page to be up to date", () -> !browser.has(".dz-old"));
        assertThat(browser.isSamePage()).isTrue();
    }
}
