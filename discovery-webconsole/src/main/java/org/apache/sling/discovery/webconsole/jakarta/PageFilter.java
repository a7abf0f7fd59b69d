// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.jakarta;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.util.Optional;
import org.apache.sling.discovery.webconsole.exchange.Body;
import org.apache.sling.discovery.webconsole.markup.PageHead;
import org.apache.sling.discovery.webconsole.security.ContentPolicy;
import org.apache.sling.discovery.webconsole.security.SecurityHeaders;

/**
 * Buffers each page until it is complete, and sends it with its content security policy. The context of an HTTP service
 * may contain other servlets than the console, so requests that no console has authenticated pass unchanged.
 */
final class PageFilter implements Filter {
    /** The attribute that the console sets when it has authenticated a request. */
    private static final String USER = "org.apache.felix.webconsole.User";

    private static final String POLICY = "Content-Security-Policy";

    @Override
    public void init(FilterConfig config) {
        // There is nothing to configure.
    }

    @Override
    public void destroy() {
        // There is nothing to release.
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getAttribute(USER) == null) {
            chain.doFilter(request, response);
            return;
        }
        HttpServletResponse http = (HttpServletResponse) response;
        setHeaders(http);
        BufferedResponse buffered = new BufferedResponse(http);
        chain.doFilter(request, buffered);
        buffered.send((HttpServletRequest) request);
    }

    private static void setHeaders(HttpServletResponse response) {
        SecurityHeaders.set(response::setHeader);
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

        void send(HttpServletRequest request) throws IOException {
            if (writer == null || response.isCommitted()) {
                return;
            }
            writer.flush();
            String text = PageHead.complete(page.toString());
            response.setHeader(POLICY, ContentPolicy.of(text));
            Body.of(
                            response.getContentType(),
                            text.getBytes(Charset.forName(response.getCharacterEncoding())),
                            Optional.empty())
                    .send(new HttpRequest(request, ""), new HttpResponse(request, response));
        }
    }
}
