// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.connectors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sling.discovery.base.DiscoveryInstance;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorReply;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorRequest;

/** Offers the endpoint of connectors in the HTTP server of the JDK. */
public final class EndpointServer implements AutoCloseable {

    private static final int BACKLOG = 100;
    private static final int NOT_FOUND = 404;

    private static final String CONTEXT = "/libs/sling/topology";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger puts = new AtomicInteger();
    private final HttpServer server;

    /** Starts a server for the endpoint of an instance; while that has none, the server replies as a container does. */
    public EndpointServer(DiscoveryInstance instance) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext(CONTEXT, exchange -> {
            try (exchange) {
                if (exchange.getRequestMethod().equals("PUT")) {
                    puts.incrementAndGet();
                }
                ConnectorReply reply = instance.connectors()
                        .endpoint()
                        .map(endpoint -> endpoint.handle(new Request(exchange)))
                        .orElseGet(() -> ConnectorReply.of(NOT_FOUND));
                reply.headers().forEach(exchange.getResponseHeaders()::set);
                exchange.sendResponseHeaders(reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
                exchange.getResponseBody().write(reply.body());
            }
        });
        server.start();
    }

    /** Returns the URL that peers configure. */
    String url() {
        return url(port());
    }

    /** Returns the URL of connectors to the instance behind a port: its own one or that of a proxy. */
    public static String url(int port) {
        return "http://127.0.0.1:" + port + CONTEXT + "/connector";
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Returns how many PUT requests have arrived. */
    int puts() {
        return puts.get();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private record Request(HttpExchange exchange) implements ConnectorRequest {

        @Override
        public String method() {
            return exchange.getRequestMethod();
        }

        @Override
        public String requestUri() {
            return exchange.getRequestURI().getRawPath();
        }

        @Override
        public String pathInfo() {
            String rest = exchange.getRequestURI().getPath().substring(CONTEXT.length());
            return rest.isEmpty() ? null : rest;
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
        }

        @Override
        public long contentLength() {
            return header("Content-Length").map(Long::parseLong).orElse(-1L);
        }

        @Override
        public InputStream body() {
            return exchange.getRequestBody();
        }

        @Override
        public String remoteAddress() {
            return exchange.getRemoteAddress().getAddress().getHostAddress();
        }

        @Override
        public String remoteHost() {
            return remoteAddress();
        }
    }
}
