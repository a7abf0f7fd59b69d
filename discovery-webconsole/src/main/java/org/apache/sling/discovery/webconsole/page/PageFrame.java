// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.content.Line.line;
import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import org.apache.sling.discovery.webconsole.content.Span.Form;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The parts around the content of each page: navigation, message, footer and scripts. */
final class PageFrame {
    private final PageWriter page;
    private final Html html;
    private final Kind kind;
    private final PageContext context;

    PageFrame(PageWriter page, Kind kind, PageContext context) {
        this.page = page;
        this.html = page.html();
        this.kind = kind;
        this.context = context;
    }

    /**
     * Writes a page.
     *
     * @param title what the tab of the browser shows before the title of the console
     */
    void write(String title, Runnable content) {
        html.element("div", attr("class", "dz"), () -> {
                    writeRoot(title, content);
                    script("lib/idiomorph-0.7.4.js");
                    script("page.js");
                    script("topology.js");
                })
                .line();
    }

    /** Writes the root element only, which is all that changes while a page is open. */
    void writeRoot(String title, Runnable content) {
        html.element("div", root(title), () -> {
                    html.line();
                    navigation();
                    message();
                    content.run();
                    footer();
                })
                .line();
    }

    private Attributes root(String title) {
        return attr("id", "discovery-topology")
                .and("data-title", title + " – Topology")
                .and("data-page", kind.word)
                .and("data-now", page.times().nowMillis())
                .and("data-live", String.valueOf(kind.live))
                .and("data-content", page.addresses().content());
    }

    private void navigation() {
        Addresses addresses = page.addresses();
        html.element("nav", attr("id", "dz-nav").and("aria-label", "Topology"), () -> {
                    entry("Topology", addresses.overview(), kind == Kind.OVERVIEW);
                    entry("Explanation", addresses.explanation(), false);
                    entry("History", addresses.history(), kind == Kind.HISTORY);
                    entry("Store", addresses.tree(), kind == Kind.TREE);
                    html.element("span", attr("id", "dz-live"), "");
                })
                .line();
    }

    private void entry(String text, String address, boolean isCurrent) {
        html.element("a", attr("href", address).andIf(isCurrent, "aria-current", "page"), text);
    }

    private void message() {
        Attributes attributes =
                attr("id", "dz-notice").and("class", "dz-notice").and("role", "status");
        context.message().ifPresent(message -> html.element("p", attributes, () -> html.foreign(message))
                .line());
    }

    private void footer() {
        Times times = page.times();
        if (times.nowMillis() > 0) {
            html.element("p", attr("class", "dz-footer"), () -> {
                        page.line(line().text("As of ")
                                .time(times.nowMillis(), Form.MOMENT)
                                .text(". All times are in the time zone "));
                        html.element("span", attr("class", "dz-zone"), times.zone() + " of the server");
                        html.text(".");
                    })
                    .line();
        }
    }

    /** Writes a link to the page that lists what a page shows alone. */
    static void back(PageWriter page, String address, String text) {
        page.html().paragraph("dz-back", () -> page.html().link(address, text));
    }

    private void script(String name) {
        html.element("script", attr("src", page.addresses().resource(name)).and("defer", ""), "")
                .line();
    }

    /** The pages. */
    enum Kind {
        OVERVIEW("overview", true),
        INSTANCE("instance", true),
        HISTORY("history", true),
        /** Never refreshed by the script, because each refresh would read the store. */
        TREE("tree", false),
        INACTIVE("inactive", true),
        /** Nothing in it changes. */
        INVALID("invalid", false);

        private final String word;
        private final boolean live;

        Kind(String word, boolean live) {
            this.word = word;
            this.live = live;
        }
    }
}
