// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.http;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.content.Phrases;
import org.apache.sling.discovery.webconsole.json.JsonRenderer;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.query.Selection;

/**
 * Answers requests for the report as a JSON document.
 *
 * @param reader reads the report with its history
 * @param tag returns the tag of a report of a reporter
 */
record Documents(ReportReader reader, BiFunction<TopologyReport, Reporter, String> tag) {
    private static final String FILTER = "filter";
    private static final String SINCE = "since";
    private static final String ONLY = "only";
    private static final String STATUS = "status";

    static Reply json(int status, String json) {
        return Reply.of(status, "application/json;charset=utf-8", json);
    }

    /**
     * Answers a request.
     *
     * @param reporter null when the discovery service is not active
     */
    Reply answer(Request request, Reporter reporter) {
        if (reporter == null) {
            return json(503, JsonRenderer.error(Phrases.INACTIVE));
        }
        try {
            InvalidParameter.rejectOthers(request.parameters(), List.of(FILTER, SINCE, ONLY), "since=42");
            return request.parameter(ONLY).isEmpty() ? whole(request, reporter) : status(request, reporter);
        } catch (InvalidParameter e) {
            return json(400, JsonRenderer.error(e));
        }
    }

    private Reply status(Request request, Reporter reporter) throws InvalidParameter {
        String only = request.parameter(ONLY);
        if (!only.equals(STATUS)) {
            throw new InvalidParameter(ONLY, only, "it is not the name of a part", STATUS);
        }
        for (String other : List.of(FILTER, SINCE)) {
            if (request.parameters().containsKey(other)) {
                throw new InvalidParameter(
                        other, request.parameter(other), "the status has nothing to select from", "only=status alone");
            }
        }
        TopologyReport report = reporter.report();
        return Reply.tagged(
                        request, Optional.of(tag.apply(report, reporter)), () -> json(200, JsonRenderer.status(report)))
                .with("Cache-Control", "private, no-cache");
    }

    private Reply whole(Request request, Reporter reporter) throws InvalidParameter {
        Selection selection = Selection.parse(request.parameter(FILTER), request.parameter(SINCE), "");
        ReportReader.Result result = reader.readReport(reporter);
        TopologyReport report = result.report();
        Optional<String> known = result.complete() ? Optional.of(tag.apply(report, reporter)) : Optional.empty();
        Reply reply = Reply.tagged(
                request, known, () -> json(200, JsonRenderer.document(selection.apply(report), selection)));
        return result.complete() ? reply.with("Cache-Control", "private, no-cache") : reply;
    }
}
