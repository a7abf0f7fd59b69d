// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.ContainerProcess;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** The page of a container, as shown in a browser. */
public final class TopologyPage {

    /** Our part of the page; the frame around it belongs to the console. */
    static final String ROOT = "#discovery-topology";

    static final String STATUS = "#dz-status";
    static final String PICTURE = "#dz-picture";
    static final String NODE = PICTURE + " .dz-node";

    private final Browser browser;
    private final URI address;

    TopologyPage(Browser browser, ContainerProcess container) {
        this(browser, container.consoleUri());
    }

    /** Logs the browser in. */
    public TopologyPage(Browser browser, URI address) {
        this.browser = browser;
        this.address = address;
        browser.login(address);
    }

    /** Opens the overview. */
    public TopologyPage open() {
        return open("");
    }

    /** Opens a page below the overview. */
    TopologyPage open(String below) {
        browser.open(URI.create(address + below));
        return this;
    }

    /** Returns all text, including that of closed parts. */
    String content() {
        return (String) browser.script("return document.querySelector(arguments[0]).textContent", ROOT);
    }

    /** Returns the visible text. */
    public String text() {
        return browser.text(ROOT);
    }

    String status() {
        return browser.text(STATUS);
    }

    /** Returns the ids of the members of the view in the picture, in its order. */
    List<String> drawn() {
        return ids(PICTURE + " ol .dz-node");
    }

    /** Returns the ids of the instances with the crown in the picture. */
    List<String> crowned() {
        return ids(NODE + ":has(.dz-crowned:not(.dz-former))");
    }

    /** Returns the ids of the instances that are shown as members of a current view, visually and for screen readers. */
    List<String> drawnAsCurrent() {
        return ids(NODE + ".dz-good[data-state=SETTLED]");
    }

    /** Returns the state of each instance in the picture. */
    Map<String, String> drawnStates() {
        return states(NODE);
    }

    /** Returns the state of each instance in the table of the view. */
    Map<String, String> listedStates() {
        return states("#dz-instances tr[data-id]");
    }

    @SuppressWarnings("unchecked")
    private Map<String, String> states(String selector) {
        return (Map<String, String>) browser.script(
                "return Object.fromEntries(Array.from(document.querySelectorAll(arguments[0]),"
                        + " e => [e.dataset.id, e.dataset.state]))",
                selector);
    }

    /** Returns the answers of the banner. */
    String answers() {
        return browser.text("#dz-answers");
    }

    @SuppressWarnings("unchecked")
    private List<String> ids(String selector) {
        return (List<String>) browser.script(
                "return Array.from(document.querySelectorAll(arguments[0]), e => e.dataset.id)", selector);
    }

    public void awaitStatus(String... words) {
        Limit.untilAsserted(() -> assertThat(status()).contains(words));
    }

    public void awaitDrawn(List<String> ids) {
        Limit.untilAsserted(() -> assertThat(drawn()).isEqualTo(ids));
    }

    void awaitCrowned(String id) {
        Limit.untilAsserted(() -> assertThat(crowned()).containsExactly(id));
    }

    /** Checks that a phone lays out the whole page in its own width, with the frame of the console. */
    void assertFitsPhone() {
        assertThat((String) browser.script(
                        "return screen.width + ' ' + innerWidth + ' ' + document.querySelector(arguments[0]).scrollWidth",
                        ROOT))
                .as("width of the phone and of the layout")
                .startsWith("390 390 ");
        assertNothingStandsOut();
    }

    /** Checks that our part is not wider than the window, so that no horizontal scrolling is needed. */
    void assertNothingStandsOut() {
        assertThat((Boolean) browser.script(
                        "const root = document.querySelector(arguments[0]);"
                                + "return root.scrollWidth <= root.clientWidth && root.getBoundingClientRect().right <= innerWidth",
                        ROOT))
                .as("nothing is wider than the window on " + browser.address())
                .isTrue();
    }
}
