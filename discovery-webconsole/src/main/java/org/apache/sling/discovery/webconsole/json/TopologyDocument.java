// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.exchange.Response;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.query.Selection;

/** Answers requests for the report as a JSON document. May be used from any thread. */
public final class TopologyDocument {
    private static final String TYPE = "application/json;charset=utf-8";

    /** Distinguishes the tags of this process, because each process counts its revisions from the start. */
    private final String run = UUID.randomUUID().toString();

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
        if (!isReadOnly(request)) {
            response.setHeader("Allow", "GET, HEAD");
            send(request, response, 405, JsonRenderer.error("This document supports GET and HEAD only."));
        } else if (reporter == null) {
            send(request, response, 503, JsonRenderer.error(Phrases.INACTIVE));
        } else {
            read(request, response, reporter);
        }
    }

    private void read(Request request, Response response, Reporter reporter) throws IOException {
        try {
            Selection selection = Selection.parse(request.parameter("filter"), request.parameter("since"));
            ReportReader.Result result = reader.readReport(reporter);
            if (result.complete()) {
                String tag = tag(result.report(), reporter);
                response.setHeader("Cache-Control", "private, no-cache");
                response.setHeader("ETag", tag);
                if (isKnown(request.header("If-None-Match"), tag)) {
                    response.setStatus(304);
                    return;
                }
            }
            send(request, response, 200, JsonRenderer.document(selection.apply(result.report()), selection));
        } catch (InvalidParameter e) {
            send(request, response, 400, JsonRenderer.error(e));
        }
    }

    /**
     * Returns the tag of a report. It is a weak one, because elapsed times are not part of it. A view may cease to be
     * current before the revision changes, so the tag contains this too.
     */
    private String tag(TopologyReport report, Reporter reporter) {
        String over = report.view()
                .filter(view -> !view.current())
                .map(view -> "-over")
                .orElse("");
        return "W/\"" + report.view().map(View::number).orElse(0L) + over + "-" + report.revision() + "-" + run + "-"
                + Integer.toHexString(System.identityHashCode(reporter)) + "\"";
    }

    private static boolean isKnown(String tags, String tag) {
        return tags != null
                && Stream.of(tags.split(","))
                        .map(String::strip)
                        .anyMatch(known -> known.equals("*") || opaqueTag(known).equals(opaqueTag(tag)));
    }

    private static String opaqueTag(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    private static boolean isReadOnly(Request request) {
        return "GET".equals(request.method()) || "HEAD".equals(request.method());
    }

    private static void send(Request request, Response response, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        if ("HEAD".equals(request.method())) {
            response.sendHeaders(TYPE, bytes.length);
        } else {
            response.send(TYPE, bytes);
        }
    }
}
