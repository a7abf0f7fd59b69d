// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.it.outside.Limit;
import org.junit.jupiter.api.Test;

/** The script of the page writes elapsed times in the words of the server, so that an update does not change them. */
@InBrowser
class ElapsedTimeIT {

    private static final Path CONSOLE =
            Path.of("").toAbsolutePath().resolveSibling("discovery-webconsole").resolve("src");

    /** Its clock stands still. */
    private static final String PAGE =
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

    @Test
    void isWrittenAsTheServerWritesIt(Browser browser) throws IOException {
        List<Long> ages = new ArrayList<>();
        List<String> relative = new ArrayList<>();
        List<String> elapsed = new ArrayList<>();
        for (String line : Files.readAllLines(CONSOLE.resolve("test/resources/relative-times.csv"))) {
            if (!line.startsWith("#")) {
                String[] parts = line.split(", ");
                ages.add(Long.parseLong(parts[0]));
                relative.add("(" + parts[1] + ")");
                elapsed.add(parts[1].endsWith(" ago") ? parts[1].replace(" ago", "") : "0 s");
            }
        }
        browser.open(URI.create("about:blank"));
        browser.script(PAGE, ages, Files.readString(CONSOLE.resolve("main/resources/res/topology.js")));

        Limit.untilAsserted(() -> {
            assertThat(texts(browser, "p")).isEqualTo(relative);
            assertThat(texts(browser, "b")).isEqualTo(elapsed);
        });
    }

    private static Object texts(Browser browser, String selector) {
        return browser.script(
                "return Array.from(document.querySelectorAll(arguments[0]), each => each.textContent)", selector);
    }
}
