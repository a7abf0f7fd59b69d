// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.jakarta;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.sling.discovery.webconsole.exchange.Handler;
import org.apache.sling.discovery.webconsole.markup.Addresses;

/**
 * Answers the requests for server-sent events. This servlet is apart from the plugin because the servlet of most
 * consoles does not support asynchronous answers. It belongs to the context of the console, so it receives
 * authenticated requests only.
 */
final class EventServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Handler handler;

    EventServlet(Handler handler) {
        this.handler = handler;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        handler.answer(new HttpRequest(request, Addresses.EVENTS), new HttpResponse(request, response));
    }
}
