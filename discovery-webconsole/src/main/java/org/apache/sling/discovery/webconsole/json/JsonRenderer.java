// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Status;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.query.Fields;
import org.apache.sling.discovery.webconsole.query.InstanceFilter;
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
        Fields fields = new Fields(report.names());
        Map<String, Object> document = versioned();
        document.putAll(fields.of(report));
        document.remove("names");
        document.putAll(explained(report));
        Map<String, Object> selected = new LinkedHashMap<>();
        selected.put("filter", selection.filter().map(InstanceFilter::text).orElse(null));
        selected.put("since", selection.since().isPresent() ? selection.since().getAsLong() : null);
        document.put("selection", selected);
        return JsonWriter.write(fields, document);
    }

    /** Returns the clusters with their instances. */
    public static String clusters(TopologyReport report) {
        return JsonWriter.write(new Fields(report.names()), report.clusters());
    }

    /** Returns the connectors of this instance. */
    public static String connectors(TopologyReport report) {
        return write(report.connectors());
    }

    /** Returns the history. */
    public static String history(TopologyReport report) {
        return JsonWriter.write(new Fields(report.names()), report.history());
    }

    /** Returns the state of this instance and its reasons. */
    public static String explanation(TopologyReport report) {
        return JsonWriter.write(new Fields(report.names()), explained(report));
    }

    private static Map<String, Object> explained(TopologyReport report) {
        Fields all = new Fields(report.names());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("status", status(report.status(), report.sentence()));
        Health health = Health.of(report);
        Map<String, Object> judgement = new LinkedHashMap<>();
        judgement.put("status", health.status());
        judgement.put("findings", health.findings());
        fields.put("health", judgement);
        fields.put("outsiders", report.outsiders());
        fields.put("recentlyLeft", report.recentlyLeft());
        fields.put(
                "change",
                report.change().map(change -> change(report, all.of(change))).orElse(null));
        fields.put("lastChange", report.situation().lastChange().orElse(null));
        fields.put("ifStopped", report.ifStopped().orElse(null));
        fields.put("listeners", report.listeners());
        fields.put("problems", report.problems());
        return fields;
    }

    private static Map<String, Object> status(Status status, String sentence) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("state", status.state());
        fields.put("sentence", sentence);
        fields.put("sinceMillis", status.sinceMillis());
        fields.put("countdown", status.countdown().orElse(null));
        return fields;
    }

    private static Map<String, Object> change(TopologyReport report, Map<String, Object> change) {
        change.put("gone", concerned(report, InstanceState.GONE, InstanceState.EXCLUDED));
        change.put("joining", concerned(report, InstanceState.JOINING));
        change.put("awaited", concerned(report, InstanceState.AWAITED));
        change.put("acknowledged", concerned(report, InstanceState.ACKNOWLEDGED));
        change.put("next", report.names().sentence(report.status().reasons()));
        change.put("countdown", report.status().countdown().orElse(null));
        return change;
    }

    private static List<Map<String, Object>> concerned(TopologyReport report, InstanceState... states) {
        return report.concerned(states).stream()
                .map(each -> Map.of("id", each.id(), "label", each.label(), "status", each.status()))
                .toList();
    }

    /** Returns the status of an instance as a small document for scripts. */
    public static String status(TopologyReport report) {
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
        return write(status);
    }

    /** Returns the nodes of the store. */
    public static String tree(StoreTree tree) {
        return write(tree);
    }

    /** Returns the result of an action. */
    public static String outcome(String sentence) {
        Map<String, Object> outcome = versioned();
        outcome.put("sentence", sentence);
        return write(outcome);
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
        return write(error);
    }

    private static String write(Object value) {
        return JsonWriter.write(new Fields(InstanceNames.NONE), value);
    }

    private static Map<String, Object> versioned() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        return document;
    }
}
