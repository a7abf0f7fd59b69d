// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.sling.discovery.webconsole.markup.Html;

/** An error without the frame of the console, which only pages have. */
public final class ErrorPage {

    private ErrorPage() {}

    public static void write(HttpServletResponse response, int status, String sentence) throws IOException {
        response.setStatus(status);
        response.setContentType("text/html;charset=utf-8");
        Html html = new Html(response.getWriter());
        response.getWriter().write("<!DOCTYPE html>");
        html.element("html", attr("lang", "en"), () -> {
            html.element("head", () -> html.element("title", "Topology"));
            html.element("body", () -> html.element("p", attr("id", "dz-refusal"), sentence));
        });
    }
}
