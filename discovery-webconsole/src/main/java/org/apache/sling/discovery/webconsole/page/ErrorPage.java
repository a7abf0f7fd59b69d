// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.sling.discovery.webconsole.markup.Html;

/** An answer without the console's frame: only requests for pages get that. */
public final class ErrorPage {

    private ErrorPage() {}

    public static void write(HttpServletResponse response, int status, String sentence) throws IOException {
        response.setStatus(status);
        response.setContentType("text/html;charset=utf-8");
        Html html = new Html(response.getWriter());
        response.getWriter().write("<!DOCTYPE html>");
        html.open("html", "lang", "en").open("head");
        html.element("title", "Topology").close().open("body");
        html.open("p", "id", "dz-refusal").text(sentence).close();
        html.close().close();
    }
}
