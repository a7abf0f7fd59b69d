// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.jakarta;

import io.github.discoveryzk.connectors.endpoint.ConnectorReply;
import io.github.discoveryzk.connectors.endpoint.ConnectorRequest;
import io.github.discoveryzk.connectors.endpoint.Whiteboard;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.osgi.service.servlet.context.ServletContextHelper;

/** The endpoint of connectors as a servlet. It says at which path the container offers it. */
public final class EndpointServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Whiteboard whiteboard;

    EndpointServlet(Whiteboard whiteboard) {
        this.whiteboard = whiteboard;
    }

    /** Registers the services by which a container finds the endpoint, and returns what unregisters them. */
    public static Runnable register(Whiteboard whiteboard) {
        return whiteboard.register(
                // The default of a context: no authentication. The endpoint decides about trust.
                ServletContextHelper.class,
                new ServletContextHelper() {},
                Servlet.class,
                new EndpointServlet(whiteboard));
    }

    @Override
    public void init() {
        whiteboard.offeredAt().accept(Optional.of(getServletContext().getContextPath()));
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ConnectorReply reply = whiteboard
                .answer()
                .apply(new ConnectorRequest(
                        request.getMethod(),
                        request.getRequestURI(),
                        request.getPathInfo(),
                        name -> Optional.ofNullable(request.getHeader(name)),
                        request.getContentLengthLong(),
                        request::getInputStream,
                        request.getRemoteAddr()));
        response.setStatus(reply.status());
        reply.headers().forEach(response::setHeader);
        response.setContentLength(reply.body().length);
        response.getOutputStream().write(reply.body());
    }

    @Override
    public void destroy() {
        whiteboard.offeredAt().accept(Optional.empty());
    }
}
