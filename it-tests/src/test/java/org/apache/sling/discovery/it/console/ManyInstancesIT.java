// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import static org.apache.sling.discovery.it.cluster.Containers.awaitOrder;
import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.sling.discovery.it.cluster.Containers;
import org.apache.sling.discovery.it.cluster.PlainInstance;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The pages of a large cluster with a long history. */
@InBrowser
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManyInstancesIT {

    private static final int MANY = 50;
    private static final int VERY_MANY = 200;
    private static final int ENTRIES = 500;

    /** The maximum size of a page: more would be noticeable, because it is updated repeatedly. */
    private static final int BYTES_PER_INSTANCE = 3_000;

    private static final int BYTES_PER_VIEW = 2_000;

    /** How many views are shown by default. */
    private static final int SHOWN = 50;

    private Containers containers;
    private ContainerProcess first;
    private Forgery forgery;
    private List<String> members = List.of();

    @BeforeAll
    void startCluster(@TempDir Path folder) throws Exception {
        containers = new Containers(folder);
        forgery = new Forgery(containers.server().connectString());
        makeHistory();
        first = containers.start("one", "node-001");
        awaitOrder(List.of("node-001"), first);
    }

    @AfterAll
    void stopCluster() throws Exception {
        forgery.close();
        containers.close();
    }

    private void makeHistory() throws Exception {
        forgery.useUpNumbers(ENTRIES);
        PlainInstance earlier = new PlainInstance(
                "earlier", ZooKeeperStoreConfig.of(containers.server().connectString()));
        try {
            earlier.start();
            awaitThat("a view", () -> !earlier.order().isEmpty());
        } finally {
            earlier.close();
        }
        forgery.lengthenHistory(ENTRIES);
    }

    /** Makes the cluster consist of the container and new further members. */
    private List<String> grow(int size) throws Exception {
        List<String> ids = new ArrayList<>(List.of("node-001"));
        IntStream.rangeClosed(2, size)
                .mapToObj(i -> String.format("node-%03d", i))
                .forEach(ids::add);
        if (!members.isEmpty()) {
            forgery.leave(members);
            awaitOrder(List.of("node-001"), first);
        }
        members = forgery.join(ids.stream().skip(1).map(ManyInstancesIT::record).toList());
        awaitOrder(ids, first);
        return ids;
    }

    private static Map<String, Object> record(String id) {
        return Forgery.record(
                id,
                "host-" + id,
                Map.of(
                        "org.apache.sling.instance.name",
                        "Instance " + id,
                        "sample.value1",
                        "one",
                        "sample.value2",
                        "two"));
    }

    @Test
    void fiftyFitOnAPage(Browser browser) throws Exception {
        List<String> ids = grow(MANY);
        TopologyPage page = new TopologyPage(browser, first).open();

        assertComplete(browser, page, ids);
        browser.screenshot("fifty");
        Accessibility.assertNoViolations(browser, "overview of fifty");

        browser.phone();
        page.open();
        page.assertFitsPhone();
        browser.screenshot("fifty-phone");
        browser.desktop();
    }

    @Test
    @Tag("thorough")
    void twoHundredDoToo(Browser browser) throws Exception {
        List<String> ids = grow(VERY_MANY);
        TopologyPage page = new TopologyPage(browser, first).open();

        assertComplete(browser, page, ids);
        browser.screenshot("two-hundred");
        assertThat(bytes(browser, VERY_MANY + " instances")).isLessThan((long) VERY_MANY * BYTES_PER_INSTANCE);
    }

    @Test
    void fiveHundredViewsAreShownInPartsOrAsAWhole(Browser browser) {
        TopologyPage page = new TopologyPage(browser, first).open("?show=history");
        assertThat(browser.text("#dz-extent")).contains("of " + ENTRIES + " views");
        assertUsable(browser, page);
        assertThat(bytes(browser, "the newest views")).isLessThan((long) SHOWN * BYTES_PER_VIEW);

        page.open("?show=history&count=" + ENTRIES);
        assertThat(browser.all("#dz-history tbody tr")).hasSize(ENTRIES);
        assertUsable(browser, page);
        assertThat(bytes(browser, ENTRIES + " views")).isLessThan((long) ENTRIES * BYTES_PER_VIEW);
        browser.screenshot("five-hundred-views");
    }

    private static long bytes(Browser browser, String what) {
        long bytes = number(browser, "performance.getEntriesByType('navigation')[0].decodedBodySize");
        System.out.println(what + ": " + bytes + " bytes, first content after "
                + number(browser, "performance.getEntriesByName('first-contentful-paint')[0].startTime")
                + " ms, complete after "
                + number(browser, "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
                + " ms");
        return bytes;
    }

    private static void assertComplete(Browser browser, TopologyPage page, List<String> ids) {
        page.awaitStatus("settled: " + ids.size() + " instances");
        assertThat(page.drawn()).isEqualTo(ids);
        assertThat(browser.text("#dz-instances")).contains(ids);
        assertUsable(browser, page);
    }

    private static void assertUsable(Browser browser, TopologyPage page) {
        assertThat(browser.complaints()).isEmpty();
        page.assertNothingStandsOut();
    }

    private static long number(Browser browser, String expression) {
        return ((Number) browser.script("return Math.round(" + expression + ")")).longValue();
    }
}
