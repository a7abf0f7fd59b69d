// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import static io.github.discoveryzk.it.cluster.Containers.awaitOrder;
import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.Containers;
import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.report.InstanceNames;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The pages of a large cluster, and hostile names and values in the store, which are shown as text. */
@InBrowser
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("thorough")
class ForgedMembersIT {

    /** What a page may have for each instance: more would be noticeable, because it is updated repeatedly. */
    private static final int BYTES_PER_INSTANCE = 3_000;

    /** What a page may have for the rest. */
    private static final int BYTES = 15_000;

    private static final String FIRST = "node-001";
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
    private ContainerProcess first;
    private Forgery forgery;
    private List<String> members = List.of();

    @BeforeAll
    void startCluster(@TempDir Path folder) throws Exception {
        containers = new Containers(folder);
        String server = containers.server().address();
        forgery = new Forgery(server);
        first = containers.start("one", FIRST);
        awaitOrder(List.of(FIRST), first);
    }

    @AfterAll
    void stopCluster() throws Exception {
        forgery.close();
        containers.close();
    }

    /** Makes the cluster consist of the container and new further members, and returns their ids. */
    private List<String> replaceMembers(List<Map<String, Object>> records) throws Exception {
        if (!members.isEmpty()) {
            forgery.leave(members);
            awaitOrder(List.of(FIRST), first);
        }
        members = forgery.join(records);
        List<String> ids = new ArrayList<>(List.of(FIRST));
        records.forEach(record -> ids.add((String) record.get("instanceId")));
        String settled = ids.size() + " instances, leader ";
        awaitThat(settled, () -> Files.readString(first.log()).contains(settled));
        return ids;
    }

    private void assertComplete(Browser browser, TopologyPage page, int size) throws Exception {
        List<String> ids = replaceMembers(IntStream.rangeClosed(2, size)
                .mapToObj(i -> String.format("node-%03d", i))
                .map(id -> Forgery.record(
                        id, "host-" + id, Map.of("org.apache.sling.instance.name", "Instance " + id, "value", "one")))
                .toList());
        page.open();
        page.awaitStatus(size + " instances, leader ");
        assertThat(page.drawn()).isEqualTo(ids.subList(0, Math.min(50, size)));
        assertThat(page.listedStates().keySet()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat((Long) browser.script("return document.querySelectorAll('#discovery-topology *').length"))
                .as("elements")
                .isLessThan(3_000);
        System.out.println("first paint with " + size + " instances: "
                + browser.script("return performance.getEntriesByName('first-contentful-paint')[0].startTime") + " ms");
        assertFound(browser, page, size);
        assertThat(browser.text("#dz-instances")).contains(ids);
        assertUsable(browser, page, BYTES + size * BYTES_PER_INSTANCE);
    }

    /** Filter and order are in the address. */
    private static void assertFound(Browser browser, TopologyPage page, int size) {
        browser.script("const filter = document.getElementById('dz-filter'); filter.value = 'HOST-node-017 value=one';"
                + "filter.dispatchEvent(new Event('input'));");
        assertThat(browser.text("#dz-found")).isEqualTo("1 of " + size);
        assertThat(browser.address()).asString().contains("filter=HOST-node-017");
        page.open("?filter=settled&sort=-Position");
        assertThat(browser.text(".dz-members tbody tr:not([hidden]) td")).isEqualTo(String.valueOf(size));
        page.open();
    }

    private static void assertUsable(Browser browser, TopologyPage page, int bytes) {
        assertThat(browser.complaints()).isEmpty();
        page.assertNothingStandsOut();
        Object size =
                browser.script("return Math.round(performance.getEntriesByType('navigation')[0].decodedBodySize)");
        assertThat(((Number) size).intValue()).as("bytes of the page").isLessThan(bytes);
    }

    @Test
    void fiftyFitOnAPage(Browser browser) throws Exception {
        TopologyPage page = new TopologyPage(browser, first);
        assertComplete(browser, page, 50);
        browser.screenshot("fifty");
        Accessibility.assertNoViolations(browser, "overview of fifty");
        browser.phone();
        page.open();
        page.assertFitsPhone();
        browser.screenshot("fifty-phone");
        browser.desktop();
    }

    @Test
    void twoHundredDoToo(Browser browser) throws Exception {
        assertComplete(browser, new TopologyPage(browser, first), 200);
        browser.screenshot("two-hundred");
    }

    @Test
    void hostileValuesAreTexts(Browser browser) throws Exception {
        Map<String, String> properties = new TreeMap<>();
        Stream.of(SCRIPT, PICTURE, QUOTES, BACKWARDS, EMOJI).forEach(each -> properties.put(each, each));
        properties.put("huge", HUGE);
        properties.put("org.apache.sling.instance.endpoints", ADDRESS);
        properties.put(InstanceNames.PROPERTY, SCRIPT);
        replaceMembers(List.of(
                Forgery.record("node-002", PICTURE, properties),
                Forgery.record("node-003", SCRIPT, Map.of(InstanceNames.PROPERTY, QUOTES)),
                Forgery.record("node-004", EMOJI, Map.of(InstanceNames.PROPERTY, BACKWARDS))));
        forgery.add("members/" + PICTURE, SCRIPT);
        forgery.add(PICTURE, "{\"format\":1,\"" + QUOTES.replace("\"", "\\\"") + "\":\"" + SCRIPT + "\"}");

        TopologyPage page = new TopologyPage(browser, first);
        for (String below : List.of("", "?show=history", "?show=tree")) {
            page.open(below);
            assertShown(browser, page, SCRIPT, QUOTES, BACKWARDS_SHOWN);
        }
        assertShown(browser, page, PATH + PICTURE, PATH + "members/" + PICTURE);
        page.open();
        browser.all(TopologyPage.ROOT + " a").stream()
                .filter(link -> link.getText().startsWith(SCRIPT))
                .findFirst()
                .orElseThrow()
                .click();
        assertShown(browser, page, SCRIPT, PICTURE, QUOTES, BACKWARDS_SHOWN, EMOJI, ADDRESS, "0123456789");
        browser.screenshot("hostile");
    }

    @Test
    void aRecordSendsNoBytesAndWritesNoLine() throws Exception {
        try (ServerSocketChannel port = ServerSocketChannel.open()) {
            port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .configureBlocking(false);
            String endpoint = "127.0.0.1:" + port.socket().getLocalPort();
            Map<String, Object> bytes = Forgery.record("node-666", "host", Map.of());
            bytes.put("runtimeId", "x\r\nFLUSHALL\r\n");
            bytes.put("endpoint", endpoint);
            Map<String, Object> elsewhere =
                    Forgery.record("node-667", "host", Map.of(InstanceNames.PROPERTY, "x\nFORGED"));
            elsewhere.put("endpoint", endpoint);
            List<String> added = forgery.join(List.of(bytes, elsewhere, Forgery.record("a\nFORGED", "host", Map.of())));
            awaitThat("two that cannot be read are excluded", () -> {
                String log = Files.readString(first.log());
                return log.contains("x?FORGED")
                        && log.split("node m-\\S+ excluded: its record cannot be read", -1).length > 2;
            });
            assertThat(port.accept()).isNull();
            assertThat(Files.readAllLines(first.log())).noneMatch(line -> line.startsWith("FORGED"));
            forgery.leave(added);
            awaitOrder(List.of(FIRST), first);
        }
    }

    private static void assertShown(Browser browser, TopologyPage page, String... texts) {
        assertThat(page.content()).contains(texts);
        assertThat(browser.alertIsOpen()).as("a dialog").isFalse();
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.script(
                        "return document.querySelectorAll(arguments[0]).length",
                        TopologyPage.ROOT
                                + " :is(script, img, iframe, object, [onerror], [onmouseover], [href^=javascript])"))
                .as("foreign elements")
                .isEqualTo(0L);
        page.assertNothingStandsOut();
    }
}
