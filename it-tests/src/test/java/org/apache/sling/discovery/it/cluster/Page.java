// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import java.net.URI;
import java.net.http.HttpClient;
import org.apache.sling.discovery.it.console.Visitor;
import org.apache.sling.discovery.launcher.ContainerProcess;

/** The page of a container, as a browser gets it. */
final class Page {

    private static final Visitor USER = new Visitor(HttpClient.newHttpClient(), true);

    private Page() {}

    static String of(ContainerProcess container) throws Exception {
        return get(container.consoleUri());
    }

    /** Returns its text, without markup. */
    static String text(ContainerProcess container) throws Exception {
        return text(of(container));
    }

    /** Returns the text of the page with the history. */
    static String history(ContainerProcess container) throws Exception {
        return text(get(URI.create(container.consoleUri() + "?show=history")));
    }

    /** Returns the JSON document. */
    static String json(ContainerProcess container) throws Exception {
        return get(URI.create(container.consoleUri() + ".json"));
    }

    private static String text(String page) {
        return page.replaceAll("<[^>]*>", "");
    }

    /** Returns what is at an address of a console. */
    static String get(URI uri) throws Exception {
        return USER.page(uri);
    }
}
