// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import java.util.Optional;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** What stands around the content of each page. */
final class PageFrame {
    private final PageWriter sheet;
    private final Html html;
    private final Kind kind;
    private final Optional<String> notice;

    /**
     * @param kind which page
     * @param notice what an action has led to, to be shown on top
     */
    PageFrame(PageWriter sheet, Kind kind, Optional<String> notice) {
        this.sheet = sheet;
        this.html = sheet.html();
        this.kind = kind;
        this.notice = notice;
    }

    void begin(long revision) throws IOException {
        html.open("div", "class", "dz");
        html.open(
                        "div",
                        "id",
                        "discovery-topology",
                        "data-page",
                        kind.word,
                        "data-revision",
                        String.valueOf(revision),
                        "data-now",
                        String.valueOf(sheet.times().nowMillis()),
                        "data-live",
                        String.valueOf(kind.live),
                        "data-events",
                        sheet.at().events())
                .line();
        navigation();
        if (notice.isPresent()) {
            html.open("p", "id", "dz-notice", "class", "dz-notice", "role", "status");
            html.foreign(notice.get()).close().line();
        }
    }

    void end() throws IOException {
        Times times = sheet.times();
        if (times.nowMillis() > 0) {
            html.open("p", "class", "dz-footer").text("As of " + times.absolute(times.nowMillis()) + ".");
            html.close().line();
        }
        html.close().line();
        script("lib/idiomorph-0.7.4.js");
        script("topology.js");
        html.close().line();
    }

    private void navigation() throws IOException {
        Addresses at = sheet.at();
        html.open("nav", "id", "dz-nav", "aria-label", "Topology");
        entry("Topology", at.overview(), kind == Kind.OVERVIEW);
        entry("Explanation", at.explanation(), false);
        entry("History", at.history(), kind == Kind.HISTORY);
        entry("Store", at.tree(), kind == Kind.TREE);
        html.element("span", "", "id", "dz-live");
        html.close().line();
    }

    private void entry(String text, String address, boolean here) throws IOException {
        if (here) {
            html.element("a", text, "href", address, "aria-current", "page");
        } else {
            html.element("a", text, "href", address);
        }
    }

    private void script(String name) throws IOException {
        html.element("script", "", "src", sheet.at().resource(name), "defer", "")
                .line();
    }

    /** The pages. */
    enum Kind {
        OVERVIEW("overview", true),
        INSTANCE("instance", true),
        HISTORY("history", true),
        /** Shows a reading that was asked for; another one costs requests. */
        TREE("tree", false),
        INACTIVE("inactive", true);

        private final String word;
        private final boolean live;

        Kind(String word, boolean live) {
            this.word = word;
            this.live = live;
        }
    }
}
