// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.html;

import static org.apache.sling.discovery.webconsole.html.Attributes.attr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.report.ConnectorReport.Outgoing;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.content.Look;
import org.apache.sling.discovery.webconsole.content.Phrases;

/**
 * All clusters as boxes in rows: the local cluster and those of the same store are on the left; each other cluster is to the right
 * of the one to which its announcement goes. The style sheet draws the lines between them. Used once.
 */
final class ClusterDiagram implements Picture {
    /** The maximum number of clusters that are drawn; the further ones are counted. */
    private static final int MAX_CLUSTERS = 14;

    private static final int MAX_UNANSWERED = 5;
    private static final int NAME_LENGTH = 20;
    private static final int DETAIL_LENGTH = 25;

    private final TopologyReport report;
    private final List<Cluster> shown;

    /** The clusters that are announced to each one, by identity: to compare clusters by their content would take long. */
    private final Map<Cluster, List<Cluster>> branches = new IdentityHashMap<>();

    ClusterDiagram(TopologyReport report) {
        this.report = report;
        // The way of a cluster is longer than the ways of those through which it leads.
        this.shown = report.clusters().stream()
                .sorted(Comparator.comparing((Cluster each) -> !each.local())
                        .thenComparing(each -> each.way().size()))
                .limit(MAX_CLUSTERS)
                .toList();
    }

    /** Writes the boxes, unless there is nothing but the local cluster. */
    @Override
    public void write(PageWriter page) {
        if (shown.isEmpty() || shown.size() == 1 && unanswered().isEmpty()) {
            return;
        }
        attach();
        List<Cluster> roots = shown.stream().filter(ClusterDiagram::isRoot).toList();
        String styleClass = roots.size() > 1 ? "dz-map dz-store" : "dz-map";
        Html html = page.html();
        Attributes map = attr("class", "dz-scroll")
                .and("id", "dz-clusters")
                .and("tabindex", "0")
                .and("role", "region")
                .and("aria-label", "Map of the clusters, scrolls sideways");
        html.element("div", map, () -> {
            html.element("ul", attr("class", styleClass), () -> roots.forEach(each -> cluster(html, each)));
            int more = report.clusters().size() - shown.size();
            if (more > 0) {
                html.element(
                        "p", attr("class", "dz-soft"), Phrases.count(more, "more cluster") + " in the table below");
            }
        });
        html.element(
                "p",
                attr("class", "dz-soft"),
                "An arrow leads along the way of an announcement, to this cluster. Clusters at a dashed line are in one"
                        + " store, and know each other without connectors. A dashed box is a connector of this instance"
                        + " through which no cluster is known.");
    }

    /** Returns whether a cluster is in the store of this instance. */
    private static boolean isRoot(Cluster cluster) {
        return cluster.local() || cluster.way().isEmpty();
    }

    /** Attaches each cluster to a nearer one, so that ways which contradict each other make no circle. */
    private void attach() {
        Map<String, Cluster> byInstance = new HashMap<>();
        for (Cluster cluster : shown) {
            Cluster next = shown.get(0);
            for (String id : cluster.way()) {
                next = byInstance.getOrDefault(id, next);
            }
            if (!isRoot(cluster)) {
                branches.computeIfAbsent(next, unused -> new ArrayList<>()).add(cluster);
            }
            for (Instance instance : cluster.instances()) {
                byInstance.putIfAbsent(instance.id(), cluster);
            }
        }
    }

    /** Returns the connectors that lead to no cluster of the topology. */
    private List<Outgoing> unanswered() {
        return report.connectors().outgoing().stream()
                .filter(each -> each.peer().filter(report::hasInstance).isEmpty())
                .limit(MAX_UNANSWERED)
                .toList();
    }

    private void cluster(Html html, Cluster cluster) {
        String size = Phrases.count(cluster.instances().size(), "instance");
        String leader = cluster.leader()
                .map(each -> ", "
                        + InstanceNames.shortId(report.names().name(each.id()).orElse(each.id())))
                .orElse("");
        String detail = cluster.local() ? "this cluster, " + size : size + leader;
        List<Cluster> below = branches.getOrDefault(cluster, List.of());
        List<Outgoing> connectors = cluster.local() ? unanswered() : List.of();
        html.element("li", attr("id", Html.id("dz-m", cluster.id())), () -> {
            String styleClass = cluster.local() ? " dz-own-box" : "";
            box(html, styleClass, shortId(cluster.id()), detail, "Cluster " + cluster.id());
            if (!below.isEmpty() || !connectors.isEmpty()) {
                html.element("ul", () -> {
                    below.forEach(each -> cluster(html, each));
                    connectors.forEach(each -> connector(html, each));
                });
            }
        });
    }

    private static void connector(Html html, Outgoing connector) {
        Look look = Look.of(connector.state());
        String name = connector.url().replaceFirst("^https?://", "");
        html.element(
                "li",
                attr("class", "dz-unanswered"),
                () -> box(
                        html,
                        " dz-apart-box dz-" + look.tone(),
                        name,
                        look.word(),
                        connector.url() + ": " + connector.sentence()));
    }

    private static void box(Html html, String styleClass, String name, String detail, String title) {
        html.element("div", attr("class", "dz-box" + styleClass).and("title", PageWriter.title(title)), () -> {
            html.element("b", () -> html.foreign(Phrases.shorten(name, NAME_LENGTH)));
            html.element("span", () -> html.foreign(Phrases.shorten(detail, DETAIL_LENGTH)));
        });
    }

    /** The beginning of a random id is enough; other ids may differ at their ends. */
    private static String shortId(String id) {
        String begin = InstanceNames.shortId(id);
        return begin.endsWith("\u2026") ? id : begin;
    }
}
