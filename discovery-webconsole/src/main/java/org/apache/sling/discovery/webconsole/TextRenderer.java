// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.io.IOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Event;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;
import org.apache.sling.discovery.commons.report.TopologyReport.Outsider;
import org.apache.sling.discovery.commons.report.TopologyReport.Transition;
import org.apache.sling.discovery.commons.report.TopologyReport.View;

/** Writes a report as plain text: one fact a line, for a terminal, a mail or a diff. Only very long values are cut. */
final class TextRenderer {
    private static final int LONGEST_VALUE = 1_000;

    private final ZoneId zone;

    TextRenderer(ZoneId zone) {
        this.zone = zone;
    }

    void render(Optional<TopologyReport> report, Appendable out) throws IOException {
        if (report.isEmpty()) {
            out.append("The discovery service is not active.\n");
        } else {
            new Page(out, new Times(report.get().generatedMillis(), zone)).report(report.get());
        }
    }

    private record Page(Appendable out, Times times) {

        void report(TopologyReport report) throws IOException {
            fact(
                    "State",
                    State.of(report.state()).word() + " since "
                            + times.both(report.status().sinceMillis()));
            fact("", report.sentence());
            fact("This instance", report.localInstanceId());
            fact("Cluster", report.address());
            fact("Generated", times.absolute(report.generatedMillis()));
            if (report.view().isPresent()) {
                view(report.view().get());
            }
            List<String> problems = Words.problems(report);
            if (!problems.isEmpty()) {
                heading("Problems");
                for (String problem : problems) {
                    item(problem);
                }
            }
            for (Cluster cluster : report.clusters()) {
                cluster(cluster);
            }
            if (!report.outsiders().isEmpty()) {
                heading("Live, but not in the view");
                for (Outsider outsider : report.outsiders()) {
                    item(outsider.id() + " at " + outsider.host() + ", pid " + outsider.pid() + ", " + outsider.home()
                            + ": " + outsider.reason());
                }
            }
            heading("Listeners");
            for (Listener listener : report.listeners()) {
                item(listener.name() + ": " + Words.listener(listener));
            }
            heading("Last events, newest first");
            for (Event event : report.recent().events()) {
                item(times.absolute(event.millis()) + " " + event.type() + " view " + event.viewNumber() + ": "
                        + event.details());
            }
            heading("Last transitions, newest first");
            for (Transition transition : report.recent().transitions()) {
                item(times.absolute(transition.millis()) + " " + transition.to() + ": " + transition.sentence());
            }
        }

        private void view(View view) throws IOException {
            heading("View " + view.number() + (view.current() ? "" : ", not current"));
            fact("Leader", view.leaderId() + " since " + times.both(view.leaderSinceMillis()));
            fact("Token", String.valueOf(view.token()));
            fact("Held since", times.both(view.sinceMillis()));
            fact("Cause", view.cause());
        }

        private void cluster(Cluster cluster) throws IOException {
            heading("Cluster " + cluster.id() + (cluster.local() ? ", this instance's" : ""));
            for (Instance instance : cluster.instances()) {
                out.append("  ").append(String.valueOf(instance.order())).append(". ");
                out.append(Escape.line(instance.id()));
                out.append(instance.leader() ? " [leader]" : "").append(instance.local() ? " [this instance]" : "");
                out.append('\n');
                detail("host", instance.host());
                detail("pid", String.valueOf(instance.pid()));
                detail("home", instance.home());
                detail("started", times.both(instance.startedMillis()));
                detail("member node", instance.node());
                detail("session", Words.session(instance));
                detail("properties", String.valueOf(instance.properties().size()));
                for (Map.Entry<String, String> property : new TreeMap<>(instance.properties()).entrySet()) {
                    out.append("       ").append(Escape.line(property.getKey())).append(" = ");
                    out.append(Escape.line(cut(property.getValue()))).append('\n');
                }
            }
        }

        private static String cut(String value) {
            return value.length() <= LONGEST_VALUE
                    ? value
                    : value.substring(0, LONGEST_VALUE) + " … (" + value.length() + " characters)";
        }

        private void heading(String text) throws IOException {
            out.append('\n').append(Escape.line(text)).append('\n');
        }

        private void fact(String name, String value) throws IOException {
            String label = name.isEmpty() ? "" : name + ":";
            out.append(label)
                    .append(" ".repeat(15 - label.length()))
                    .append(Escape.line(value))
                    .append('\n');
        }

        private void detail(String name, String value) throws IOException {
            out.append("     ")
                    .append(name)
                    .append(' ')
                    .append(Escape.line(value))
                    .append('\n');
        }

        private void item(String text) throws IOException {
            out.append("  ").append(Escape.line(text)).append('\n');
        }
    }
}
