// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.io.IOException;
import java.time.ZoneId;
import java.util.Objects;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.action.Actions;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.exchange.Response;
import org.apache.sling.discovery.webconsole.json.TopologyDocument;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.page.HistoryFilter;
import org.apache.sling.discovery.webconsole.page.HtmlRenderer;
import org.apache.sling.discovery.webconsole.page.PropertiesSection;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.security.SecurityHeaders;

/**
 * Answers each request but the ones for events: with the JSON document, a resource, a page, or by an action. May be used
 * from any thread.
 */
final class Router {
    private static final String HTML = "text/html;charset=utf-8";

    /** An open page sends a request after each change, so it waits less for a history that is usually known already. */
    private static final ReportReader HISTORY = new ReportReader(1_000);

    private final Actions actions = new Actions();
    private final TopologyDocument document = new TopologyDocument(ReportReader.DEFAULT);
    private final Resources resources = new Resources();

    /**
     * Answers a request.
     *
     * @param reporter null when the discovery service is not active
     * @param operator null when no action is possible
     */
    void answer(Request request, Response response, Reporter reporter, Operator operator) throws IOException {
        SecurityHeaders.set(response::setHeader);
        if (isForDocument(request)) {
            document.answer(request, response, reporter);
            return;
        }
        if (resources.answer(request, response)) {
            return;
        }
        switch (request.method()) {
            case "GET" -> get(request, response, reporter, operator);
            case "POST" -> actions.perform(request, response, operator, new Addresses(request.consoleRoot()));
            default -> {
                response.setHeader("Allow", "GET, POST");
                response.sendError(405);
            }
        }
    }

    static boolean isForDocument(Request request) {
        return Addresses.DOCUMENT.equals(request.path());
    }

    private void get(Request request, Response response, Reporter reporter, Operator operator) throws IOException {
        Addresses addresses = new Addresses(request.consoleRoot());
        String path = request.path();
        String inPath = instanceInPath(path);
        if (inPath.indexOf('.') >= 0) {
            // The console treats a dot as the start of a file extension and omits its frame.
            response.setStatus(302);
            response.setHeader("Location", addresses.instanceByQuery(inPath));
        } else if (path.indexOf('.') >= 0) {
            response.sendError(404);
        } else {
            HtmlRenderer renderer =
                    new HtmlRenderer(addresses.console(), ZoneId.systemDefault(), actions.context(request, operator));
            if (reporter == null) {
                renderer.inactive(response.text(HTML));
            } else {
                page(inPath, request, response, reporter, renderer);
            }
        }
    }

    /** @param inPath the instance id in the path, empty when there is none */
    private static void page(
            String inPath, Request request, Response response, Reporter reporter, HtmlRenderer renderer)
            throws IOException {
        String show = parameter(request, Addresses.SHOW);
        String instance = inPath.isEmpty() ? parameter(request, Addresses.INSTANCE) : inPath;
        if (show.equals("history")) {
            TopologyReport report = HISTORY.readReport(reporter).report();
            renderer.history(report, HistoryFilter.of(request::parameter), response.text(HTML));
        } else if (show.equals("tree")) {
            tree(parameter(request, Addresses.PATH), response, reporter, renderer);
        } else if (instance.isEmpty()) {
            renderer.overview(reporter.report(), response.text(HTML));
        } else {
            TopologyReport report = HISTORY.readReport(reporter).report();
            if (!report.hasInstance(instance)) {
                response.setStatus(404);
            }
            renderer.instance(report, instance, parameter(request, PropertiesSection.SEARCH), response.text(HTML));
        }
    }

    private static void tree(String path, Response response, Reporter reporter, HtmlRenderer renderer)
            throws IOException {
        try {
            StoreTree tree = ReportReader.DEFAULT.readTree(reporter);
            renderer.tree(reporter.report(), tree, path, response.text(HTML));
        } catch (ReportReader.Unavailable e) {
            renderer.noTree(reporter.report(), "The store cannot be read now: " + e.getMessage(), response.text(HTML));
        }
    }

    private static String instanceInPath(String path) {
        String prefix = "/" + Addresses.LABEL + "/";
        if (!path.startsWith(prefix)) {
            return "";
        }
        String rest = path.substring(prefix.length());
        return rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
    }

    private static String parameter(Request request, String name) {
        return Objects.requireNonNullElse(request.parameter(name), "");
    }
}
