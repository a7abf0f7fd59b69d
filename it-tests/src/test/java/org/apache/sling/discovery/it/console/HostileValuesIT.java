// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import static org.apache.sling.discovery.it.cluster.Containers.awaitOrder;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.sling.discovery.it.cluster.Containers;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile names and values in the store: they are shown as plain text. */
@InBrowser
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileValuesIT {

    private static final String SCRIPT = "<script>alert(1)</script>";
    private static final String PICTURE = "<img src=x onerror=alert(2)>";
    private static final String QUOTES = "a\"onmouseover='alert(3)'b\"c`d";
    private static final String BACKWARDS = "good\u202Etxt.exe";

    /** A character that changes the text direction is shown by name. */
    private static final String BACKWARDS_SHOWN = "good[U+202E]txt.exe";

    private static final String EMOJI = "\uD83D\uDC69\uD83C\uDFFD\u200D\uD83D\uDE80 \uD83D\uDCA5";
    private static final String ADDRESS = "javascript:alert(4)";
    private static final String HUGE = "0123456789".repeat(10_000) + "the end";

    private static final String PATH = "/sling/discovery/clusters/default/";

    private Containers containers;
    private ContainerProcess a;
    private Forgery forgery;

    @BeforeAll
    void startCluster(@TempDir Path folder) throws Exception {
        containers = new Containers(folder);
        a = containers.start("one", "a");
        awaitOrder(List.of("a"), a);
        forgery = new Forgery(containers.server().connectString());
        Map<String, String> properties = new TreeMap<>(Map.of(
                SCRIPT, PICTURE, PICTURE, SCRIPT, QUOTES, QUOTES, BACKWARDS, BACKWARDS, EMOJI, EMOJI, "huge", HUGE));
        properties.put("org.apache.sling.instance.endpoints", ADDRESS);
        forgery.join(List.of(
                Forgery.record(SCRIPT, PICTURE, properties),
                Forgery.record(QUOTES, SCRIPT, Map.of()),
                Forgery.record(BACKWARDS, EMOJI, Map.of())));
        forgery.add("members/" + PICTURE, SCRIPT);
        forgery.add(PICTURE, "{\"format\":1,\"" + QUOTES.replace("\"", "\\\"") + "\":\"" + SCRIPT + "\"}");
        awaitOrder(List.of("a", SCRIPT, QUOTES, BACKWARDS), a);
    }

    @AfterAll
    void stopCluster() throws Exception {
        forgery.close();
        containers.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?show=history", "?show=tree"})
    void idsAreTexts(String below, Browser browser) {
        TopologyPage page = new TopologyPage(browser, a).open(below);

        assertThat(page.content()).contains(SCRIPT, QUOTES, BACKWARDS_SHOWN);
        assertNothingHappened(browser, page, below);
    }

    @Test
    void namesOfNodesAreTexts(Browser browser) {
        TopologyPage page = new TopologyPage(browser, a).open("?show=tree");

        assertThat(page.content()).contains(PATH + PICTURE, PATH + "members/" + PICTURE);
        assertNothingHappened(browser, page, "tree");
    }

    @Test
    void propertiesAreTexts(Browser browser) {
        TopologyPage page = new TopologyPage(browser, a).open();
        browser.all(TopologyPage.ROOT + " a").stream()
                .filter(link -> link.getText().equals(SCRIPT))
                .findFirst()
                .orElseThrow()
                .click();

        assertThat(page.content()).contains(SCRIPT, PICTURE, QUOTES, BACKWARDS_SHOWN, EMOJI, ADDRESS, "0123456789");
        assertThat(browser.has(TopologyPage.ROOT + " [href^=javascript]")).isFalse();
        assertNothingHappened(browser, page, "instance");
        browser.screenshot("hostile");
    }

    private static void assertNothingHappened(Browser browser, TopologyPage page, String name) {
        assertThat(browser.alertIsOpen()).as("a dialog on " + name).isFalse();
        assertThat(browser.complaints()).as("complaints on " + name).isEmpty();
        assertThat(browser.script(
                        "return document.querySelectorAll(arguments[0]).length",
                        TopologyPage.ROOT + " :is(script, img, iframe, object, [onerror], [onmouseover])"))
                .as("foreign elements on " + name)
                .isEqualTo(0L);
        page.assertNothingStandsOut();
    }
}
