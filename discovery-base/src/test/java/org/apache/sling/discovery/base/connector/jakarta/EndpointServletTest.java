// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.jakarta;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorReply;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorRequest;
import org.apache.sling.discovery.base.connector.endpoint.Whiteboard;
import org.junit.jupiter.api.Test;

class EndpointServletTest {

    private final List<String> sent = new ArrayList<>();
    private final List<Optional<String>> offeredAt = new ArrayList<>();

    private EndpointServlet servlet(Function<ConnectorRequest, ConnectorReply> endpoint) {
        return new EndpointServlet(new Whiteboard.Endpoint(endpoint, offeredAt::add), "/alias");
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    private static HttpServletRequest request() {
        return proxy(HttpServletRequest.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getMethod" -> "PUT";
            case "getRequestURI" -> "/app/a%20b";
            case "getPathInfo" -> "/a b";
            case "getHeader" -> arguments[0].equals("Accept-Encoding") ? "gzip" : null;
            case "getContentLengthLong" -> 5_000_000_000L;
            case "getInputStream" -> input("body");
            case "getRemoteAddr" -> "127.0.0.1";
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    /** A call that is not allowed fails. */
    private HttpServletResponse response() {
        return proxy(HttpServletResponse.class, (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "setStatus", "setContentLength" -> sent.add(method.getName() + " " + arguments[0]);
                case "setHeader" -> sent.add(arguments[0] + ": " + arguments[1]);
                case "getOutputStream" -> {
                    return output();
                }
                default -> throw new UnsupportedOperationException(method.toString());
            }
            return null;
        });
    }

    private static ServletInputStream input(String text) {
        InputStream bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        return new ServletInputStream() {
            @Override
            public int read() throws IOException {
                return bytes.read();
            }

            @Override
            public boolean isFinished() {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean isReady() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void setReadListener(ReadListener listener) {
                throw new UnsupportedOperationException();
            }
        };
    }

    private ServletOutputStream output() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        return new ServletOutputStream() {
            @Override
            public void write(int value) {
                bytes.write(value);
            }

            @Override
            public void write(byte[] all, int from, int length) {
                bytes.write(all, from, length);
                sent.add("body " + bytes.toString(StandardCharsets.UTF_8));
            }

            @Override
            public boolean isReady() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException();
            }
        };
    }

    private static String text(ConnectorRequest request) {
        try {
            return new String(request.body().open().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theEndpointSeesTheRequestAndThePeerTheReply() throws Exception {
        servlet(request -> {
                    assertThat(request.method()).isEqualTo("PUT");
                    assertThat(request.requestUri()).isEqualTo("/app/a%20b");
                    assertThat(request.pathInfo()).isEqualTo("/a b");
                    assertThat(request.headers().apply("Accept-Encoding")).contains("gzip");
                    assertThat(request.headers().apply("Content-Type")).isEmpty();
                    assertThat(request.contentLength()).isEqualTo(5_000_000_000L);
                    assertThat(text(request)).isEqualTo("body");
                    assertThat(request.remoteAddress()).isEqualTo("127.0.0.1");
                    return new ConnectorReply(200, Map.of("X-A", "b"), "gréßt".getBytes(StandardCharsets.UTF_8));
                })
                .service(request(), response());
        assertThat(sent).containsExactly("setStatus 200", "X-A: b", "setContentLength 7", "body gréßt");
    }

    @Test
    void thePathIsThatOfContextAndServlet() throws Exception {
        EndpointServlet servlet = servlet(request -> ConnectorReply.of(200));
        servlet.init(config("/app"));
        servlet.destroy();
        assertThat(offeredAt).containsExactly(Optional.of("/app/alias"), Optional.empty());
    }

    private static ServletConfig config(String path) {
        ServletContext context = proxy(ServletContext.class, (proxy, method, arguments) -> {
            assertThat(method.getName()).isEqualTo("getContextPath");
            return path;
        });
        return proxy(ServletConfig.class, (proxy, method, arguments) -> {
            assertThat(method.getName()).isEqualTo("getServletContext");
            return context;
        });
    }
}
