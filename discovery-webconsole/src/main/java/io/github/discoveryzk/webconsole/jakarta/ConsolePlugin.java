// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.jakarta;

import io.github.discoveryzk.webconsole.html.Addresses;
import io.github.discoveryzk.webconsole.http.Reply;
import io.github.discoveryzk.webconsole.http.Request;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Hashtable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** The plugin of the console. The console adds its frame to pages. */
public final class ConsolePlugin extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Function<Request, Reply> handler;

    private ConsolePlugin(Function<Request, Reply> handler) {
        this.handler = handler;
    }

    /** Registers the service by which the console finds the page. */
    public static ServiceRegistration<?> register(BundleContext bundle, Function<Request, Reply> handler) {
        return bundle.registerService(
                Servlet.class,
                new ConsolePlugin(handler),
                new Hashtable<>(Map.of(
                        "felix.webconsole.label",
                        Addresses.LABEL,
                        "felix.webconsole.title",
                        "Topology",
                        "felix.webconsole.category",
                        "Sling",
                        "felix.webconsole.css",
                        Addresses.RESOURCES + "topology.css")));
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object root = request.getAttribute("felix.webconsole.appRoot");
        Reply reply = handler.apply(new Request(
                request.getMethod(),
                Objects.requireNonNullElse(request.getPathInfo(), ""),
                Objects.requireNonNullElse(request.getRemoteUser(), ""),
                root == null ? request.getContextPath() + request.getServletPath() : root.toString(),
                () -> parameters(request),
                request::getHeader));
        response.setStatus(reply.status());
        reply.headers().forEach(response::setHeader);
        if (reply.framed()) {
            response.setContentType(reply.headers().get("Content-Type"));
            response.getWriter().append(new String(reply.content(), StandardCharsets.UTF_8));
        } else if (reply.content().length > 0) {
            response.getOutputStream().write(reply.content());
        }
    }

    private static Map<String, String> parameters(HttpServletRequest request) {
        Map<String, String> parameters = new TreeMap<>();
        request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
        return parameters;
    }
}
