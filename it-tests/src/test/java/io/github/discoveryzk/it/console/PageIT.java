// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import static io.github.discoveryzk.it.cluster.Containers.awaitOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.Containers;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.ContainerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The pages of a quiet cluster of three containers in a real browser. */
@InBrowser
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageIT {

    private static final String SHOWN_AS_IN_TOKYO =
            """
            return Array.from(document.querySelectorAll('#dz-history time')).every(e =>
                e.textContent === new Date(Date.parse(e.dateTime) + 9 * 3600000).toISOString()
                    .replace('T', ' ').slice(0, 19));
            """;

    /** A page with a clock that stands still. */
    private static final String AGES =
            """
            Date.now = () => 1000000000000;
            const page = document.createElement('div');
            page.id = 'discovery-topology';
            page.dataset.now = Date.now();
            for (const age of arguments[0]) {
              page.append(document.createElement('p'), document.createElement('b'));
              page.querySelector('p:last-of-type').dataset.ago = Date.now() - age;
              page.querySelector('b:last-of-type').dataset.since = Date.now() - age;
            }
            document.body.replaceChildren(page);
            (0, eval)(arguments[1]);
            """;

    /** A server that accepts requests and does not answer until it goes on. */
    private static final String NO_ANSWER =
            """
            const real = fetch;
            fetch = (...request) => new Promise(end => { goOn = () => { fetch = real; end(real(...request)); }; });
            """;

    /** The next answers differ in the facts and in the step down that they offer. */
    private static final String OTHER_ANSWER =
            """
            const real = fetch;
            fetch = async (address, options) => {
              const answer = await real(address, { ...options, headers: {} });
              const text = (await answer.text())
                  .replaceAll('<dt>Cluster', '<dt>Other cluster')
                  .replace('<summary>Step down', '<summary>Other step down');
              return new Response(text, { headers: answer.headers });
            };
            """;

    /** What a user does to a page: opens, scrolls and selects. The focused link is among the facts. */
    private static final String USE =
            """
            document.querySelector('#dz-step-down').open = true;
            document.querySelector('#dz-explain a').focus();
            document.querySelector('#dz-explain a').marked = true;
            scrollTo(0, document.documentElement.scrollHeight);
            scrolledTo = scrollY;
            getSelection().selectAllChildren(document.querySelector('#dz-listening tbody th'));
            selected = getSelection().toString();
            """;

    private static final String USED =
            """
            const focused = document.activeElement;
            return [
                focused.textContent + (focused.marked ? ' as before' : ' replaced'),
                document.querySelector('#dz-step-down').open ? 'open' : 'closed',
                scrolledTo > 0 && scrollY === scrolledTo ? 'scrolled' : scrollY + ' instead of ' + scrolledTo,
                selected && getSelection().toString() === selected ? 'selected' : 'not selected'];
            """;

    private Containers containers;
    private ContainerProcess a;
    private ContainerProcess b;
    private ContainerProcess c;

    @BeforeAll
    void startCluster(@TempDir Path folder) throws Exception {
        containers = new Containers(folder);
        a = containers.start("one", "a");
        awaitOrder(List.of("a"), a);
        b = containers.start("two", "b");
        awaitOrder(List.of("a", "b"), a, b);
        c = containers.start("three", "c");
        awaitOrder(List.of("a", "b", "c"), a, b, c);
    }

    @AfterAll
    void stopCluster() {
        containers.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?show=history", "?show=tree", "/b"})
    void loadsWithoutComplaintsFromNowhereElse(String below, Browser browser) {
        TopologyPage page = new TopologyPage(browser, b).open(below);

        assertThat(page.text()).isNotBlank();
        assertThat(browser.complaints()).as("also of requests to other hosts").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?show=history", "?show=tree", "/b"})
    void isAccessible(String below, Browser browser) {
        new TopologyPage(browser, b).open(below);
        Stream.of(false, true).forEach(dark -> {
            browser.dark(dark);
            Accessibility.assertNoViolations(browser, below + (dark ? " in dark colours" : ""));
        });
        browser.desktop();
    }

    @Test
    void timesAreInTheZoneOfTheBrowser(Browser browser) {
        browser.zone("Asia/Tokyo");
        try {
            TopologyPage page = new TopologyPage(browser, b).open("?show=history");
            assertThat(page.text()).contains("All times are in the time zone Asia/Tokyo of this browser");
            assertThat(browser.script(SHOWN_AS_IN_TOKYO)).isEqualTo(true);
        } finally {
            browser.zone("");
        }
    }

    @ParameterizedTest
    @CsvSource({"'',overview", "?show=history,history", "?show=tree,tree", "/b,instance"})
    void fitsSmallScreens(String below, String name, Browser browser) {
        TopologyPage page = new TopologyPage(browser, b).open(below);
        browser.screenshot(name + "-light");
        browser.dark(true);
        browser.screenshot(name + "-dark");
        browser.phone();
        page.open(below);
        browser.screenshot(name + "-phone");
        page.assertFitsPhone();
        browser.desktop();
    }

    @Test
    void isGreyWhileTheServerDoesNotAnswer(Browser browser) {
        TopologyPage page = new TopologyPage(browser, b).open();
        assertThat(page.text()).contains("Live");
        browser.script(NO_ANSWER);
        Limit.untilAsserted(
                () -> assertThat(page.text()).contains("No answer for ").doesNotContain("Live"));
        assertThat(browser.has(".dz-old")).isTrue();
        browser.script("goOn()");
        Limit.untilAsserted(() -> assertThat(page.text()).contains("Live").doesNotContain("No answer"));
        assertThat(browser.has(".dz-old")).isFalse();
    }

    @Test
    void anUpdateReplacesWhatDiffersAndKeepsWhatTheUserDid(Browser browser) {
        TopologyPage page = new TopologyPage(browser, b).open("/b");
        browser.script(USE);
        browser.script(OTHER_ANSWER);
        Limit.untilAsserted(() -> assertThat(page.text()).contains("Other cluster", "Other step down", "Live"));
        assertThat(browser.script(USED)).isEqualTo(List.of("b replaced", "open", "scrolled", "selected"));
        assertThat(browser.complaints()).isEmpty();
    }

    /** The script writes elapsed times in the words of the server, so that an update does not change them. */
    @Test
    void elapsedTimesAreWrittenAsTheServerWritesThem(Browser browser) throws IOException {
        Path console = Path.of("")
                .toAbsolutePath()
                .resolveSibling("discovery-webconsole")
                .resolve("src");
        List<Long> ages = new ArrayList<>();
        List<String> relative = new ArrayList<>();
        List<String> elapsed = new ArrayList<>();
        for (String line : Files.readAllLines(console.resolve("test/resources/relative-times.csv"))) {
            if (!line.startsWith("#")) {
                String[] parts = line.split(", ");
                ages.add(Long.parseLong(parts[0]));
                relative.add("(" + parts[1] + ")");
                elapsed.add(parts[1].endsWith(" ago") ? parts[1].replace(" ago", "") : "0 s");
            }
        }
        browser.open(URI.create("about:blank"));
        browser.script(AGES, ages, Files.readString(console.resolve("main/resources/res/topology.js")));
        Limit.untilAsserted(() -> {
            assertThat(texts(browser, "p")).isEqualTo(relative);
            assertThat(texts(browser, "b")).isEqualTo(elapsed);
        });
    }

    private static Object texts(Browser browser, String selector) {
        return browser.script(
                "return Array.from(document.querySelectorAll(arguments[0]), each => each.textContent)", selector);
    }

    /** Each container is another origin, which answers pages of members only. */
    @Test
    void anInstanceSaysItselfWhetherItAgrees(Browser browser) throws Exception {
        new TopologyPage(browser, c).open();
        TopologyPage page = new TopologyPage(browser, b).open();
        browser.script("document.querySelector('.dz-members tr[data-id=c] button').click()");
        Limit.untilAsserted(() -> assertThat(browser.text(".dz-members tr[data-id=c] .dz-opinion"))
                .contains("agrees, for "));
        browser.script("document.querySelector('.dz-members tr[data-id=a] a[rel]').href = 'http://127.0.0.1:1/x'");
        browser.script("document.querySelector('.dz-members tr[data-id=a] button').click()");
        Limit.untilAsserted(() -> assertThat(browser.text(".dz-members tr[data-id=a] .dz-opinion"))
                .contains("no answer"));
        assertThat(browser.text(".dz-members tr[data-id=c] .dz-opinion")).contains("agrees, for ");
        assertThat(page.text()).contains("Live");
        // The browser complains that the port is closed.
        browser.complaints();
    }

    @Test
    void isUsedByKeyboardAlone(Browser browser) {
        new TopologyPage(browser, b).open();
        Keyboard keyboard = new Keyboard(browser);
        keyboard.follow("#dz-picture a[data-id=c]");
        assertThat(browser.text(TopologyPage.ROOT)).contains("Instance c");

        keyboard.follow("#dz-nav a[href$='show=history']");
        assertThat(browser.text("#dz-episodes")).contains("joined");
        keyboard.follow(".dz-lanes a[title=b]");
        assertThat(browser.text(TopologyPage.ROOT)).contains("Instance b");

        keyboard.follow("#dz-nav a[href$='show=tree']");
        keyboard.tabTo("#dz-tree li li summary");
        String details = "#dz-tree li li details:has(> summary:focus)";
        boolean open = browser.has(details + "[open]");
        browser.press(Keys.ENTER);
        assertThat(browser.has(details + "[open]")).isNotEqualTo(open);
    }
}
