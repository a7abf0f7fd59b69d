// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.ZoneId;
import java.util.Objects;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.action.Actions;
import org.apache.sling.discovery.webconsole.json.TopologyDocument;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.page.HistoryFilter;
import org.apache.sling.discovery.webconsole.page.HtmlRenderer;
import org.apache.sling.discovery.webconsole.page.PropertiesSection;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.security.SecurityHeaders;

/**
 * Answers each request for the plugin: with the JSON document, with a page, or by an action. May be used from any
 * thread.
 */
final class Router {
    /** An open page sends a request after each change, so it waits less for a history that is usually known already. */
    private static final ReportReader HISTORY = new ReportReader(1_000);

    private final Actions actions = new Actions();
    private final TopologyDocument document = new TopologyDocument(ReportReader.DEFAULT);

    /**
     * Answers a request.
     *
     * @param reporter null when the discovery service is not active
     * @param operator null when no action is possible
     */
    void answer(HttpServletRequest request, HttpServletResponse response, Reporter reporter, Operator operator)
            throws IOException {
        SecurityHeaders.set(response);
        if (isForDocument(request)) {
            document.answer(request, response, reporter);
            return;
        }
        switch (request.getMethod()) {
            case "GET" -> get(request, response, reporter, operator);
            case "POST" -> actions.perform(request, response, operator, new Addresses(consoleRoot(request)));
            default -> {
                response.setHeader("Allow", "GET, POST");
                response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
            }
        }
    }

    static boolean isForDocument(HttpServletRequest request) {
        return Addresses.DOCUMENT.equals(request.getPathInfo());
    }

    private void get(HttpServletRequest request, HttpServletResponse response, Reporter reporter, Operator operator)
            throws IOException {
        Addresses addresses = new Addresses(consoleRoot(request));
        String path = Objects.requireNonNullElse(request.getPathInfo(), "");
        String inPath = instanceInPath(path);
        if (inPath.indexOf('.') >= 0) {
            // The console treats a dot as the start of a file extension and omits its frame.
            response.sendRedirect(addresses.instanceByQuery(inPath));
        } else if (path.indexOf('.') >= 0) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        } else {
            response.setContentType("text/html;charset=utf-8");
            HtmlRenderer renderer =
                    new HtmlRenderer(addresses.console(), ZoneId.systemDefault(), actions.context(request, operator));
            if (reporter == null) {
                renderer.inactive(response.getWriter());
            } else {
                page(inPath, request, response, reporter, renderer);
            }
        }
    }

    /** @param inPath the instance id in the path, empty when there is none */
    private static void page(
            String inPath,
            HttpServletRequest request,
            HttpServletResponse response,
            Reporter reporter,
            HtmlRenderer renderer)
            throws IOException {
        String show = parameter(request, Addresses.SHOW);
        String instance = inPath.isEmpty() ? parameter(request, Addresses.INSTANCE) : inPath;
        if (show.equals("history")) {
            TopologyReport report = HISTORY.readReport(reporter).report();
            renderer.history(report, HistoryFilter.of(request::getParameter), response.getWriter());
        } else if (show.equals("tree")) {
            tree(parameter(request, Addresses.PATH), response, reporter, renderer);
        } else if (instance.isEmpty()) {
            renderer.overview(reporter.report(), response.getWriter());
        } else {
            TopologyReport report = HISTORY.readReport(reporter).report();
            if (!report.hasInstance(instance)) {
                response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            }
            renderer.instance(report, instance, parameter(request, PropertiesSection.SEARCH), response.getWriter());
        }
    }

    private static void tree(String path, HttpServletResponse response, Reporter reporter, HtmlRenderer renderer)
            throws IOException {
        try {
            StoreTree tree = ReportReader.DEFAULT.readTree(reporter);
            renderer.tree(reporter.report(), tree, path, response.getWriter());
        } catch (ReportReader.Unavailable e) {
            renderer.noTree(reporter.report(), "The store cannot be read now: " + e.getMessage(), response.getWriter());
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

    private static String parameter(HttpServletRequest request, String name) {
        return Objects.requireNonNullElse(request.getParameter(name), "");
    }
}
