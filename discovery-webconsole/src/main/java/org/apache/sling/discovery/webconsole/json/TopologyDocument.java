// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.exchange.Body;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.exchange.Response;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.query.ReportTags;
import org.apache.sling.discovery.webconsole.query.Selection;

/** Answers requests for the report as a JSON document. May be used from any thread. */
public final class TopologyDocument {
    private static final String FILTER = "filter";
    private static final String SINCE = "since";
    private static final String ONLY = "only";
    private static final String STATUS = "status";
    private static final List<String> PARAMETERS = List.of(FILTER, SINCE, ONLY);
    private static final List<String> READ_ONLY = List.of("GET", "HEAD");
    private static final String TYPE = "application/json;charset=utf-8";

    private final ReportTags tags = new ReportTags();
    private final ReportReader reader;

    public TopologyDocument(ReportReader reader) {
        this.reader = reader;
    }

    /**
     * Answers a request.
     *
     * @param reporter null when the discovery service is not active
     */
    public void answer(Request request, Response response, Reporter reporter) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        if (!READ_ONLY.contains(request.method())) {
            response.setHeader("Allow", "GET, HEAD, OPTIONS");
            if (request.method().equals("OPTIONS")) {
                response.setStatus(204);
            } else {
                send(request, response, 405, JsonRenderer.error("This document supports GET, HEAD and OPTIONS only."));
            }
        } else if (reporter == null) {
            send(request, response, 503, JsonRenderer.error(Phrases.INACTIVE));
        } else {
            read(request, response, reporter);
        }
    }

    private void read(Request request, Response response, Reporter reporter) throws IOException {
        try {
            rejectUnknown(request);
            if (onlyStatus(request)) {
                readStatus(request, response, reporter);
            } else {
                readAll(request, response, reporter);
            }
        } catch (InvalidParameter e) {
            send(request, response, 400, JsonRenderer.error(e));
        }
    }

    private static void rejectUnknown(Request request) throws InvalidParameter {
        for (Map.Entry<String, String> each : request.parameters().entrySet()) {
            if (!PARAMETERS.contains(each.getKey())) {
                throw new InvalidParameter(
                        each.getKey(),
                        each.getValue(),
                        "it is unknown; known are " + String.join(", ", PARAMETERS),
                        "since=42");
            }
        }
    }

    private static boolean onlyStatus(Request request) throws InvalidParameter {
        String only = Objects.requireNonNullElse(request.parameter(ONLY), "");
        if (only.isEmpty()) {
            return false;
        }
        if (!only.equals(STATUS)) {
            throw new InvalidParameter(ONLY, only, "it is not the name of a part", STATUS);
        }
        for (String other : List.of(FILTER, SINCE)) {
            if (request.parameter(other) != null) {
                throw new InvalidParameter(
                        other, request.parameter(other), "the status has nothing to select from", "only=status alone");
            }
        }
        return true;
    }

    private void readStatus(Request request, Response response, Reporter reporter) throws IOException {
        TopologyReport report = reporter.report();
        response.setStatus(200);
        response.setHeader("Cache-Control", "private, no-cache");
        body(() -> JsonRenderer.status(report), Optional.of(tags.of(report, reporter)))
                .send(request, response);
    }

    private void readAll(Request request, Response response, Reporter reporter) throws IOException, InvalidParameter {
        Selection selection = Selection.parse(request.parameter(FILTER), request.parameter(SINCE));
        ReportReader.Result result = reader.readReport(reporter);
        Optional<String> tag = result.complete() ? Optional.of(tags.of(result.report(), reporter)) : Optional.empty();
        if (tag.isPresent()) {
            response.setHeader("Cache-Control", "private, no-cache");
        }
        response.setStatus(200);
        body(() -> JsonRenderer.document(selection.apply(result.report()), selection), tag)
                .send(request, response);
    }

    private static Body body(Supplier<String> json, Optional<String> tag) {
        return new Body(TYPE, () -> json.get().getBytes(StandardCharsets.UTF_8), tag);
    }

    private static void send(Request request, Response response, int status, String json) throws IOException {
        response.setStatus(status);
        body(() -> json, Optional.empty()).send(request, response);
    }
}
