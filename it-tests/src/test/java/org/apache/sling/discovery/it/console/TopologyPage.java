// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;

import java.net.URI;
import java.util.List;
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

    String text() {
        return browser.text(ROOT);
    }

    String status() {
        return browser.text(STATUS);
    }

    /** The ids of the instances in the picture, in its order. */
    @SuppressWarnings("unchecked")
    List<String> drawn() {
        return (List<String>)
                browser.script("return Array.from(document.querySelectorAll(arguments[0]), e => e.dataset.id)", NODE);
    }

    /** The ids of the instances that wear the crown in the picture. */
    @SuppressWarnings("unchecked")
    List<String> crowned() {
        return (List<String>) browser.script(
                "return Array.from(document.querySelectorAll(arguments[0]), e => e)"
                        + ".filter(e => /leader/.test(e.dataset.role)).map(e => e.dataset.id)",
                NODE);
    }

    void awaitStatus(String... words) {
        awaitThat("the status " + List.of(words), () -> {
            String status = status();
            return List.of(words).stream().allMatch(status::contains);
        });
    }

    void awaitDrawn(String... ids) {
        awaitThat("a picture of " + List.of(ids), () -> drawn().equals(List.of(ids)));
    }
}
