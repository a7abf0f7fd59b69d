// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageFilterTest {
    private final Map<String, String> headers = new HashMap<>();
    private final StringWriter text = new StringWriter();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean committed;

    @Test
    void aPageIsSentWithThePolicyThatBelongsToIt() throws Exception {
        String page = "<script>alert(1)</script><div id=\"discovery-topology\"></div>";
        new PageFilter().doFilter(null, response(), (request, response) -> {
            response.getWriter().write(page);
            response.flushBuffer();
            assertThat(text.toString()).as("sent before it is complete").isEmpty();
        });
        assertThat(text).hasToString(page);
        assertThat(headers)
                .containsEntry("Content-Security-Policy", ContentPolicy.of(page))
                .containsEntry("X-Content-Type-Options", "nosniff")
                .containsEntry("Referrer-Policy", "no-referrer")
                .containsEntry("Cache-Control", "no-store");
    }

    @Test
    void aResourceGoesItsWay() throws Exception {
        new PageFilter().doFilter(null, response(), (request, response) -> response.getOutputStream()
                .write("body{}".getBytes(StandardCharsets.UTF_8)));
        assertThat(bytes).hasToString("body{}");
        assertThat(headers).containsEntry("Content-Security-Policy", ContentPolicy.of(""));
    }

    @Test
    void whatIsSentAlreadyIsLeftAlone() throws Exception {
        new PageFilter().doFilter(null, response(), (request, response) -> {
            response.getWriter().write("of an error that was sent in the meantime");
            committed = true;
        });
        assertThat(text.toString()).isEmpty();
    }

    private HttpServletResponse response() {
        return (HttpServletResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HttpServletResponse.class}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "setHeader" -> headers.put((String) arguments[0], (String) arguments[1]);
                        case "getWriter" -> {
                            return new PrintWriter(text, true);
                        }
                        case "getOutputStream" -> {
                            return stream();
                        }
                        case "isCommitted" -> {
                            return committed;
                        }
                        case "flushBuffer" -> committed = true;
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return null;
                });
    }

    private ServletOutputStream stream() {
        return new ServletOutputStream() {
            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void write(int b) {
                bytes.write(b);
            }
        };
    }
}
