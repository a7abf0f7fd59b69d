// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.webconsole.live.EventStream;
import org.apache.sling.discovery.webconsole.live.EventStreams;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.security.SecurityHeaders;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Sends the current revision to open pages as server-sent events. This servlet is apart from the plugin because the
 * servlet of the console does not support asynchronous answers. It belongs to the context of the console, so it
 * receives authenticated requests only.
 */
@Component(
        service = Servlet.class,
        property = {
            "osgi.http.whiteboard.servlet.pattern=" + Addresses.EVENTS,
            "osgi.http.whiteboard.servlet.asyncSupported:Boolean=true",
            ConsoleContext.SELECT
        })
public final class RevisionEventServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient EventStreams streams = new EventStreams();

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindReporter(Reporter reporter) {
        streams.setReporter(reporter);
    }

    void updatedReporter(Reporter reporter) {
        // The service is the same; its properties are not used here.
    }

    void unbindReporter(Reporter reporter) {
        streams.removeReporter(reporter);
    }

    @Deactivate
    void deactivate() {
        streams.close();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        SecurityHeaders.set(response);
        if (!"GET".equals(request.getMethod())) {
            response.setHeader("Allow", "GET");
            response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        } else if (!streams.hasRoom()) {
            response.setHeader("Retry-After", "60");
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        } else {
            openStream(request, response);
        }
    }

    private void openStream(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/event-stream;charset=utf-8");
        // Without this header nginx buffers the answer.
        response.setHeader("X-Accel-Buffering", "no");
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(0);
        EventStream stream = new EventStream(async, response.getOutputStream(), streams::remove);
        streams.add(stream);
        stream.start(streams.currentRevision());
    }
}
