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
 * Buffers each page until it is complete, and sends it with its content security policy. The filter belongs to the
 * context of the console, so it receives authenticated requests only.
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

    /** Buffers text. Bytes are a resource, and are sent at once. */
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
