// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The programs of a browser. They must be installed: tests download nothing.
 *
 * @param browser the browser itself
 * @param driver the driver
 */
record BrowserPrograms(Path browser, Path driver) {

    static final String MISSING = "no Chromium with its chromedriver was found on the PATH, so no page was tested;"
            + " install them with \"apt-get install chromium chromium-driver\", or name them with"
            + " -Ddiscovery.test.browser= and -Ddiscovery.test.chromedriver=";

    /** Searches the named paths and the PATH. */
    static Optional<BrowserPrograms> find() {
        return find("discovery.test.browser", "chromium", "chromium-browser", "google-chrome")
                .flatMap(browser -> find("discovery.test.chromedriver", "chromedriver")
                        .map(driver -> new BrowserPrograms(browser, driver)));
    }

    private static Optional<Path> find(String property, String... names) {
        String named = System.getProperty(property, "");
        Stream<Path> places = named.isEmpty()
                ? Stream.of(names)
                        .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                                .map(folder -> Path.of(folder, name)))
                : Stream.of(Path.of(named));
        return places.filter(Files::isExecutable).findFirst();
    }
}
