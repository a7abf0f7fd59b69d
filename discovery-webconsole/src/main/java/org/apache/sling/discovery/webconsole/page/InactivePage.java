// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** What to do when the discovery service is not there. */
final class InactivePage {
    private final PageWriter sheet;
    private final Html html;

    InactivePage(PageWriter sheet) {
        this.sheet = sheet;
        this.html = sheet.html();
    }

    void write() throws IOException {
        String console = sheet.at().console();
        new StatusSection(sheet).inactive();
        html.element("h2", "Why that may be, and what to do");
        html.open("ul", "class", "dz-list");
        html.open("li").text("A discovery bundle is missing, stopped or not resolved. Look at ");
        html.element("a", "Bundles", "href", console + "/bundles");
        html.text(" for names that begin with “Discovery” and start what is not active.")
                .close();
        html.open("li").text("Its configuration was not accepted. Look at ");
        html.element("a", "Configuration", "href", console + "/configMgr");
        html.text(" and at the log, which names the setting and the reason.").close();
        html.open("li").text("The container is still starting or has begun to stop. Wait a moment and reload.");
        html.close().close();
    }
}
