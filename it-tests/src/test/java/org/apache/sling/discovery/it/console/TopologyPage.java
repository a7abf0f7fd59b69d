// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.apache.sling.discovery.it.outside.Limit;
import org.apache.sling.discovery.launcher.ContainerProcess;

/** The page of a container, as a person sees it in a browser. */
final class TopologyPage {

    /** What is ours; the frame around it is the console's. */
    static final String ROOT = "#discovery-topology";

    static final String STATUS = "#dz-status";
    static final String PICTURE = "#dz-picture";
    static final String NODE = PICTURE + " .dz-node";

    private final Browser browser;
    private final URI address;

    TopologyPage(Browser browser, ContainerProcess container) {
        this(browser, container.consoleUri());
    }

    TopologyPage(Browser browser, URI address) {
        this.browser = browser;
        this.address = address;
        browser.login(address);
    }

    /** Opens the overview. */
    TopologyPage open() {
        return open("");
    }

    /** Opens a page below the overview. */
    TopologyPage open(String below) {
        browser.open(URI.create(address + below));
        return this;
    }

    /** All text, that in closed parts too. */
    String content() {
        return (String) browser.script("return document.querySelector(arguments[0]).textContent", ROOT);
    }

    /** The text that is seen. */
    String text() {
        return browser.text(ROOT);
    }

    String status() {
        return browser.text(STATUS);
    }

    /** The ids of the instances in the picture, in its order. */
    List<String> drawn() {
        return ids(NODE);
    }

    /** The ids of the instances that wear the crown in the picture. */
    List<String> crowned() {
        return ids(NODE + "[data-role=leader]");
    }

    /** The ids of the instances that are drawn as members of a view that is current, for the eye and for who hears the page. */
    List<String> drawnAsCurrent() {
        return ids(NODE + ".dz-good:not([aria-label$='not current'])");
    }

    @SuppressWarnings("unchecked")
    private List<String> ids(String selector) {
        return (List<String>) browser.script(
                "return Array.from(document.querySelectorAll(arguments[0]), e => e.dataset.id)", selector);
    }

    void awaitStatus(String... words) {
        Limit.untilAsserted(() -> assertThat(status()).contains(words));
    }

    void awaitDrawn(List<String> ids) {
        Limit.untilAsserted(() -> assertThat(drawn()).isEqualTo(ids));
    }

    /** Nothing of ours is wider than the window, so that nobody has to scroll sideways. */
    void assertNothingStandsOut() {
        assertThat((Boolean) browser.script(
                        "const root = document.querySelector(arguments[0]);"
                                + "return root.scrollWidth <= root.clientWidth && root.getBoundingClientRect().right <= innerWidth",
                        ROOT))
                .as("nothing is wider than the window on " + browser.address())
                .isTrue();
    }
}
