// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The page of an instance whose discovery service is not active: possible reasons, and what to do. */
final class InactivePage {
    private final PageWriter page;
    private final Html html;

    InactivePage(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write() throws IOException {
        String console = page.addresses().console();
        new StatusSection(page).writeInactive();
        html.element("h2", "Possible reasons, and what to do");
        html.element("ul", attr("class", "dz-list"), () -> {
            html.element("li", () -> {
                html.text("A discovery bundle is missing, stopped or not resolved. Look at ");
                html.element("a", attr("href", console + "/bundles"), "Bundles");
                html.text(" for names that begin with “Discovery” and start what is not active.");
            });
            html.element("li", () -> {
                html.text("Its configuration was not accepted. Look at ");
                html.element("a", attr("href", console + "/configMgr"), "Configuration");
                html.text(" and at the log, which names the setting and the reason.");
            });
            html.element("li", "The container is still starting or has begun to stop. Wait a moment and reload.");
        });
    }
}
