// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.javax;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorReply;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorRequest;

/** The endpoint of connectors as a servlet. It says at which path the container offers it. */
final class EndpointServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Function<ConnectorRequest, ConnectorReply> endpoint;
    private final transient Consumer<Optional<String>> offeredAt;
    private final String pathInContext;

    /**
     * Makes one.
     *
     * @param endpoint replies to requests
     * @param offeredAt is told the path when the container begins to offer the servlet, and nothing when it ends
     * @param pathInContext the path of the servlet below that of its context
     */
    EndpointServlet(
            Function<ConnectorRequest, ConnectorReply> endpoint,
            Consumer<Optional<String>> offeredAt,
            String pathInContext) {
        this.endpoint = endpoint;
        this.offeredAt = offeredAt;
        this.pathInContext = pathInContext;
    }

    @Override
    public void init() {
        offeredAt.accept(Optional.of(getServletContext().getContextPath() + pathInContext));
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ConnectorReply reply = endpoint.apply(new HttpRequest(request));
        response.setStatus(reply.status());
        reply.headers().forEach(response::setHeader);
        response.setContentLength(reply.body().length);
        response.getOutputStream().write(reply.body());
    }

    @Override
    public void destroy() {
        offeredAt.accept(Optional.empty());
    }
}
