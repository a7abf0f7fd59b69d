// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.ZoneId;
import java.util.Objects;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.commons.report.Reporter;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Chooses what the console shows under its label, and takes the forms of the pages. The console itself adds its frame and serves
 * what lies below {@code res} in this bundle.
 */
@Component(
        service = Servlet.class,
        property = {
            "felix.webconsole.label=" + Addresses.LABEL,
            "felix.webconsole.title=Topology",
            "felix.webconsole.category=Sling",
            "felix.webconsole.css=/" + Addresses.LABEL + "/res/topology.css"
        })
public final class TopologyPlugin extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private transient volatile Reporter reporter;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private transient volatile Operator operator;

    private final transient Actions actions = new Actions();
    private final transient TopologyDocument document = new TopologyDocument(Reading.PATIENT);

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        SecurityHeaders.set(response);
        if (TopologyDocument.isAskedBy(request)) {
            document.answer(request, response, reporter);
            return;
        }
        switch (request.getMethod()) {
            case "GET" -> get(request, response);
            case "POST" -> actions.post(request, response, operator, new Addresses(consoleRoot(request)));
            default -> {
                response.setHeader("Allow", "GET, POST");
                response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
            }
        }
    }

    private void get(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Addresses at = new Addresses(consoleRoot(request));
        String path = Objects.requireNonNullElse(request.getPathInfo(), "");
        String inPath = instanceInPath(path);
        if (inPath.indexOf('.') >= 0) {
            // The console takes a dot for a file extension and leaves its frame away.
            response.sendRedirect(at.instanceByQuery(inPath));
        } else if (path.indexOf('.') >= 0) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        } else {
            response.setContentType("text/html;charset=utf-8");
            HtmlRenderer renderer =
                    new HtmlRenderer(at.console(), ZoneId.systemDefault(), actions.visit(request, operator));
            new Pages(renderer, reporter).write(inPath, request, response);
        }
    }

    private static String consoleRoot(HttpServletRequest request) {
        Object root = request.getAttribute("felix.webconsole.appRoot");
        return root == null ? request.getContextPath() + request.getServletPath() : root.toString();
    }

    private static String instanceInPath(String path) {
        String prefix = "/" + Addresses.LABEL + "/";
        if (!path.startsWith(prefix)) {
            return "";
        }
        String rest = path.substring(prefix.length());
        return rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
    }
}
