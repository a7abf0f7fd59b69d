// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Chooses what the console shows under its label: the overview or one instance. The console itself adds its frame and serves
 * what lies below {@code res} in this bundle.
 */
@Component(
        service = Servlet.class,
        property = {
            "felix.webconsole.label=" + HtmlRenderer.LABEL,
            "felix.webconsole.title=Topology",
            "felix.webconsole.category=Sling",
            "felix.webconsole.css=/" + HtmlRenderer.LABEL + "/res/topology.css"
        })
public final class TopologyPlugin extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private transient volatile Reporter reporter;

    private final transient TopologyDocument document = new TopologyDocument(Reading.PATIENT);

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (TopologyDocument.isAskedBy(request)) {
            document.answer(request, response, reporter);
        } else if ("GET".equals(request.getMethod())) {
            get(request, response);
        } else {
            response.setHeader("Allow", "GET");
            response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        }
    }

    private void get(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HtmlRenderer renderer = new HtmlRenderer(consoleRoot(request), ZoneId.systemDefault());
        String inPath = instanceInPath(request.getPathInfo());
        if (inPath.indexOf('.') >= 0) {
            // The console takes a dot for a file extension and leaves its frame away.
            response.sendRedirect(renderer.instanceAddress(inPath));
            return;
        }
        String inQuery = Objects.requireNonNullElse(request.getParameter(HtmlRenderer.INSTANCE), "");
        String instance = inPath.isEmpty() ? inQuery : inPath;
        response.setContentType("text/html;charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");

        Optional<TopologyReport> report = Optional.ofNullable(reporter).map(Reporter::report);
        if (report.isEmpty()) {
            renderer.inactive(response.getWriter());
        } else if (instance.isEmpty()) {
            renderer.overview(report.get(), response.getWriter());
        } else {
            if (!HtmlRenderer.knows(report.get(), instance)) {
                response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            }
            renderer.instance(report.get(), instance, response.getWriter());
        }
    }

    private static String consoleRoot(HttpServletRequest request) {
        Object root = request.getAttribute("felix.webconsole.appRoot");
        return root == null ? request.getContextPath() + request.getServletPath() : root.toString();
    }

    private static String instanceInPath(String path) {
        String prefix = "/" + HtmlRenderer.LABEL + "/";
        if (path == null || !path.startsWith(prefix)) {
            return "";
        }
        String rest = path.substring(prefix.length());
        return rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
    }
}
