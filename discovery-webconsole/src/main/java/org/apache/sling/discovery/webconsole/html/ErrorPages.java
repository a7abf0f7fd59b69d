// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.html;

import static org.apache.sling.discovery.webconsole.content.Line.line;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.webconsole.content.Section;
import org.apache.sling.discovery.webconsole.content.Span.Style;
import org.apache.sling.discovery.webconsole.html.Page.Kind;

/** The page that shows no topology. */
public final class ErrorPages {
    private ErrorPages() {}

    /** Returns possible reasons why the discovery service is not active, and what to do. */
    public static Page inactive() {
        Section.Items reasons = new Section.Items(List.of(
                line().text("A discovery bundle is missing, stopped or not resolved. Look at ")
                        .link("/bundles", "Bundles")
                        .text(" for names that begin with “Discovery” and start what is not active."),
                line().text("Its configuration was not accepted. Look at ")
                        .link("/configMgr", "Configuration")
                        .text(" and at the log, which names the setting and the reason."),
                line().text("The container is still starting or has begun to stop. Wait a moment and reload.")));
        return new Page(
                Kind.INACTIVE,
                200,
                Optional.empty(),
                List.of(
                        new Section.Title(line().text("The discovery service is not active")),
                        new Section.Paragraph(
                                Style.SENTENCE, line().text("There is no topology to show on this instance.")),
                        new Section("dz-reasons", "Possible reasons, and what to do", List.of(reasons))));
    }
}
