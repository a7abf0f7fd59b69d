// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;

/** The answer to a request with an invalid parameter: which one, why, and a valid example. */
final class InvalidPage {
    private final PageWriter page;
    private final Html html;

    InvalidPage(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write(InvalidParameter problem) throws IOException {
        html.element("h2", attr("class", "dz-title"), "This address is not valid");
        html.element(
                "p", attr("class", "dz-stale-view").and("role", "alert"), () -> html.foreign(problem.getMessage()));
        page.facts(() -> {
            page.fact("Parameter", problem.parameter());
            page.fact("Value", problem.value());
            page.fact("A valid example", problem.example());
        });
        html.element("p", () -> html.element("a", attr("href", page.addresses().overview()), "‹ Topology"));
    }
}
