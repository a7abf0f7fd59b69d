// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.discoveryzk.connectors.InstanceConnectors;
import io.github.discoveryzk.connectors.endpoint.ConnectorReply;
import io.github.discoveryzk.connectors.endpoint.ConnectorRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Offers the endpoint of connectors in the HTTP server of the JDK. */
public final class EndpointServer implements AutoCloseable {

    private static final int BACKLOG = 100;
    private static final int NOT_FOUND = 404;

    private static final String CONTEXT = "/libs/sling/topology";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger puts = new AtomicInteger();
    private final HttpServer server;

    /** Starts a server for the endpoint of connectors; while they have none, the server replies as a container does. */
    public EndpointServer(InstanceConnectors connectors) {
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
                ConnectorReply reply = connectors
                        .endpoint()
                        .map(endpoint -> endpoint.handle(request(exchange)))
                        .orElseGet(() -> ConnectorReply.of(NOT_FOUND));
                reply.headers().forEach(exchange.getResponseHeaders()::set);
                exchange.sendResponseHeaders(reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
                exchange.getResponseBody().write(reply.body());
            }
        });
        server.start();
    }

    /** Returns the URL that peers configure. */
    public String url() {
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
    public int puts() {
        return puts.get();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static ConnectorRequest request(HttpExchange exchange) {
        URI uri = exchange.getRequestURI();
        String rest = uri.getPath().substring(CONTEXT.length());
        Headers headers = exchange.getRequestHeaders();
        return new ConnectorRequest(
                exchange.getRequestMethod(),
                uri.getRawPath(),
                rest.isEmpty() ? null : rest,
                name -> Optional.ofNullable(headers.getFirst(name)),
                headers.containsKey("Content-Length") ? Long.parseLong(headers.getFirst("Content-Length")) : -1,
                exchange::getRequestBody,
                exchange.getRemoteAddress().getAddress().getHostAddress());
    }
}
