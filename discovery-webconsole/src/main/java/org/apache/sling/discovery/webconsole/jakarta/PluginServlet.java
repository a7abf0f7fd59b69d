// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.jakarta;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.apache.sling.discovery.webconsole.exchange.Handler;

/** The plugin of the console. The console adds its frame to pages. */
final class PluginServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Handler handler;

    PluginServlet(Handler handler) {
        this.handler = handler;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        handler.answer(
                new HttpRequest(request, Objects.requireNonNullElse(request.getPathInfo(), "")),
                new HttpResponse(response));
    }
}
