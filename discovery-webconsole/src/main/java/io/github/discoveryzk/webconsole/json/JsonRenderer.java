// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.json;

import io.github.discoveryzk.report.Episode;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.ExplainedState;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.webconsole.section.AddedSections;
import io.github.discoveryzk.webconsole.section.RestartPlan;
import io.github.discoveryzk.webconsole.section.StatusSections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Renders a report as JSON that is valid by the published schema. The fields are those of the records of the report, with the
 * judgement on it and the sentences that need more than one record.
 */
public final class JsonRenderer {
    /** The version of the schema, which changes when a field goes or its meaning changes. */
    static final int SCHEMA = 5;

    private JsonRenderer() {}

    /**
     * Returns the document.
     *
     * @param reporter knows whether and when the container may be restarted
     * @param sections what other bundles add
     */
    public static String document(TopologyReport report, Reporter reporter, AddedSections sections) {
        ReportFields fields = new ReportFields(report.names());
        Map<String, Object> document = versioned();
        document.putAll(fields.of(report));
        document.remove("names");
        document.remove("noted");
        document.put("problems", report.problems());
        document.put("sections", sections.contents());
        document.put("restart", restart(report, reporter));
        document.put(
                "episodes",
                Episode.of(report.history()).stream()
                        .map(each -> episode(fields, each))
                        .toList());
        document.put("status", status(report.status(), report.sentence()));
        Health health = Health.of(report);
        document.put("health", Map.of("status", health.status(), "findings", health.findings()));
        return JsonWriter.write(fields, document);
    }

    private static Map<String, Object> episode(ReportFields fields, Episode episode) {
        Map<String, Object> all = fields.of(episode);
        all.put("sentence", episode.words(fields.names()));
        return all;
    }

    private static Map<String, Object> restart(TopologyReport report, Reporter reporter) {
        RestartPlan plan = RestartPlan.of(reporter);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("startup", plan.startup());
        fields.put("safeToStop", plan.objections().isEmpty());
        fields.put("objections", plan.objections());
        fields.put(
                "nextLeaderId",
                StatusSections.nextLeader(report).map(Instance::id).orElse(null));
        fields.put("order", plan.order());
        return fields;
    }

    private static Map<String, Object> status(ExplainedState status, String sentence) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("state", status.state());
        fields.put("sentence", sentence);
        fields.put("sinceMillis", status.sinceMillis());
        fields.put("countdown", status.countdown().orElse(null));
        return fields;
    }

    /** Returns why there is no document. */
    public static String error(String message) {
        Map<String, Object> error = versioned();
        error.put("error", Map.of("message", message));
        return JsonWriter.write(new ReportFields(InstanceNames.NONE), error);
    }

    private static Map<String, Object> versioned() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        return document;
    }
}
