// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.action.Actions;
import org.apache.sling.discovery.webconsole.exchange.Body;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.exchange.Response;
import org.apache.sling.discovery.webconsole.json.TopologyDocument;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.page.HistoryFilter;
import org.apache.sling.discovery.webconsole.page.HtmlRenderer;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.query.ReportTags;

/**
 * Answers each request: with the JSON document, a resource, a page, its content without the frame, or by an action. May be
 * used from any thread.
 */
final class Router {
    private static final String HTML = "text/html;charset=utf-8";

    /** The headers of each answer that restrict the browser. */
    private static final Map<String, String> HEADERS =
            Map.of("Cache-Control", "no-store", "Referrer-Policy", "no-referrer", "X-Content-Type-Options", "nosniff");

    /** The parameters of all pages. */
    private static final Set<String> PARAMETERS =
            Set.of(Addresses.SHOW, Addresses.INSTANCE, Addresses.COUNT, Addresses.VIEW, Addresses.RESULT);

    private static final String HISTORY = "history";
    private static final String TREE = "tree";

    /** An open page sends a request each second, so it waits less for a history that is usually known already. */
    private static final ReportReader READER = new ReportReader(1_000);

    /** The sentences of a page contain durations, which are not part of the revision of a report. */
    private static final long OLD_MILLIS = 60_000;

    private final Actions actions = new Actions();
    private final TopologyDocument document = new TopologyDocument(ReportReader.DEFAULT);
    private final Resources resources = new Resources();
    private final ReportTags tags = new ReportTags();

    /**
     * Answers a request.
     *
     * @param reporter null when the discovery service is not active
     * @param operator null when no action is possible
     */
    void answer(Request request, Response response, Reporter reporter, Operator operator) throws IOException {
        HEADERS.forEach(response::setHeader);
        if (isForDocument(request)) {
            document.answer(request, response, reporter);
        } else if (Resources.isFor(request)) {
            resources.answer(request, response);
        } else if (request.path().equals(Addresses.CONTENT)) {
            content(request, response, reporter, operator);
        } else if (request.accept(response, "GET", "HEAD", "POST")) {
            if (request.method().equals("POST")) {
                actions.perform(request, response, operator, new Addresses(request.consoleRoot()));
            } else {
                get(request, response, reporter, operator);
            }
        }
    }

    static boolean isForDocument(Request request) {
        return Addresses.DOCUMENT.equals(request.path());
    }

    private void get(Request request, Response response, Reporter reporter, Operator operator) throws IOException {
        String path = request.path();
        String inPath = instanceInPath(path);
        if (inPath.indexOf('.') >= 0) {
            // The console treats a dot as the start of a file extension and omits its frame.
            response.setStatus(302);
            response.setHeader("Location", new Addresses(request.consoleRoot()).instanceByQuery(inPath));
        } else if (path.indexOf('.') >= 0) {
            response.sendError(404);
        } else {
            Page page = new Page(request, inPath, reporter, renderer(request, operator, true));
            String text = page.render(page.readReport());
            response.setStatus(page.status);
            // The answer to HEAD has the headers only.
            response.text(HTML).append(request.method().equals("GET") ? text : "");
        }
    }

    /** Answers with the content of a page, for which an open page asks each second. Most answers are 304. */
    private void content(Request request, Response response, Reporter reporter, Operator operator) throws IOException {
        if (!request.accept(response, "GET", "HEAD")) {
            return;
        }
        Page page = new Page(request, "", reporter, renderer(request, operator, false));
        if (page.show.equals(TREE)) {
            // This page is not live, because each of its updates would read the store.
            response.sendError(404);
            return;
        }
        ReportReader.Result result = page.readReport();
        Optional<String> tag = Optional.empty();
        if (result != null) {
            response.setHeader("Topology-Now", String.valueOf(result.report().generatedMillis()));
            if (result.complete()) {
                tag = Optional.of(tag(result.report(), reporter, operator));
            }
        }
        new Body(HTML, () -> content(page, result, response), tag).send(request, response);
    }

    private static byte[] content(Page page, ReportReader.Result result, Response response) {
        String text = page.render(result);
        response.setStatus(page.status);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String tag(TopologyReport report, Reporter reporter, Operator operator) {
        long period = report.generatedMillis() / OLD_MILLIS;
        return tags.of(report, reporter, period + (operator == null ? "" : "a"));
    }

    private HtmlRenderer renderer(Request request, Operator operator, boolean framed) {
        return new HtmlRenderer(
                new Addresses(request.consoleRoot()),
                ZoneId.systemDefault(),
                actions.context(request, operator),
                framed);
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

    /** The page of one request. */
    private static final class Page {
        private final Request request;
        private final Reporter reporter;
        private final HtmlRenderer renderer;
        private final String show;
        private final String instance;
        private int status = 200;

        /** @param inPath the instance id in the path, empty when there is none */
        Page(Request request, String inPath, Reporter reporter, HtmlRenderer renderer) {
            this.request = request;
            this.reporter = reporter;
            this.renderer = renderer;
            this.show = parameter(request, Addresses.SHOW);
            this.instance = inPath.isEmpty() ? parameter(request, Addresses.INSTANCE) : inPath;
        }

        /** Returns the report that the page needs, or null when the discovery service is not active. */
        ReportReader.Result readReport() {
            if (reporter == null) {
                return null;
            }
            boolean hasHistory = show.equals(HISTORY) || (show.isEmpty() && !instance.isEmpty());
            return hasHistory ? READER.readReport(reporter) : new ReportReader.Result(reporter.report(), true);
        }

        String render(ReportReader.Result result) {
            if (result == null) {
                return renderer.inactive();
            }
            try {
                rejectUnknown();
                return renderShown(result.report());
            } catch (InvalidParameter e) {
                status = 400;
                return renderer.invalid(result.report(), e);
            }
        }

        private void rejectUnknown() throws InvalidParameter {
            for (Map.Entry<String, String> each : request.parameters().entrySet()) {
                if (!PARAMETERS.contains(each.getKey())) {
                    String known = String.join(", ", new TreeSet<>(PARAMETERS));
                    throw new InvalidParameter(
                            each.getKey(), each.getValue(), "it is unknown; known are " + known, "show=history");
                }
            }
        }

        private String renderShown(TopologyReport report) throws InvalidParameter {
            return switch (show) {
                case HISTORY -> renderer.history(report, HistoryFilter.of(request::parameter));
                case TREE -> renderTree(report);
                case "" -> renderView(report);
                default -> throw new InvalidParameter(Addresses.SHOW, show, "it is neither history nor tree", HISTORY);
            };
        }

        private String renderView(TopologyReport report) {
            if (instance.isEmpty()) {
                return renderer.overview(report);
            }
            status = report.hasInstance(instance) ? 200 : 404;
            return renderer.instance(report, instance);
        }

        private String renderTree(TopologyReport report) {
            try {
                StoreTree tree = ReportReader.DEFAULT.readTree(reporter);
                return renderer.tree(reporter.report(), tree);
            } catch (ReportReader.Unavailable e) {
                return renderer.noTree(report, "The store cannot be read now: " + e.getMessage());
            }
        }
    }
}
