// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import java.io.IOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.Change;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Connection;
import org.apache.sling.discovery.commons.report.TopologyReport.Event;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;
import org.apache.sling.discovery.commons.report.TopologyReport.PropertyChange;
import org.apache.sling.discovery.commons.report.TopologyReport.Recent;
import org.apache.sling.discovery.commons.report.TopologyReport.Transition;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.format.ConnectorDisplay;
import org.apache.sling.discovery.webconsole.format.Escape;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.format.Times;

/**
 * Writes a report, or a part of it, as plain text with one fact a line, for a terminal, a mail or a diff. Only very
 * long values are truncated.
 */
public final class TextRenderer {
    private final TopologyReport report;
    private final Times times;
    private final Appendable out;
    private final TextLines lines;

    public TextRenderer(TopologyReport report, ZoneId zone, Appendable out) {
        this.report = report;
        this.times = new Times(report.generatedMillis(), zone);
        this.out = out;
        this.lines = new TextLines(out);
    }

    /** Writes the whole report. */
    public void writeAll() throws IOException {
        status();
        if (report.view().isPresent()) {
            view(report.view().get());
        }
        problems();
        states();
        writeClusters();
        writeConnectors();
        obstacles();
        recent(report.recent());
        writeHistory();
    }

    /** Writes the state of this instance and its reasons. */
    public void writeExplanation() throws IOException {
        status();
        problems();
        states();
        obstacles();
    }

    public void writeClusters() throws IOException {
        for (Cluster cluster : report.clusters()) {
            lines.heading("Cluster " + cluster.id()
                    + (cluster.local()
                            ? ", this instance's"
                            : ", " + ConnectorDisplay.source(cluster, report.names())));
            for (Instance instance : cluster.instances()) {
                instance(instance);
            }
        }
    }

    /** Writes the connectors of this instance. */
    public void writeConnectors() throws IOException {
        new ConnectorText(report, times, lines).write();
    }

    public void writeHistory() throws IOException {
        new HistoryText(times, lines).write(report.history());
    }

    private void status() throws IOException {
        lines.fact(
                "State",
                StateDisplay.of(report.state()).word() + " since "
                        + times.absoluteAndRelative(report.status().sinceMillis()));
        lines.fact("", report.sentence());
        lines.fact("This instance", report.names().label(report.localInstanceId()));
        if (report.view().isPresent()) {
            leader(report.view().get());
        }
        if (report.change().isPresent()) {
            Change change = report.change().get();
            lines.fact("Change", change.cause() + ", since " + times.absoluteAndRelative(change.sinceMillis()));
        }
        if (report.lastChange().isPresent()) {
            Change.Settled last = report.lastChange().get();
            lines.fact(
                    "Last change",
                    last.cause() + ", settled " + times.absoluteAndRelative(last.settledMillis()) + " after "
                            + Times.duration(last.tookMillis()));
        }
        if (report.ifStopped().isPresent()) {
            lines.fact("If it stops", report.ifStopped().get().sentence());
        }
        lines.fact("Cluster", report.address());
        lines.fact("Connection", report.connection().map(this::connection).orElse("none"));
        lines.fact("Generated", times.absolute(report.generatedMillis()));
    }

    private String connection(Connection connection) {
        StringBuilder text = new StringBuilder("session ").append(connection.session());
        text.append(connection.usable() ? "" : ", not connected now");
        text.append(", timeout ").append(Times.duration(connection.timeoutMillis()));
        connection.roundTripMillis().ifPresent(millis -> text.append(", last round trip ")
                .append(Times.duration(millis)));
        connection.heardMillis().ifPresent(millis -> text.append(", last completed request ")
                .append(times.absoluteAndRelative(millis)));
        return text.toString();
    }

    private void leader(View view) throws IOException {
        lines.fact(
                view.current() ? "Leader" : "Was leader",
                view.leader() + " since " + times.absoluteAndRelative(view.leaderSinceMillis()));
    }

    private void view(View view) throws IOException {
        lines.heading("View " + view.number() + (view.current() ? "" : ", not current"));
        lines.fact("Leader id", view.leaderId());
        lines.fact("Token", String.valueOf(view.token()));
        lines.fact("Held since", times.absoluteAndRelative(view.sinceMillis()));
        lines.fact("Cause", view.cause());
    }

    private void problems() throws IOException {
        List<String> problems = Phrases.problems(report);
        if (!problems.isEmpty()) {
            lines.heading("Problems");
        }
        for (String problem : problems) {
            lines.item(problem);
        }
    }

    /** Writes one line for each instance, whether it is in the view, outside of it, or left a short time ago. */
    private void states() throws IOException {
        List<Instance> all = Stream.of(
                        report.clusters().stream()
                                .filter(Cluster::local)
                                .flatMap(cluster -> cluster.instances().stream()),
                        report.outsiders().stream(),
                        report.recentlyLeft().stream())
                .flatMap(each -> each)
                .toList();
        if (!all.isEmpty()) {
            lines.heading("Instances");
        }
        for (Instance instance : all) {
            String position = instance.position() > 0 ? instance.position() + ". " : "-  ";
            OptionalLong since = instance.status().sinceMillis();
            lines.item(position + instance.label() + marks(instance) + ": " + Phrases.status(instance.status())
                    + (since.isPresent() ? ", since " + times.absoluteAndRelative(since.getAsLong()) : ""));
        }
        remotes();
    }

    private void remotes() throws IOException {
        List<Cluster> remote =
                report.clusters().stream().filter(each -> !each.local()).toList();
        if (!remote.isEmpty()) {
            lines.heading("Remote clusters");
        }
        for (Cluster cluster : remote) {
            lines.item(cluster.id() + ": " + Phrases.count(cluster.instances().size(), "instance")
                    + cluster.leader()
                            .map(leader -> ", leader " + leader.label())
                            .orElse("") + ", "
                    + ConnectorDisplay.source(cluster, report.names()));
        }
    }

    private static String marks(Instance instance) {
        return (instance.leader() ? " [leader]" : "")
                + (instance.wasLeader() ? " [was leader]" : "")
                + (instance.local() ? " [this instance]" : "");
    }

    private void instance(Instance instance) throws IOException {
        out.append("  ").append(String.valueOf(instance.position())).append(". ");
        Optional<String> name = instance.name().filter(given -> !given.equals(instance.id()));
        if (name.isPresent()) {
            out.append(Escape.line(name.get())).append(' ');
        }
        out.append(Escape.line(instance.id())).append(marks(instance)).append('\n');
        lines.detail("state " + Phrases.status(instance.status()));
        boolean known = !instance.node().isEmpty();
        if (known) {
            lines.detail("host " + instance.host());
            lines.detail("pid " + Phrases.pid(instance.pid()));
            lines.detail("home " + instance.home());
            lines.detail("started " + times.absoluteAndRelative(instance.startedMillis()));
            lines.detail("joined " + times.absoluteAndRelative(instance.joinedMillis()));
        }
        if (instance.console().isPresent()) {
            lines.detail("console " + instance.console().get());
        }
        if (known) {
            lines.detail("member node " + instance.node());
            lines.detail("session " + Phrases.session(instance));
        }
        lines.detail("properties " + instance.properties().size());
        for (Map.Entry<String, String> property : new TreeMap<>(instance.properties()).entrySet()) {
            lines.named(property.getKey(), property.getValue());
        }
    }

    private void obstacles() throws IOException {
        if (!report.outsiders().isEmpty()) {
            lines.heading("Alive, but not in the view");
        }
        for (Instance outsider : report.outsiders()) {
            lines.item(outsider.id() + " at " + outsider.host() + ", pid " + outsider.pid() + ", " + outsider.home()
                    + ": " + Phrases.status(outsider.status()));
        }
        lines.heading("Listeners");
        for (Listener listener : report.listeners()) {
            lines.item(listener.name() + ": " + Phrases.listener(listener));
        }
    }

    private void recent(Recent recent) throws IOException {
        lines.heading("Last events, newest first");
        for (Event event : recent.events()) {
            lines.item(times.absolute(event.millis()) + " " + event.type() + " view " + event.viewNumber() + ": "
                    + event.details());
        }
        lines.heading("Last transitions, newest first");
        for (Transition transition : recent.transitions()) {
            lines.item(times.absolute(transition.millis()) + " " + transition.to() + ": " + transition.sentence());
        }
        lines.heading("Last property changes, newest first");
        for (PropertyChange change : recent.propertyChanges()) {
            lines.item(times.absolute(change.millis()) + " " + change.instanceId());
            lines.named(change.name() + " before", change.before().orElse("(absent)"));
            lines.named(change.name() + " after", change.after().orElse("(absent)"));
        }
    }
}
