// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.io.IOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Event;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;
import org.apache.sling.discovery.commons.report.TopologyReport.Outsider;
import org.apache.sling.discovery.commons.report.TopologyReport.Transition;
import org.apache.sling.discovery.commons.report.TopologyReport.View;

/** Writes the pages that go into the frame of the web console. They are complete without the script. */
final class HtmlRenderer {
    /** The console's name for the plugin, which is the last part of its address. */
    static final String LABEL = "topology";

    /** The query parameter for ids that cannot stand in a path. */
    static final String INSTANCE = "instance";

    private static final Pattern PATH_SAFE = Pattern.compile("(?!res$)[A-Za-z0-9_-]{1,200}");
    private static final String CROWN = "M1 11.5h14l1-8.5l-4.2 2.8l-3.8-5.8l-3.8 5.8l-4.2-2.8z";

    private final String consoleRoot;
    private final ZoneId zone;

    /**
     * @param consoleRoot the path of the console, without a slash at the end
     * @param zone the time zone of the shown times
     */
    HtmlRenderer(String consoleRoot, ZoneId zone) {
        this.consoleRoot = consoleRoot;
        this.zone = zone;
    }

    /** Whether there is a page for an instance. */
    static boolean knows(TopologyReport report, String instanceId) {
        return report.clusters().stream()
                .flatMap(cluster -> cluster.instances().stream())
                .anyMatch(instance -> instance.id().equals(instanceId));
    }

    String overviewAddress() {
        return consoleRoot + "/" + LABEL;
    }

    String instanceAddress(String id) {
        return PATH_SAFE.matcher(id).matches()
                ? overviewAddress() + "/" + id
                : overviewAddress() + "?" + INSTANCE + "=" + Escape.url(id);
    }

    void inactive(Appendable out) throws IOException {
        new Page(new Html(out), new Times(0, zone)).inactive();
    }

    void overview(TopologyReport report, Appendable out) throws IOException {
        new Page(new Html(out), new Times(report.generatedMillis(), zone)).overview(report);
    }

    /** Writes the page of an instance, or one that says that there is no such instance. */
    void instance(TopologyReport report, String id, Appendable out) throws IOException {
        new Page(new Html(out), new Times(report.generatedMillis(), zone)).instance(report, id);
    }

    private final class Page {
        private final Html html;
        private final Times times;

        Page(Html html, Times times) {
            this.html = html;
            this.times = times;
        }

        void inactive() throws IOException {
            begin();
            beginStatus(State.INACTIVE);
            html.close();
            sentence("The discovery service is not active on this instance, so there is no topology to show.");
            html.close();
            html.element("h2", "Why that may be, and what to do");
            html.open("ul", "class", "dz-list");
            html.open("li").text("A discovery bundle is missing, stopped or not resolved. Look at ");
            html.element("a", "Bundles", "href", consoleRoot + "/bundles");
            html.text(" for names that begin with “Discovery” and start what is not active.")
                    .close();
            html.open("li").text("Its configuration was not accepted. Look at ");
            html.element("a", "Configuration", "href", consoleRoot + "/configMgr");
            html.text(" and at the log, which names the setting and the reason.")
                    .close();
            html.open("li").text("The container is still starting or has begun to stop. Wait a moment and reload.");
            html.close().close();
            end(overviewAddress());
        }

        void overview(TopologyReport report) throws IOException {
            begin();
            status(report);
            problems(Words.problems(report));
            facts(report);
            for (Cluster cluster : report.clusters()) {
                cluster(cluster);
            }
            outsiders(report.outsiders());
            listeners(report.listeners());
            events(report.recent().events());
            transitions(report.recent().transitions());
            end(overviewAddress());
        }

        void instance(TopologyReport report, String id) throws IOException {
            begin();
            html.open("p", "class", "dz-back")
                    .element("a", "‹ Topology", "href", overviewAddress())
                    .close();
            if (knows(report, id)) {
                for (Cluster cluster : report.clusters()) {
                    for (Instance instance : cluster.instances()) {
                        if (instance.id().equals(id)) {
                            instance(report, cluster, instance);
                        }
                    }
                }
            } else {
                unknown(report, id);
            }
            end(instanceAddress(id));
        }

        private void instance(TopologyReport report, Cluster cluster, Instance instance) throws IOException {
            html.open("h2", "class", "dz-title").text("Instance ").foreign(instance.id());
            badges(instance);
            html.close().line();
            notCurrent(report.view());
            html.open("dl", "class", "dz-facts", "data-key", "facts");
            fact("Cluster", cluster.id());
            fact(
                    "Place in the order",
                    instance.order() + " of " + cluster.instances().size());
            fact("Host", instance.host());
            fact("Process", pid(instance.pid()));
            fact("Working directory", instance.home());
            time("Started", instance.startedMillis());
            fact("Member node", instance.node());
            fact("Session", Words.session(instance));
            html.close().line();
            properties(instance.properties());
        }

        private void properties(Map<String, String> properties) throws IOException {
            html.open("h2").text("Properties").element("span", String.valueOf(properties.size()), "class", "dz-count");
            html.close().line();
            if (properties.isEmpty()) {
                nothing("This instance has announced no properties.");
                return;
            }
            beginTable("dz-properties", "Name", "Value");
            for (Map.Entry<String, String> property : new TreeMap<>(properties).entrySet()) {
                html.open("tr", "data-key", property.getKey());
                html.open("th", "scope", "row").foreign(property.getKey()).close();
                // Scrolls where it is long, so the keyboard must be able to get there.
                html.open("td", "data-label", "Value").open("div", "class", "dz-value", "tabindex", "0");
                html.foreign(property.getValue());
                html.close().close().close().line();
            }
            endTable();
        }

        private void unknown(TopologyReport report, String id) throws IOException {
            html.open("h2", "class", "dz-title")
                    .text("No instance ")
                    .foreign(id)
                    .text(" in the view")
                    .close()
                    .line();
            List<Outsider> outsiders = report.outsiders().stream()
                    .filter(outsider -> outsider.id().equals(id))
                    .toList();
            if (outsiders.isEmpty()) {
                html.element(
                        "p", "It may have left the topology since the link was made, or the id may be misspelled.");
            } else {
                html.element("p", "An instance of that name is alive, but outside the view:");
                outsiders(outsiders);
            }
            html.open("p").text("The ").element("a", "topology", "href", overviewAddress());
            html.text(" lists all instances, and under “Last events” those that came and went.")
                    .close();
        }

        private void status(TopologyReport report) throws IOException {
            beginStatus(State.of(report.state()));
            html.open("span", "class", "dz-since", "aria-live", "off").text(" since ");
            moment(report.status().sinceMillis());
            html.close().close();
            sentence(report.sentence());
            notCurrent(report.view());
            html.close().line();
        }

        private void beginStatus(State state) throws IOException {
            html.open("div", "class", "dz-status dz-" + state.tone(), "role", "status");
            html.open("p", "class", "dz-state");
            icon("dz-shape", "0 0 16 16", state.shape());
            html.element("strong", state.word());
        }

        private void sentence(String sentence) throws IOException {
            html.open("p", "class", "dz-sentence").foreign(sentence).close();
        }

        private void notCurrent(Optional<View> view) throws IOException {
            if (view.isPresent() && !view.get().current()) {
                html.element(
                        "p",
                        "View " + view.get().number() + " is not current. What is shown here is what was true last.",
                        "class",
                        "dz-stale-view");
            }
        }

        private void problems(List<String> problems) throws IOException {
            if (problems.isEmpty()) {
                return;
            }
            html.open("section", "class", "dz-problems", "data-key", "problems").open("h2");
            icon(
                    "dz-shape",
                    "0 0 16 16",
                    State.of(TopologyReport.State.SUSPENDED).shape());
            html.text("Needs attention").close();
            html.open("ul", "class", "dz-list");
            for (String problem : problems) {
                html.open("li").foreign(problem).close();
            }
            html.close().close().line();
        }

        private void facts(TopologyReport report) throws IOException {
            html.open("dl", "class", "dz-facts", "data-key", "facts");
            html.element("dt", "This instance").open("dd");
            linkIfKnown(report, report.localInstanceId());
            html.close();
            fact("Cluster", report.address());
            if (report.view().isPresent()) {
                View view = report.view().get();
                html.element("dt", "View").open("dd").text(view.number() + ", held since ");
                moment(view.sinceMillis());
                html.close();
                html.element("dt", "Why it came")
                        .open("dd")
                        .foreign(view.cause())
                        .close();
                html.element("dt", "Leader").open("dd");
                linkIfKnown(report, view.leaderId());
                html.text(" since ");
                moment(view.leaderSinceMillis());
                html.text(", token " + view.token()).close();
            } else {
                fact("View", "none yet");
            }
            html.close().line();
        }

        private void cluster(Cluster cluster) throws IOException {
            html.open("section", "data-key", cluster.id())
                    .open("h2")
                    .text("Cluster ")
                    .foreign(cluster.id());
            html.element("span", Words.count(cluster.instances().size(), "instance"), "class", "dz-count");
            if (cluster.local()) {
                html.element("span", "this cluster", "class", "dz-badge");
            }
            html.close().line();
            beginTable("", "#", "Instance", "Host", "Process", "Started", "Session", "Properties");
            for (Instance instance : cluster.instances()) {
                html.open("tr", "class", instance.local() ? "dz-local" : "dz-other", "data-key", instance.id());
                number("Place", String.valueOf(instance.order()));
                html.open("th", "scope", "row");
                link(instance.id());
                badges(instance);
                html.close();
                cell("Host", instance.host());
                number("Process", pid(instance.pid()));
                html.open("td", "data-label", "Started");
                moment(instance.startedMillis());
                html.close();
                session(instance);
                number("Properties", String.valueOf(instance.properties().size()));
                html.close().line();
            }
            endTable();
            html.close();
        }

        private void session(Instance instance) throws IOException {
            html.open("td", "data-label", "Session");
            if (instance.session().isEmpty()) {
                html.text("none");
            } else {
                html.foreign(instance.session()).text(" ");
                html.element("span", "timeout " + Times.duration(instance.sessionTimeoutMillis()), "class", "dz-ago");
            }
            html.close();
        }

        private void outsiders(List<Outsider> outsiders) throws IOException {
            if (outsiders.isEmpty()) {
                return;
            }
            html.open("section", "data-key", "outsiders").open("h2").text("Alive, but not in the view");
            html.element("span", String.valueOf(outsiders.size()), "class", "dz-count")
                    .close()
                    .line();
            beginTable("", "Instance", "Host", "Process", "Working directory", "Why");
            for (Outsider outsider : outsiders) {
                html.open("tr");
                html.open("th", "scope", "row").foreign(outsider.id()).close();
                cell("Host", outsider.host());
                number("Process", pid(outsider.pid()));
                cell("Working directory", outsider.home());
                html.open("td", "data-label", "Why", "class", "dz-wide")
                        .foreign(outsider.reason())
                        .close();
                html.close().line();
            }
            endTable();
            html.close();
        }

        private void listeners(List<Listener> listeners) throws IOException {
            html.open("section", "data-key", "listeners").open("h2").text("Listeners");
            html.element("span", String.valueOf(listeners.size()), "class", "dz-count")
                    .close()
                    .line();
            if (listeners.isEmpty()) {
                nothing("No topology event listener is registered on this instance.");
            } else {
                beginTable("", "Listener", "State");
                for (Listener listener : listeners) {
                    html.open(
                            "tr",
                            "class",
                            listener.pending() > 0 ? "dz-busy-row" : "dz-other",
                            "data-key",
                            listener.name());
                    html.open("th", "scope", "row").foreign(listener.name()).close();
                    cell("State", Words.listener(listener));
                    html.close().line();
                }
                endTable();
            }
            html.close();
        }

        private void events(List<Event> events) throws IOException {
            html.open("section", "data-key", "events")
                    .element("h2", "Last events")
                    .line();
            if (events.isEmpty()) {
                nothing("Listeners have been told nothing yet.");
            } else {
                beginTable("", "When", "Event", "View", "What changed");
                for (Event event : events) {
                    html.open("tr").open("td", "data-label", "When");
                    moment(event.millis());
                    html.close();
                    html.open("td", "data-label", "Event")
                            .element("code", event.type())
                            .close();
                    number("View", String.valueOf(event.viewNumber()));
                    html.open("td", "data-label", "What changed", "class", "dz-wide")
                            .foreign(event.details())
                            .close();
                    html.close().line();
                }
                endTable();
            }
            html.close();
        }

        private void transitions(List<Transition> transitions) throws IOException {
            html.open("section", "data-key", "transitions")
                    .element("h2", "Last transitions")
                    .line();
            if (transitions.isEmpty()) {
                nothing("The state has not changed yet.");
            } else {
                beginTable("", "When", "To", "Explanation");
                for (Transition transition : transitions) {
                    State to = State.of(transition.to());
                    html.open("tr").open("td", "data-label", "When");
                    moment(transition.millis());
                    html.close();
                    html.open("td", "data-label", "To", "class", "dz-to dz-" + to.tone());
                    html.open("span");
                    icon("dz-shape", "0 0 16 16", to.shape());
                    html.text(to.word()).close().close();
                    html.open("td", "data-label", "Explanation", "class", "dz-wide");
                    html.foreign(transition.sentence()).close();
                    html.close().line();
                }
                endTable();
            }
            html.close();
        }

        private void badges(Instance instance) throws IOException {
            if (instance.leader()) {
                html.text(" ").open("span", "class", "dz-badge dz-leader");
                icon("dz-crown", "0 0 16 12", CROWN);
                html.text("leader").close();
            }
            if (instance.local()) {
                html.text(" ").element("span", "this instance", "class", "dz-badge");
            }
        }

        /** A drawing that says nothing which the text beside it does not say. */
        private void icon(String styleClass, String viewBox, String path) throws IOException {
            html.open("svg", "class", styleClass, "viewBox", viewBox, "aria-hidden", "true");
            html.open("path", "d", path, "fill", "currentColor", "fill-rule", "evenodd")
                    .close()
                    .close();
        }

        private void link(String id) throws IOException {
            html.open("a", "href", instanceAddress(id)).foreign(id).close();
        }

        private void linkIfKnown(TopologyReport report, String id) throws IOException {
            if (knows(report, id)) {
                link(id);
            } else {
                html.foreign(id);
            }
        }

        private void moment(long millis) throws IOException {
            if (millis <= 0) {
                html.text("unknown");
                return;
            }
            html.element("time", times.absolute(millis), "datetime", times.machine(millis));
            html.text(" ").element("span", "(" + times.relative(millis) + ")", "class", "dz-ago");
        }

        private void fact(String name, String value) throws IOException {
            html.element("dt", name).open("dd").foreign(value).close();
        }

        private void time(String name, long millis) throws IOException {
            html.element("dt", name).open("dd");
            moment(millis);
            html.close();
        }

        private void cell(String label, String value) throws IOException {
            html.open("td", "data-label", label).foreign(value).close();
        }

        private void number(String label, String value) throws IOException {
            html.element("td", value, "data-label", label, "class", "dz-number");
        }

        private void nothing(String text) throws IOException {
            html.element("p", text, "class", "dz-nothing").line();
        }

        private void beginTable(String styleClass, String... headings) throws IOException {
            html.open("table", "class", ("dz-table " + styleClass).strip())
                    .open("thead")
                    .open("tr");
            for (String heading : headings) {
                html.element("th", heading, "scope", "col");
            }
            html.close().close().open("tbody").line();
        }

        private void endTable() throws IOException {
            html.close().close().line();
        }

        private static String pid(long pid) {
            return pid <= 0 ? "unknown" : String.valueOf(pid);
        }

        private void begin() throws IOException {
            html.open("div", "class", "dz")
                    .open("div", "id", "discovery-topology")
                    .line();
        }

        private void end(String address) throws IOException {
            if (times.nowMillis() > 0) {
                html.element("p", "As of " + times.absolute(times.nowMillis()) + ".", "class", "dz-footer");
            }
            html.close().line();
            html.open("p", "class", "dz-footer").element("a", "Reload", "href", address);
            html.element("span", "", "class", "dz-live").close().close().line();
            html.element("script", "", "src", overviewAddress() + "/res/topology.js", "defer", "")
                    .line();
        }
    }
}
