// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.List;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.format.Look;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;
import org.apache.sling.discovery.webconsole.markup.Sha256;
import org.apache.sling.discovery.webconsole.section.InstanceSections;

/**
 * The local cluster as a drawing: it is a group, and instances are nodes in their order, each in its state. Each node has a
 * drawing and a name of its own, so that rows wrap to the width of the window and names stay text.
 */
public final class TopologyDiagram {
    private static final int CLUSTER_LENGTH = 40;
    private static final int NAME_LENGTH = 18;
    private static final int HOST_LENGTH = 60;
    private static final int SMALL_NAME_LENGTH = 12;
    private static final int REASON_LENGTH = 120;
    private static final int MAX_OUTSIDE = 16;
    private static final int LARGE = 8;
    private static final int MEDIUM = 60;

    private static final String CIRCLE = "M36 20a20 20 0 1 0 0 40a20 20 0 1 0 0-40z";
    private static final String DIAMOND = "M36 16l24 24l-24 24l-24-24z";
    private static final String SQUARE = "M18 22h36v36h-36z";
    private static final String OCTAGON = "M27.5 20h17l11.5 11.5v17l-11.5 11.5h-17l-11.5-11.5v-17z";
    private static final String RING = "M36 13a27 27 0 1 0 0 54a27 27 0 1 0 0-54z";
    private static final String CROWN = "M25 14h22l2-13l-6.5 4.5l-6.5-5l-6.5 5l-6.5-4.5z";

    private final PageWriter page;
    private final Html html;

    public TopologyDiagram(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    public void write(TopologyReport report) {
        List<Instance> outside = Stream.concat(report.outsiders().stream(), report.recentlyLeft().stream())
                .toList();
        if (report.clusters().isEmpty() && outside.isEmpty()) {
            return;
        }
        html.element("section", attr("id", "dz-picture").and("aria-label", "Diagram of the topology"), () -> {
                    for (Cluster cluster : report.clusters()) {
                        if (cluster.local()) {
                            cluster(cluster);
                        }
                    }
                    others(report);
                    if (report.clusters().isEmpty()) {
                        // This instance is in no view, and those that are form the cluster that it would join.
                        group(
                                "Members of the cluster",
                                outside.stream()
                                        .filter(InstanceSections::isMember)
                                        .toList());
                        group(
                                "Not in the view",
                                outside.stream()
                                        .filter(each -> !InstanceSections.isMember(each))
                                        .toList());
                    } else {
                        group("Outside the view", outside);
                    }
                })
                .line();
    }

    private void cluster(Cluster cluster) {
        Attributes group = attr("class", "dz-group").and("id", Sha256.elementId("dz-g", cluster.id()));
        Runnable title = () -> {
            html.text("Cluster ").foreign(Phrases.shorten(cluster.id(), CLUSTER_LENGTH));
            html.text(" ")
                    .element(
                            "span",
                            attr("class", "dz-count"),
                            Phrases.count(cluster.instances().size(), "instance"));
            html.text(" ").element("span", attr("class", "dz-badge"), "this cluster");
        };
        nodes(group, title, "ol", cluster.instances(), Integer.MAX_VALUE);
    }

    /** Other clusters have a map of their own, further below. */
    private void others(TopologyReport report) {
        int count = (int)
                report.clusters().stream().filter(cluster -> !cluster.local()).count();
        if (count > 0) {
            String text = "The topology has " + Phrases.count(count, "other cluster") + ".";
            html.element(
                    "p",
                    attr("id", "dz-others-count"),
                    () -> html.link(page.addresses().connectors(), text));
        }
    }

    private void group(String title, List<Instance> instances) {
        if (instances.isEmpty()) {
            return;
        }
        boolean members = instances.stream().allMatch(InstanceSections::isMember);
        Attributes group =
                attr("class", members ? "dz-group" : "dz-group dz-apart").and("id", members ? "dz-others" : "dz-apart");
        Runnable heading = () ->
                html.text(title + " ").element("span", attr("class", "dz-count"), String.valueOf(instances.size()));
        nodes(group, heading, "ul", instances, members ? Integer.MAX_VALUE : MAX_OUTSIDE);
    }

    /** Writes a frame with a node for each instance, up to a maximum number. */
    private void nodes(Attributes group, Runnable title, String list, List<Instance> instances, int max) {
        int count = instances.size();
        List<Instance> shown = instances.subList(0, Math.min(max, count));
        html.element("div", group, () -> {
                    html.element("h2", title);
                    html.element(list, attr("class", "dz-nodes dz-" + scale(shown.size())), () -> {
                        html.line();
                        shown.forEach(instance -> node(instance, count));
                    });
                    if (count > max) {
                        page.note("Not drawn: " + Phrases.count(count - max, "further instance") + ".");
                    }
                })
                .line();
    }

    private static String scale(int size) {
        if (size <= LARGE) {
            return "large";
        }
        return size <= MEDIUM ? "medium" : "small";
    }

    private void node(Instance instance, int size) {
        InstanceStatus status = instance.status();
        Look look = Look.of(status.state());
        String reason = reason(status);
        Attributes link = attr("class", "dz-node dz-" + look.tone() + (instance.local() ? " dz-here" : ""))
                .and("href", page.addresses().instance(instance.id()))
                .and("data-id", instance.id())
                .and("data-role", role(instance))
                .and("data-state", status.state().name())
                .and("title", instance.id() + (reason.isEmpty() ? "" : ": " + Phrases.truncate(reason, REASON_LENGTH)));
        String id = Sha256.elementId("dz-n", instance.node() + " " + instance.id());
        html.element("li", attr("id", id), () -> html.element("a", link, () -> content(instance, size, look)))
                .line();
    }

    private String reason(InstanceStatus status) {
        return status.listener().orElseGet(() -> page.names().clause(status.why()));
    }

    /** Returns the role of an instance, for scripts. */
    private static String role(Instance instance) {
        if (instance.leader()) {
            return "leader";
        }
        if (instance.wasLeader()) {
            return "was-leader";
        }
        return instance.position() == 0 ? "outsider" : "member";
    }

    /** The visible text is the accessible name too; what only the drawing shows follows as hidden text. */
    private void content(Instance instance, int size, Look look) {
        emblem(instance, look);
        int length = size <= MEDIUM ? NAME_LENGTH : SMALL_NAME_LENGTH;
        html.element(
                "span",
                attr("class", "dz-name"),
                () -> html.foreign(Phrases.shorten(page.nameOrShortId(instance.id()), length)));
        String where = Phrases.shorten(instance.process().host(), HOST_LENGTH) + ":"
                + Phrases.pid(instance.process().pid());
        html.text(" ").element("span", attr("class", "dz-where"), () -> html.foreign(where));
        state(instance, size, look);
        if (instance.wasLeader()) {
            html.text(" ").element("span", attr("class", "dz-was"), "was leader");
        }
        if (instance.local()) {
            html.text(" ").element("span", attr("class", "dz-mark"), "this instance");
        }
        html.text(" ").element("span", attr("class", "dz-hidden"), hidden(instance, size));
    }

    private static String hidden(Instance instance, int size) {
        String place = instance.position() == 0 ? "" : ", " + instance.position() + " of " + size;
        return place + (instance.leader() ? ", leader" : "");
    }

    private void state(Instance instance, int size, Look look) {
        InstanceStatus status = instance.status();
        if (status.state() == InstanceState.SETTLED) {
            return;
        }
        html.text(" ").element("span", attr("class", "dz-said"), look.word());
        String reason = reason(status);
        boolean isSaid = status.state() == InstanceState.ACKNOWLEDGED || status.state() == InstanceState.MOVED_ON;
        if (!reason.isEmpty() && !isSaid && size <= MEDIUM) {
            html.text(" ")
                    .element(
                            "span",
                            attr("class", "dz-reason"),
                            () -> html.foreign(Phrases.shorten(Phrases.simpleNames(reason), REASON_LENGTH)));
        }
    }

    private void emblem(Instance instance, Look look) {
        InstanceState state = instance.status().state();
        Attributes svg = attr("class", "dz-emblem").and("viewBox", "0 0 72 72").and("aria-hidden", "true");
        html.element("svg", svg, () -> {
            if (instance.local()) {
                path(RING, "dz-ring");
            }
            body(state);
            if (instance.position() > 0) {
                html.element(
                        "text",
                        attr("x", 36).and("y", 46).and("class", "dz-position"),
                        String.valueOf(instance.position()));
            }
            if (instance.leader() || instance.wasLeader()) {
                path(CROWN, instance.leader() ? "dz-crowned" : "dz-crowned dz-former");
            }
            if (state != InstanceState.SETTLED && state != InstanceState.MOVED_ON || instance.position() == 0) {
                sign(look.sign(), instance.position() > 0);
            }
        });
    }

    /**
     * A circle acts on a view, a change waits for a diamond, an octagon has a problem. What is dashed is not there, not known to
     * be there, or not yet a member.
     */
    private void body(InstanceState state) {
        switch (state) {
            case SETTLED, MOVED_ON, ACKNOWLEDGED -> path(CIRCLE, "dz-body");
            case AWAITED -> path(DIAMOND, "dz-body");
            case REFUSED, LEFT_OUT, CUT_OFF -> path(OCTAGON, "dz-body");
            case GONE, UNKNOWN -> path(CIRCLE, "dz-dashed");
            case JOINING -> path(SQUARE, "dz-dashed");
        }
    }

    /** The sign of the state: beside the number, or in place of it. */
    private void sign(String outline, boolean isBeside) {
        String place = isBeside ? "translate(44 44)" : "translate(28 32)";
        html.element("g", attr("transform", place).and("class", isBeside ? "dz-sign" : "dz-sign dz-alone"), () -> {
            path("M8 -2a10 10 0 1 0 0 20a10 10 0 1 0 0-20z", "dz-sign-back");
            html.element("path", attr("d", outline).and("fill-rule", "evenodd").and("class", "dz-sign-front"), "");
        });
    }

    private void path(String outline, String styleClass) {
        html.element("path", attr("d", outline).and("class", styleClass), "");
    }
}
