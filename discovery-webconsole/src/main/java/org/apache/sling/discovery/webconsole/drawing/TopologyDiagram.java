// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/**
 * The topology as a drawing: clusters are groups, and instances are nodes in their order. Each node has a drawing and a
 * name of its own, so that rows wrap to the width of the window and names stay text.
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
    private static final String ROUND_RING = "M36 15a25 25 0 1 0 0 50a25 25 0 1 0 0-50z";
    private static final String DIAMOND_RING = "M36 10l30 30l-30 30l-30-30z";
    private static final String CROWN = "M25 14h22l2-13l-6.5 4.5l-6.5-5l-6.5 5l-6.5-4.5z";

    private final PageWriter page;
    private final Html html;

    public TopologyDiagram(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    public void write(TopologyReport report) throws IOException {
        if (report.clusters().isEmpty() && report.outsiders().isEmpty()) {
            return;
        }
        boolean current = report.view().map(View::current).orElse(false);
        StateDisplay state = StateDisplay.of(report.state());
        html.element("section", attr("id", "dz-picture").and("aria-label", "Diagram of the topology"), () -> {
                    for (Cluster cluster : report.clusters()) {
                        cluster(cluster, current || !cluster.local(), state);
                    }
                    if (!report.outsiders().isEmpty()) {
                        outsiders(report);
                    }
                })
                .line();
    }

    private void cluster(Cluster cluster, boolean current, StateDisplay state) throws IOException {
        int size = cluster.instances().size();
        Attributes group = attr("class", "dz-group").and("id", ElementIds.of("dz-g", cluster.id()));
        html.element("div", group, () -> {
                    html.element("h2", () -> {
                        html.text("Cluster ");
                        page.name(cluster.id());
                        html.text(" ").element("span", attr("class", "dz-count"), Phrases.count(size, "instance"));
                        if (cluster.local()) {
                            page.badge("this cluster");
                        }
                    });
                    html.element("ol", attr("class", "dz-nodes dz-" + scale(size)), () -> {
                        html.line();
                        for (Instance instance : cluster.instances()) {
                            member(instance, size, current, state);
                        }
                    });
                })
                .line();
    }

    private static String scale(int size) {
        if (size <= LARGE) {
            return "large";
        }
        return size <= MEDIUM ? "medium" : "small";
    }

    private void member(Instance instance, int size, boolean current, StateDisplay state) throws IOException {
        String name = Phrases.shorten(page.nameOrId(instance.id()), size <= MEDIUM ? NAME_LENGTH : SMALL_NAME_LENGTH);
        String where = where(instance.host(), instance.pid());
        String role = instance.leader() ? "leader" : "member";
        String tone = current ? "good" : state.tone();
        Attributes link = attr("class", "dz-node dz-" + tone + (instance.local() ? " dz-here" : ""))
                .and("href", page.addresses().instance(instance.id()))
                .and("data-id", instance.id())
                .and("data-role", role)
                .and("title", instance.id())
                .and(
                        "aria-label",
                        name + " " + where + ", " + instance.position() + " of " + size + ", " + role
                                + (instance.local() ? ", this instance" : "") + (current ? "" : ", not current"));
        String id = ElementIds.of("dz-n", instance.node() + " " + instance.id());
        html.element(
                        "li",
                        attr("id", id),
                        () -> html.element("a", link, () -> {
                            emblem(instance, current);
                            label(name, where);
                            if (instance.local()) {
                                html.element("span", attr("class", "dz-mark"), "this instance");
                            }
                        }))
                .line();
    }

    private void emblem(Instance instance, boolean current) throws IOException {
        emblem(String.valueOf(instance.position()), () -> {
            if (instance.local()) {
                path(current ? ROUND_RING : DIAMOND_RING, "dz-ring");
            }
            path(current ? CIRCLE : DIAMOND, "dz-body");
            if (instance.leader()) {
                path(CROWN, "dz-crowned");
            }
        });
    }

    private void emblem(String text, Html.Content outlines) throws IOException {
        Attributes svg = attr("class", "dz-emblem").and("viewBox", "0 0 72 72").and("aria-hidden", "true");
        html.element("svg", svg, () -> {
            outlines.write();
            html.element("text", attr("x", 36).and("y", 46).and("class", "dz-position"), text);
        });
    }

    private void outsiders(TopologyReport report) throws IOException {
        int count = report.outsiders().size();
        html.element("div", attr("class", "dz-group dz-apart").and("id", "dz-apart"), () -> {
                    html.element("h2", () -> html.text("Outside the view ")
                            .element("span", attr("class", "dz-count"), String.valueOf(count)));
                    html.element("ul", attr("class", "dz-nodes dz-" + scale(count)), () -> {
                        for (Instance outsider : report.outsiders()) {
                            outsider(outsider);
                        }
                    });
                })
                .line();
    }

    private void outsider(Instance outsider) throws IOException {
        String name = Phrases.shorten(outsider.id(), NAME_LENGTH);
        String where = where(outsider.host(), outsider.pid());
        Attributes link = attr("class", "dz-node dz-off")
                .and("href", page.addresses().instance(outsider.id()))
                .and("data-id", outsider.id())
                .and("data-role", "outsider")
                .and("title", outsider.id() + ": " + outsider.status().reason())
                .and("aria-label", name + " " + where + ", outside the view");
        html.element(
                        "li",
                        () -> html.element("a", link, () -> {
                            emblem("?", () -> path(SQUARE, "dz-dashed"));
                            label(name, where);
                        }))
                .line();
    }

    private static String where(String host, long pid) {
        return Phrases.shorten(host, HOST_LENGTH) + ":" + Phrases.pid(pid);
    }

    private void label(String name, String where) throws IOException {
        html.element("span", attr("class", "dz-name"), () -> html.foreign(name));
        html.element("span", attr("class", "dz-where"), () -> html.foreign(where));
    }

    private void path(String outline, String styleClass) throws IOException {
        html.element("path", attr("d", outline).and("class", styleClass), "");
    }
}
