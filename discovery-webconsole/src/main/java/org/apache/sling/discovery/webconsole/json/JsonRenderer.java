// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.query.Fields;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.query.Selection;

/**
 * Renders a report, or a part of it, as JSON that is valid by the published schema. The fields are those of the records of the
 * report.
 */
public final class JsonRenderer {
    /** The version of the schema, which changes when a field goes or its meaning changes. */
    static final int SCHEMA = 5;

    private JsonRenderer() {}

    /** Returns the whole report. The selection only appears as a part of it; it has been applied before. */
    public static String document(TopologyReport report, Selection selection) {
        Map<String, Object> fields = Fields.of(report);
        fields.remove("names");
        fields.putAll(explained(report));
        Map<String, Object> document = versioned();
        document.putAll(fields);
        Map<String, Object> selected = new LinkedHashMap<>();
        selected.put("filter", selection.filterText().orElse(null));
        selected.put("since", selection.since().isPresent() ? selection.since().getAsLong() : null);
        document.put("selection", selected);
        return JsonWriter.write(document);
    }

    /** Returns the clusters with their instances. */
    public static String clusters(TopologyReport report) {
        return JsonWriter.write(report.clusters());
    }

    /** Returns the connectors of this instance. */
    public static String connectors(TopologyReport report) {
        return JsonWriter.write(report.connectors());
    }

    /** Returns the history. */
    public static String history(TopologyReport report) {
        return JsonWriter.write(report.history());
    }

    /** Returns the state of this instance and its reasons. */
    public static String explanation(TopologyReport report) {
        return JsonWriter.write(explained(report));
    }

    private static Map<String, Object> explained(TopologyReport report) {
        Map<String, Object> status = Fields.of(report.status());
        status.put("sentence", report.sentence());
        Health health = Health.of(report);
        Map<String, Object> judgement = new LinkedHashMap<>();
        judgement.put("status", health.status());
        judgement.put("findings", health.findings());
        Map<String, Object> all = Fields.of(report);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("status", status);
        fields.put("health", judgement);
        for (String part :
                new String[] {"outsiders", "recentlyLeft", "change", "lastChange", "ifStopped", "listeners", "problems"
                }) {
            fields.put(part, all.get(part));
        }
        return fields;
    }

    /** Returns the status of an instance as a small document for scripts. */
    static String status(TopologyReport report) {
        Optional<View> view = report.view();
        int members = report.clusters().stream()
                .filter(Cluster::local)
                .mapToInt(cluster -> cluster.instances().size())
                .sum();
        Map<String, Object> status = versioned();
        status.put("generatedMillis", report.generatedMillis());
        status.put("revision", report.revision());
        status.put("localInstanceId", report.localInstanceId());
        status.put("state", report.state());
        status.put("sentence", report.sentence());
        status.put("sinceMillis", report.status().sinceMillis());
        status.put("current", view.filter(View::current).isPresent());
        status.put("view", view.map(View::number).orElse(null));
        status.put("leader", view.map(View::leaderId).orElse(null));
        status.put("members", members);
        status.put("health", Health.of(report).status());
        status.put("problems", report.problems());
        return JsonWriter.write(status);
    }

    /** Returns the nodes of the store. */
    public static String tree(StoreTree tree) {
        return JsonWriter.write(tree);
    }

    /** Returns the result of an action. */
    public static String outcome(String sentence) {
        Map<String, Object> outcome = versioned();
        outcome.put("sentence", sentence);
        return JsonWriter.write(outcome);
    }

    public static String error(String message) {
        return error(message, null, null, null);
    }

    public static String error(InvalidParameter invalid) {
        return error(invalid.getMessage(), invalid.parameter(), invalid.value(), invalid.example());
    }

    private static String error(String message, String parameter, String value, String example) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("message", message);
        details.put("parameter", parameter);
        details.put("value", value);
        details.put("example", example);
        Map<String, Object> error = versioned();
        error.put("error", details);
        return JsonWriter.write(error);
    }

    private static Map<String, Object> versioned() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        return document;
    }
}
