// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.io.Writer;
import org.apache.sling.discovery.webconsole.exchange.Response;
import org.apache.sling.discovery.webconsole.markup.Html;

/** An error without the frame of the console, which only pages have. */
public final class ErrorPage {

    private ErrorPage() {}

    public static void write(Response response, int status, String sentence) throws IOException {
        response.setStatus(status);
        Writer out = response.text("text/html;charset=utf-8");
        Html html = new Html(out);
        out.write("<!DOCTYPE html>");
        html.element("html", attr("lang", "en"), () -> {
            html.element("head", () -> html.element("title", "Topology"));
            html.element("body", () -> html.element("p", attr("id", "dz-refusal"), sentence));
        });
    }
}
