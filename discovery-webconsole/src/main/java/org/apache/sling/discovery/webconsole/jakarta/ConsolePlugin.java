// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.jakarta;

import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import java.util.Collections;
import java.util.Hashtable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.sling.discovery.webconsole.exchange.Handler;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.exchange.Response;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** The plugin of the console. The console adds its frame to pages. */
public final class ConsolePlugin extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Handler handler;

    private ConsolePlugin(Handler handler) {
        this.handler = handler;
    }

    /** Registers the service by which the console finds the page, and returns what unregisters it. */
    public static Runnable register(BundleContext bundle, Handler handler) {
        ServiceRegistration<?> service = bundle.registerService(
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
                        "/" + Addresses.LABEL + "/res/topology.css")));
        return () -> {
            try {
                service.unregister();
            } catch (IllegalStateException e) {
                // The framework has unregistered the services of a bundle that has stopped.
            }
        };
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = Objects.requireNonNullElse(request.getPathInfo(), "");
        handler.answer(new HttpRequest(request, path), new HttpResponse(response));
    }

    /** A request of a servlet. */
    private record HttpRequest(HttpServletRequest request, String path) implements Request {

        @Override
        public String method() {
            return request.getMethod();
        }

        @Override
        public String parameter(String name) {
            return request.getParameter(name);
        }

        @Override
        public Map<String, String> parameters() {
            Map<String, String> parameters = new TreeMap<>();
            for (String name : Collections.list(request.getParameterNames())) {
                parameters.put(name, request.getParameter(name));
            }
            return parameters;
        }

        @Override
        public String header(String name) {
            return request.getHeader(name);
        }

        @Override
        public String user() {
            return Objects.requireNonNullElse(request.getRemoteUser(), "");
        }

        @Override
        public String consoleRoot() {
            Object root = request.getAttribute("felix.webconsole.appRoot");
            return root == null ? request.getContextPath() + request.getServletPath() : root.toString();
        }
    }

    /** The response of a servlet. */
    private record HttpResponse(HttpServletResponse response) implements Response {

        @Override
        public void setStatus(int status) {
            response.setStatus(status);
        }

        @Override
        public void setHeader(String name, String value) {
            response.setHeader(name, value);
        }

        @Override
        public Writer text(String contentType) throws IOException {
            response.setContentType(contentType);
            return response.getWriter();
        }

        @Override
        public void send(byte[] content) throws IOException {
            response.getOutputStream().write(content);
        }

        @Override
        public void sendError(int status) throws IOException {
            response.sendError(status);
        }
    }
}
