// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.json;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.report.Change;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.HistorySums;
import org.apache.sling.discovery.commons.report.IfStopped;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Connection;
import org.apache.sling.discovery.commons.report.TopologyReport.Countdown;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;
import org.apache.sling.discovery.commons.report.TopologyReport.Recent;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.query.Selection;

/** Renders a report, or a part of it, as JSON that is valid by the published schema. */
public final class JsonRenderer {
    /** The version of the schema, which changes when a document of the previous version may no longer be valid. */
    static final int SCHEMA = 4;

    private JsonRenderer() {}

    /** Returns the whole report. The selection only appears as a part of it; it has been applied before. */
    public static String document(TopologyReport report, Selection selection) {
        return JsonObjectWriter.object(json -> {
            json.number("schema", SCHEMA).number("generatedMillis", report.generatedMillis());
            json.number("revision", report.revision());
            json.object("selection", each -> each.text("filter", selection.filterText())
                    .number("since", selection.since()));
            json.text("localInstanceId", report.localInstanceId()).text("address", report.address());
            explanation(json, report);
            json.object("connection", report.connection(), JsonRenderer::connection);
            json.object("view", report.view(), JsonRenderer::view);
            json.list("clusters", report.clusters(), JsonRenderer::cluster);
            json.object("connectors", each -> connectors(each, report.connectors()));
            json.object("recent", each -> recent(each, report.recent()));
            json.object("history", each -> history(each, report));
        });
    }

    /** Returns the clusters with their instances. */
    public static String clusters(TopologyReport report) {
        return JsonObjectWriter.list(report.clusters(), JsonRenderer::cluster);
    }

    /** Returns the connectors of this instance. */
    public static String connectors(TopologyReport report) {
        return JsonObjectWriter.object(json -> connectors(json, report.connectors()));
    }

    /** Returns the history. */
    public static String history(TopologyReport report) {
        return JsonObjectWriter.object(json -> history(json, report));
    }

    /** Returns the state of this instance and its reasons. */
    public static String explanation(TopologyReport report) {
        return JsonObjectWriter.object(json -> explanation(json, report));
    }

    public static String tree(StoreTree tree) {
        return JsonObjectWriter.object(json -> json.number("readMillis", tree.readMillis())
                .flag("complete", tree.complete())
                .list("nodes", tree.nodes(), JsonRenderer::node));
    }

    /** Returns the result of an action. */
    public static String outcome(String sentence) {
        return JsonObjectWriter.object(json -> json.number("schema", SCHEMA).text("sentence", sentence));
    }

    public static String error(String message) {
        return error(message, error -> error.text("parameter", Optional.empty())
                .text("value", Optional.empty())
                .text("example", Optional.empty()));
    }

    public static String error(InvalidParameter invalid) {
        return error(invalid.getMessage(), error -> error.text("parameter", invalid.parameter())
                .text("value", invalid.value())
                .text("example", invalid.example()));
    }

    private static String error(String message, JsonObjectWriter.Content details) {
        return JsonObjectWriter.object(json -> json.number("schema", SCHEMA).object("error", error -> {
            error.text("message", message);
            details.write(error);
        }));
    }

    private static void explanation(JsonObjectWriter json, TopologyReport report) throws IOException {
        json.object("status", status -> status.text("state", report.state().name())
                .text("sentence", report.sentence())
                .number("sinceMillis", report.status().sinceMillis())
                .object("countdown", report.status().countdown(), JsonRenderer::countdown));
        Health health = Health.of(report);
        json.object("health", each -> each.text("status", health.status().name())
                .list("findings", health.findings(), (finding, value) -> finding.text(
                                "status", value.status().name())
                        .text("sentence", value.sentence())));
        json.list("outsiders", report.outsiders(), JsonRenderer::instance);
        json.list("recentlyLeft", report.recentlyLeft(), JsonRenderer::instance);
        json.object("change", report.change(), JsonRenderer::change);
        json.object("lastChange", report.lastChange(), JsonRenderer::lastChange);
        json.object("ifStopped", report.ifStopped(), JsonRenderer::ifStopped);
        json.list("listeners", report.listeners(), JsonRenderer::listener);
        json.texts("problems", report.problems());
    }

    private static void connection(JsonObjectWriter json, Connection connection) throws IOException {
        json.text("session", connection.session())
                .number("timeoutMillis", connection.timeoutMillis())
                .flag("usable", connection.usable())
                .number("roundTripMillis", connection.roundTripMillis())
                .number("heardMillis", connection.heardMillis());
    }

    private static void view(JsonObjectWriter json, View view) throws IOException {
        json.number("number", view.number())
                .number("token", view.token())
                .text("leaderId", view.leaderId())
                .text("leader", view.leader())
                .number("leaderSinceMillis", view.leaderSinceMillis())
                .flag("current", view.current())
                .number("sinceMillis", view.sinceMillis())
                .text("cause", view.cause());
    }

    private static void cluster(JsonObjectWriter json, Cluster cluster) throws IOException {
        json.text("id", cluster.id())
                .flag("local", cluster.local())
                .texts("way", cluster.way())
                .list("instances", cluster.instances(), JsonRenderer::instance);
    }

    private static void instance(JsonObjectWriter json, Instance instance) throws IOException {
        json.number("position", instance.position())
                .text("id", instance.id())
                .text("name", instance.name())
                .text("label", instance.label())
                .object("status", each -> status(each, instance.status()))
                .flag("leader", instance.leader())
                .flag("wasLeader", instance.wasLeader())
                .flag("local", instance.local())
                .text("node", known(instance.node()))
                .text("host", known(instance.host()))
                .number("pid", known(instance.pid()))
                .text("home", known(instance.home()))
                .number("startedMillis", known(instance.startedMillis()))
                .number("joinedMillis", known(instance.joinedMillis()))
                .text("console", instance.console())
                .text("session", known(instance.session()))
                .number("sessionTimeoutMillis", known(instance.sessionTimeoutMillis()))
                .texts("properties", instance.properties());
    }

    private static Optional<String> known(String text) {
        return Optional.of(text).filter(each -> !each.isEmpty());
    }

    private static OptionalLong known(long number) {
        return number > 0 ? OptionalLong.of(number) : OptionalLong.empty();
    }

    private static void connectors(JsonObjectWriter json, ConnectorReport connectors) throws IOException {
        json.flag("configured", connectors.configured())
                .text("endpoint", connectors.endpoint())
                .number("pingTimeoutMillis", connectors.pingTimeoutMillis())
                .list("outgoing", connectors.outgoing(), JsonRenderer::outgoing)
                .list("incoming", connectors.incoming(), JsonRenderer::incoming)
                .list("refusals", connectors.refusals(), JsonRenderer::refusal);
    }

    private static void outgoing(JsonObjectWriter json, ConnectorReport.Outgoing connector) throws IOException {
        json.texts("urls", connector.urls())
                .text("url", connector.url())
                .text("state", connector.state().name())
                .text("sentence", connector.sentence())
                .number("sinceMillis", connector.sinceMillis())
                .text("peer", connector.peer())
                .number("exchangedMillis", connector.exchangedMillis())
                .number("nextPingMillis", connector.nextPingMillis())
                .number("expiresMillis", connector.expiresMillis())
                .object("traffic", each -> traffic(each, connector.traffic()));
    }

    private static void incoming(JsonObjectWriter json, ConnectorReport.Incoming connector) throws IOException {
        json.text("ownerId", connector.ownerId())
                .text("serverInfo", connector.serverInfo())
                .text("address", connector.address())
                .text("clusterId", connector.clusterId())
                .number("sinceMillis", connector.sinceMillis())
                .number("pingedMillis", connector.pingedMillis())
                .number("expiresMillis", connector.expiresMillis())
                .number("backoffSeconds", connector.backoffSeconds())
                .object("traffic", each -> traffic(each, connector.traffic()));
    }

    private static void traffic(JsonObjectWriter json, ConnectorReport.Traffic traffic) throws IOException {
        json.number("requests", traffic.requests())
                .number("failures", traffic.failures())
                .number("bytesSent", traffic.bytesSent())
                .number("bytesReceived", traffic.bytesReceived());
    }

    private static void refusal(JsonObjectWriter json, ConnectorReport.Refusal refusal) throws IOException {
        json.text("sender", refusal.sender())
                .number("status", refusal.status())
                .text("reason", refusal.reason())
                .number("count", refusal.count())
                .number("firstMillis", refusal.firstMillis())
                .number("lastMillis", refusal.lastMillis());
    }

    private static void status(JsonObjectWriter json, InstanceStatus status) throws IOException {
        json.text("state", status.state().name())
                .text("reason", status.reason())
                .text("listener", status.listener())
                .number("sinceMillis", status.sinceMillis());
    }

    private static void change(JsonObjectWriter json, Change change) throws IOException {
        json.text("cause", change.cause())
                .number("sinceMillis", change.sinceMillis())
                .list("gone", change.gone(), JsonRenderer::concerned)
                .list("joining", change.joining(), JsonRenderer::concerned)
                .list("awaited", change.awaited(), JsonRenderer::concerned)
                .list("acknowledged", change.acknowledged(), JsonRenderer::concerned)
                .text("next", change.next())
                .object("countdown", change.countdown(), JsonRenderer::countdown);
    }

    private static void concerned(JsonObjectWriter json, Change.Concerned concerned) throws IOException {
        json.text("id", concerned.id())
                .text("label", concerned.label())
                .object("status", each -> status(each, concerned.status()));
    }

    private static void lastChange(JsonObjectWriter json, Change.Settled change) throws IOException {
        json.number("number", change.number())
                .text("cause", change.cause())
                .number("sinceMillis", change.sinceMillis())
                .number("settledMillis", change.settledMillis())
                .number("tookMillis", change.tookMillis());
    }

    private static void ifStopped(JsonObjectWriter json, IfStopped stopped) throws IOException {
        json.flag("leads", stopped.leads())
                .text("leaderId", stopped.leaderId())
                .texts("leaseUsers", stopped.leaseUsers())
                .text("sentence", stopped.sentence());
    }

    private static void countdown(JsonObjectWriter json, Countdown countdown) throws IOException {
        json.text("what", countdown.what()).number("atMillis", countdown.atMillis());
    }

    private static void listener(JsonObjectWriter json, Listener listener) throws IOException {
        json.text("name", listener.name())
                .number("pending", listener.pending())
                .number("busyMillis", listener.busyMillis());
    }

    private static void recent(JsonObjectWriter json, Recent recent) throws IOException {
        json.list("events", recent.events(), (each, event) -> each.number("millis", event.millis())
                .text("type", event.type())
                .number("viewNumber", event.viewNumber())
                .text("details", event.details()));
        json.list("transitions", recent.transitions(), (each, transition) -> each.number("millis", transition.millis())
                .text("to", transition.to().name())
                .text("sentence", transition.sentence()));
        json.list("propertyChanges", recent.propertyChanges(), (each, change) -> each.number("millis", change.millis())
                .text("instanceId", change.instanceId())
                .text("name", change.name())
                .text("before", change.before())
                .text("after", change.after()));
    }

    private static void history(JsonObjectWriter json, TopologyReport report) throws IOException {
        History history = report.history();
        json.list("entries", history.entries(), JsonRenderer::entry)
                .texts("problems", history.problems())
                .object("sums", each -> sums(each, HistorySums.of(history, report.generatedMillis())));
    }

    private static void sums(JsonObjectWriter json, HistorySums sums) throws IOException {
        json.number("changes", sums.changes())
                .number("leaderMoves", sums.leaderMoves())
                .number("medianMillis", sums.medianMillis())
                .number("longestMillis", sums.longestMillis())
                .number("longestView", sums.longestView())
                .list("hours", sums.hours(), (each, hour) -> each.number("startMillis", hour.startMillis())
                        .number("changes", hour.changes())
                        .number("leaderMoves", hour.leaderMoves()));
    }

    private static void entry(JsonObjectWriter json, History.Entry entry) throws IOException {
        json.number("number", entry.number())
                .number("previous", entry.previous())
                .number("token", entry.token())
                .number("leaderSinceMillis", entry.leaderSinceMillis())
                .number("publishedMillis", entry.publishedMillis())
                .number("changingMillis", entry.changingMillis())
                .text("publisher", entry.publisher())
                .text("leader", entry.leader())
                .number("size", entry.size())
                .list("members", entry.members(), JsonRenderer::participant)
                .list("joined", entry.joined(), JsonRenderer::participant)
                .list("left", entry.left(), JsonRenderer::departed)
                .texts("leftOut", entry.leftOut())
                .text("cause", entry.cause())
                .text("outage", entry.outage());
    }

    private static void participant(JsonObjectWriter json, History.Participant participant) throws IOException {
        json.text("id", participant.id()).text("node", participant.node());
    }

    private static void departed(JsonObjectWriter json, History.Departed departed) throws IOException {
        participant(json, departed.who());
        json.text("kind", departed.kind()).text("by", departed.by()).text("words", departed.words());
    }

    private static void node(JsonObjectWriter json, StoreTree.Node node) throws IOException {
        json.text("path", node.path())
                .text("kind", node.kind())
                .text("owner", node.owner())
                .number("bytes", node.bytes())
                .text("creation", node.creation())
                .number("createdMillis", node.createdMillis())
                .number("modifiedMillis", node.modifiedMillis())
                .number("version", node.version())
                .list("record", node.record(), (each, field) -> each.text("name", field.name())
                        .text("value", field.value()))
                .text("problem", node.problem());
    }
}
