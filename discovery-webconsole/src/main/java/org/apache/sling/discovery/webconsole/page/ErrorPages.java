// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.content.Line.line;
import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.List;
import org.apache.sling.discovery.webconsole.content.Fact;
import org.apache.sling.discovery.webconsole.format.Look;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;

/** The pages that show no topology: each says why, and what to do. */
public final class ErrorPages {
    private ErrorPages() {}

    /** Returns an error without the frame of the console, which only pages have. */
    public static String bare(String sentence) {
        Html html = new Html();
        html.element("html", attr("lang", "en"), () -> {
            html.element("head", () -> html.element("title", "Topology"));
            html.element("body", () -> html.element("p", attr("id", "dz-refusal"), sentence));
        });
        return "<!DOCTYPE html>" + html;
    }

    /** Writes which parameter is invalid, why, and a valid example. */
    static void invalid(PageWriter page, InvalidParameter problem) {
        Html html = page.html();
        html.element("h2", attr("class", "dz-title"), "This address is not valid");
        html.element(
                "p", attr("class", "dz-stale-view").and("role", "alert"), () -> html.foreign(problem.getMessage()));
        page.facts(
                Attributes.NONE,
                List.of(
                        Fact.of("Parameter", problem.parameter()),
                        Fact.of("Value", problem.value()),
                        Fact.of("A valid example", problem.example())));
        html.element("p", () -> html.link(page.addresses().overview(), "‹ Topology"));
    }

    /** Writes possible reasons why the discovery service is not active, and what to do. */
    static void inactive(PageWriter page) {
        Html html = page.html();
        String console = page.addresses().console();
        OverviewPage.banner(
                page,
                Look.INACTIVE,
                "INACTIVE",
                () -> {
                    OverviewPage.stateLine(page, Look.INACTIVE, line());
                    html.element(
                            "p",
                            attr("class", "dz-sentence"),
                            "The discovery service is not active on this instance, so there is no topology to show.");
                },
                () -> {});
        html.element("h2", "Possible reasons, and what to do");
        html.element("ul", attr("class", "dz-list"), () -> {
            html.element("li", () -> {
                html.text("A discovery bundle is missing, stopped or not resolved. Look at ");
                html.link(console + "/bundles", "Bundles");
                html.text(" for names that begin with “Discovery” and start what is not active.");
            });
            html.element("li", () -> {
                html.text("Its configuration was not accepted. Look at ");
                html.link(console + "/configMgr", "Configuration");
                html.text(" and at the log, which names the setting and the reason.");
            });
            html.element("li", "The container is still starting or has begun to stop. Wait a moment and reload.");
        });
    }
}
