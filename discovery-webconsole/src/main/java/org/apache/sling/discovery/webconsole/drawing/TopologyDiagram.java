// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import java.io.IOException;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Outsider;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/**
 * The topology, drawn: clusters as groups, instances as nodes in their order. Each node is a drawing and a name of its own, so that
 * rows wrap to the width there is and names stay text.
 */
public final class TopologyDiagram {
    private static final int NAME_LENGTH = 18;
    private static final int HOST_LENGTH = 60;
    private static final int SMALL_NAME_LENGTH = 12;
    private static final int LARGE = 8;
    private static final int MEDIUM = 60;

    private static final String CIRCLE = "M36 20a20 20 0 1 0 0 40a20 20 0 1 0 0-40z";
    private static final String DIAMOND = "M36 16l24 24l-24 24l-24-24z";
    private static final String SQUARE = "M18 22h36v36h-36z";
    private static final String RING = "M36 15a25 25 0 1 0 0 50a25 25 0 1 0 0-50z";
    private static final String CROWN = "M25 14h22l2-13l-6.5 4.5l-6.5-5l-6.5 5l-6.5-4.5z";

    private final PageWriter sheet;
    private final Html html;

    public TopologyDiagram(PageWriter sheet) {
        this.sheet = sheet;
        this.html = sheet.html();
    }

    public void write(TopologyReport report) throws IOException {
        if (report.clusters().isEmpty() && report.outsiders().isEmpty()) {
            return;
        }
        boolean current = report.view().map(View::current).orElse(false);
        StateDisplay state = StateDisplay.of(report.state());
        html.open("section", "id", "dz-picture", "aria-label", "Picture of the topology");
        for (Cluster cluster : report.clusters()) {
            cluster(cluster, current || !cluster.local(), state);
        }
        if (!report.outsiders().isEmpty()) {
            outsiders(report);
        }
        html.close().line();
    }

    private void cluster(Cluster cluster, boolean current, StateDisplay state) throws IOException {
        int size = cluster.instances().size();
        html.open("div", "class", "dz-group", "id", ElementIds.of("dz-g", cluster.id()));
        html.open("h2").text("Cluster ");
        sheet.name(cluster.id());
        html.text(" ").element("span", Phrases.count(size, "instance"), "class", "dz-count");
        if (cluster.local()) {
            sheet.badge("this cluster");
        }
        html.close();
        html.open("ol", "class", "dz-nodes dz-" + scale(size)).line();
        for (Instance instance : cluster.instances()) {
            member(instance, size, current, state);
        }
        html.close().close().line();
    }

    private static String scale(int size) {
        if (size <= LARGE) {
            return "large";
        }
        return size <= MEDIUM ? "medium" : "small";
    }

    private void member(Instance instance, int size, boolean current, StateDisplay state) throws IOException {
        String name = Phrases.shortened(instance.id(), size <= MEDIUM ? NAME_LENGTH : SMALL_NAME_LENGTH);
        String where = where(instance.host(), instance.pid());
        String role = instance.leader() ? "leader" : "member";
        html.open("li", "id", ElementIds.of("dz-n", instance.node() + " " + instance.id()));
        html.open(
                "a",
                "class",
                "dz-node dz-" + (current ? "good" : state.tone()) + (instance.local() ? " dz-here" : ""),
                "href",
                sheet.at().instance(instance.id()),
                "data-id",
                instance.id(),
                "data-role",
                role,
                "title",
                instance.id(),
                "aria-label",
                name + " " + where + ", " + instance.order() + " of " + size + ", " + role
                        + (instance.local() ? ", this instance" : "") + (current ? "" : ", not current"));
        emblem(instance, current);
        label(name, where);
        if (instance.local()) {
            html.element("span", "this instance", "class", "dz-mark");
        }
        html.close().close().line();
    }

    private void emblem(Instance instance, boolean current) throws IOException {
        html.open("svg", "class", "dz-emblem", "viewBox", "0 0 72 72", "aria-hidden", "true");
        if (instance.local()) {
            path(current ? RING : "M36 10l30 30l-30 30l-30-30z", "dz-ring");
        }
        path(current ? CIRCLE : DIAMOND, "dz-body");
        if (instance.leader()) {
            path(CROWN, "dz-crowned");
        }
        html.element("text", String.valueOf(instance.order()), "x", "36", "y", "46", "class", "dz-order");
        html.close();
    }

    private void outsiders(TopologyReport report) throws IOException {
        html.open("div", "class", "dz-group dz-apart", "id", "dz-apart");
        html.open("h2").text("Outside the view ");
        html.element("span", String.valueOf(report.outsiders().size()), "class", "dz-count")
                .close();
        html.open("ul", "class", "dz-nodes dz-" + scale(report.outsiders().size()));
        for (Outsider outsider : report.outsiders()) {
            outsider(outsider);
        }
        html.close().close().line();
    }

    private void outsider(Outsider outsider) throws IOException {
        String name = Phrases.shortened(outsider.id(), NAME_LENGTH);
        String where = where(outsider.host(), outsider.pid());
        html.open("li");
        html.open(
                "a",
                "class",
                "dz-node dz-off",
                "href",
                sheet.at().instance(outsider.id()),
                "data-id",
                outsider.id(),
                "data-role",
                "outsider",
                "title",
                outsider.id() + ": " + outsider.reason(),
                "aria-label",
                name + " " + where + ", outside the view");
        html.open("svg", "class", "dz-emblem", "viewBox", "0 0 72 72", "aria-hidden", "true");
        path(SQUARE, "dz-dashed");
        html.element("text", "?", "x", "36", "y", "46", "class", "dz-order").close();
        label(name, where);
        html.close().close().line();
    }

    private static String where(String host, long pid) {
        return Phrases.shortened(host, HOST_LENGTH) + ":" + Phrases.pid(pid);
    }

    private void label(String name, String where) throws IOException {
        html.open("span", "class", "dz-name").foreign(name).close();
        html.open("span", "class", "dz-where").foreign(where).close();
    }

    private void path(String outline, String styleClass) throws IOException {
        html.open("path", "d", outline, "class", styleClass).close();
    }
}
