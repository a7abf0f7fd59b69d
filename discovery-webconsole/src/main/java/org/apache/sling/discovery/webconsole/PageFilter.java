// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.security.ContentPolicy;
import org.apache.sling.discovery.webconsole.security.SecurityHeaders;
import org.osgi.service.component.annotations.Component;

/**
 * Holds our pages back until they are complete, and sends them with the policy that belongs to them. It stands in the console's
 * context, so it sees only requests that the console lets in.
 */
@Component(
        service = Filter.class,
        property = {
            "osgi.http.whiteboard.filter.pattern=/" + Addresses.LABEL,
            "osgi.http.whiteboard.filter.pattern=/" + Addresses.LABEL + "/*",
            ConsoleContext.SELECT
        })
public final class PageFilter implements Filter {
    private static final String POLICY = "Content-Security-Policy";

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletResponse http = (HttpServletResponse) response;
        setHeaders(http);
        BufferedResponse buffered = new BufferedResponse(http);
        chain.doFilter(request, buffered);
        buffered.send();
    }

    private static void setHeaders(HttpServletResponse response) {
        SecurityHeaders.set(response);
        response.setHeader(POLICY, ContentPolicy.of(""));
    }

    /** Keeps what is written as text; what is written as bytes is a resource and goes its way. */
    private static final class BufferedResponse extends HttpServletResponseWrapper {
        private final HttpServletResponse response;
        private final StringWriter page = new StringWriter();
        private PrintWriter writer;

        BufferedResponse(HttpServletResponse response) {
            super(response);
            this.response = response;
        }

        @Override
        public PrintWriter getWriter() {
            if (writer == null) {
                writer = new PrintWriter(page);
            }
            return writer;
        }

        @Override
        public void flushBuffer() throws IOException {
            if (writer == null) {
                super.flushBuffer();
            }
        }

        @Override
        public void resetBuffer() {
            super.resetBuffer();
            page.getBuffer().setLength(0);
        }

        @Override
        public void reset() {
            super.reset();
            page.getBuffer().setLength(0);
            setHeaders(response);
        }

        void send() throws IOException {
            if (writer == null || response.isCommitted()) {
                return;
            }
            writer.flush();
            String text = page.toString();
            response.setHeader(POLICY, ContentPolicy.of(text));
            response.getWriter().write(text);
        }
    }
}
