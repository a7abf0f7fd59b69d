// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.http;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.History;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.View;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.html.Addresses;
import io.github.discoveryzk.webconsole.html.HistoryPage;
import io.github.discoveryzk.webconsole.html.InstancePage;
import io.github.discoveryzk.webconsole.html.OverviewPage;
import io.github.discoveryzk.webconsole.html.Page;
import io.github.discoveryzk.webconsole.html.TreePage;
import io.github.discoveryzk.webconsole.json.JsonRenderer;
import io.github.discoveryzk.webconsole.query.HistoryFilter;
import io.github.discoveryzk.webconsole.query.ReportReader;
import io.github.discoveryzk.webconsole.section.AddedSections;
import io.github.discoveryzk.webconsole.section.RestartPlan;
import io.github.discoveryzk.webconsole.text.MetricsWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers each request: with the JSON document, a resource, a page, its content without the frame, or by an action. May be
 * used from any thread.
 */
public final class Router {
    /** The headers of each reply that restrict the browser. */
    private static final Map<String, String> HEADERS = Map.of(
            "Cache-Control", "no-store",
            "Content-Security-Policy", "frame-ancestors 'self'",
            "Referrer-Policy", "no-referrer",
            "X-Content-Type-Options", "nosniff");

    /** What a client may keep if it asks each time whether that is still right. */
    private static final String COMPARED = "private, no-cache";

    private static final String HISTORY = "history";
    private static final String TREE = "tree";
    private static final String CONNECTORS = "connectors";

    /** Every name of a resource, so that no path leads out of the folder. */
    private static final Pattern RESOURCE = Pattern.compile("[a-zA-Z][a-zA-Z0-9-]*(?:\\.[a-z0-9]+)*\\.(css|js|json)");

    private static final Map<String, String> TYPES = Map.of(
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "json", "application/json;charset=utf-8");

    private static final Map<String, String> BRIEF = Map.of(HISTORY, "no");

    /** An open page sends a request each second, so it waits less for a history that is usually known already. */
    private static final ReportReader READER = new ReportReader(1_000);

    /** The sentences of a page contain durations, which are not part of the revision of a report. */
    private static final long OLD_MILLIS = 60_000;

    /** Distinguishes the tags of this process, because each process counts its revisions from the start. */
    private final String run = UUID.randomUUID().toString();

    private final Actions actions = new Actions();
    private final ReportReader documents;
    private final Supplier<List<AddedSection>> added;

    /** @param added returns the sections of other bundles, which the overview shows */
    public Router(Supplier<List<AddedSection>> added) {
        this(ReportReader.DEFAULT, added);
    }

    /** @param documents reads what the JSON document shows */
    Router(ReportReader documents, Supplier<List<AddedSection>> added) {
        this.documents = documents;
        this.added = added;
    }

    /**
     * Answers a request.
     *
     * @param reporter null when the discovery service is not active
     * @param operator null when no action is possible
     */
    public Reply answer(Request request, Reporter reporter, Operator operator) {
        return route(request, reporter, operator).withDefaults(HEADERS).sentTo(request);
    }

    private Reply route(Request request, Reporter reporter, Operator operator) {
        String path = request.path();
        boolean isDocument = path.equals(Addresses.DOCUMENT);
        boolean isResource = path.startsWith(Addresses.RESOURCES);
        boolean isContent = path.equals(Addresses.CONTENT);
        boolean isMetrics = path.equals(Addresses.METRICS);
        String methods = isDocument || isResource || isContent || isMetrics ? "GET, HEAD" : "GET, HEAD, POST";
        if (!List.of(methods.split(", ")).contains(request.method())) {
            return otherMethod(request, methods + ", OPTIONS");
        } else if (isDocument) {
            return document(request, reporter);
        } else if (isResource) {
            return resource(request, path.substring(Addresses.RESOURCES.length()));
        } else if (isContent) {
            return content(request, reporter, operator);
        } else if (isMetrics) {
            return metrics(request, reporter);
        }
        return request.method().equals("POST") ? actions.perform(request, operator) : page(request, reporter, operator);
    }

    private static Reply otherMethod(Request request, String methods) {
        if (request.method().equals("OPTIONS")) {
            return Reply.of(204).with("Allow", methods);
        }
        String sentence = "This address supports " + methods + " only.";
        Reply refusal = request.path().equals(Addresses.DOCUMENT)
                ? json(405, JsonRenderer.error(sentence))
                : refusal(405, sentence);
        return refusal.with("Allow", methods);
    }

    /** Answers with the whole report. */
    private Reply document(Request request, Reporter reporter) {
        if (reporter == null) {
            return json(503, JsonRenderer.error(Phrases.INACTIVE));
        }
        boolean brief = request.parameters().equals(BRIEF);
        if (!request.parameters().isEmpty() && !brief) {
            return json(400, JsonRenderer.error("The only parameter of the document is history=no."));
        }
        TopologyReport report = brief
                ? reporter.report().with(new History(List.of(), List.of("The request does not want the history.")))
                : documents.readReport(reporter);
        Reply reply = Reply.tagged(
                        request,
                        tag(report, reporter),
                        () -> json(200, JsonRenderer.document(report, reporter, sections())))
                .with("Cache-Control", COMPARED);
        String origin = request.header("Origin");
        return isMember(origin, report)
                ? reply.with("Access-Control-Allow-Origin", origin)
                        .with("Access-Control-Allow-Credentials", "true")
                        .with("Vary", "Origin")
                : reply;
    }

    /** Returns whether a page of a member asks, which shows what this instance says itself. */
    private static boolean isMember(String origin, TopologyReport report) {
        return !origin.isEmpty()
                && report.clusters().stream()
                        .filter(Cluster::local)
                        .flatMap(cluster -> cluster.instances().stream())
                        .flatMap(instance -> instance.console().stream())
                        .anyMatch(console -> console.startsWith(origin + "/"));
    }

    private static Reply metrics(Request request, Reporter reporter) {
        if (reporter == null) {
            return refusal(503, Phrases.INACTIVE);
        }
        MetricsWriter writer = MetricsWriter.accepted(request.header("Accept"));
        return Reply.of(200, writer.contentType(), writer.write(reporter.metrics()));
    }

    private static Reply json(int status, String json) {
        return Reply.of(status, "application/json;charset=utf-8", json);
    }

    /** Returns an error without the frame of the console, which only pages have. */
    static Reply refusal(int status, String sentence) {
        return Reply.of(status, "text/plain;charset=utf-8", sentence + "\n");
    }

    /** Scripts, styles and the schema. A console 5 answers GET itself, and leaves the other methods to the plugin. */
    private static Reply resource(Request request, String path) {
        Matcher name = RESOURCE.matcher(path);
        if (!name.matches()) {
            return notFound();
        }
        try (InputStream resource = Router.class.getResourceAsStream("/res/" + name.group())) {
            if (resource == null) {
                return notFound();
            }
            byte[] content = resource.readAllBytes();
            String tag = UUID.nameUUIDFromBytes(content).toString();
            return Reply.tagged(request, tag, () -> Reply.of(200, TYPES.get(name.group(1)), content))
                    .with("Cache-Control", COMPARED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Reply notFound() {
        return refusal(404, "There is nothing at this address.");
    }

    private Reply page(Request request, Reporter reporter, Operator operator) {
        String path = request.path();
        String inPath = path.startsWith(Addresses.OVERVIEW + "/")
                ? path.substring(Addresses.OVERVIEW.length() + 1).replaceFirst("/$", "")
                : "";
        if (inPath.indexOf('.') >= 0) {
            // The console treats a dot as the start of a file extension and omits its frame.
            return Reply.of(302).with("Location", request.console() + Addresses.instanceByQuery(inPath));
        } else if (path.indexOf('.') >= 0) {
            return notFound();
        }
        String instance = inPath.isEmpty() ? request.parameter(Addresses.INSTANCE) : inPath;
        Page page = page(request, instance, reporter, read(request, reporter));
        return Reply.framed(page.status(), page.render(context(request, operator)));
    }

    /** Answers with the content of a page, for which an open page asks each second. Most answers are 304. */
    private Reply content(Request request, Reporter reporter, Operator operator) {
        if (request.parameter(Addresses.SHOW).equals(TREE)) {
            // This page is not live, because each of its updates would read the store.
            return notFound();
        }
        String instance = request.parameter(Addresses.INSTANCE);
        Optional<TopologyReport> report = read(request, reporter);
        Supplier<Reply> reply = () -> {
            Page page = page(request, instance, reporter, report);
            return Reply.of(page.status(), Reply.HTML, page.renderContent(context(request, operator)));
        };
        return report.map(shown -> Reply.tagged(
                                request,
                                tag(shown, reporter) + "-" + shown.generatedMillis() / OLD_MILLIS
                                        + (operator == null ? "" : "a"),
                                reply)
                        .with("Topology-Now", String.valueOf(shown.generatedMillis())))
                .orElseGet(reply);
    }

    private AddedSections sections() {
        return AddedSections.of(added.get());
    }

    /**
     * Returns the tag of a report. Its view may cease to be current, its history be late, and a section of another bundle change, without
     * another revision.
     */
    private String tag(TopologyReport report, Reporter reporter) {
        String over = report.view().filter(view -> !view.current()).isPresent() ? "-over" : "";
        return report.view().map(View::number).orElse(0L) + over + "-" + report.revision() + "-" + run + "-"
                + Integer.toHexString(System.identityHashCode(reporter)) + "-"
                + Integer.toHexString(Objects.hash(report.history().problems(), sections(), RestartPlan.of(reporter)));
    }

    private Page.Context context(Request request, Operator operator) {
        return new Page.Context(
                request.console(),
                ZoneId.systemDefault(),
                sections().titles(),
                actions.token(request, operator),
                actions.result(request));
    }

    /** Returns the report that a page needs; empty when the discovery service is not active. */
    private static Optional<TopologyReport> read(Request request, Reporter reporter) {
        String show = request.parameter(Addresses.SHOW);
        return Optional.ofNullable(reporter)
                .map(each -> show.isEmpty() || show.equals(HISTORY) ? READER.readReport(each) : each.report());
    }

    private Page page(Request request, String instance, Reporter reporter, Optional<TopologyReport> read) {
        if (read.isEmpty()) {
            return OverviewPage.inactive();
        }
        TopologyReport report = read.get();
        String show = request.parameter(Addresses.SHOW);
        return switch (show) {
            case HISTORY -> HistoryPage.of(report, HistoryFilter.of(request.parameters()));
            case TREE -> tree(report, reporter);
            case CONNECTORS -> OverviewPage.connectors(report);
            default -> instance.isEmpty() ? overview(report, reporter, show) : InstancePage.of(report, instance);
        };
    }

    private Page overview(TopologyReport report, Reporter reporter, String show) {
        AddedSections sections = sections();
        return OverviewPage.section(report, sections, show)
                .orElseGet(() -> OverviewPage.of(report, RestartPlan.of(reporter), sections));
    }

    private static Page tree(TopologyReport report, Reporter reporter) {
        try {
            return TreePage.of(report, ReportReader.DEFAULT.await(reporter.readTree()));
        } catch (ReportReader.Unavailable e) {
            return TreePage.failed(report, "The store cannot be read now: " + e.getMessage());
        }
    }
}
