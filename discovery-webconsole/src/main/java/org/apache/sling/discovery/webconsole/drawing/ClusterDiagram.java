// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.ConnectorReport.Outgoing;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.webconsole.drawing.ClusterLayout.Box;
import org.apache.sling.discovery.webconsole.format.ConnectorDisplay;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/**
 * All clusters as a drawing: an arrow leads along the way that the announcement of a cluster takes. The tables beside it have the same
 * facts as text.
 */
public final class ClusterDiagram {
    private static final int WIDTH = 156;
    private static final int HEIGHT = 40;
    private static final int ACROSS = WIDTH + 26;
    private static final int DOWN = HEIGHT + 10;
    private static final int MARGIN = 6;
    private static final int STORE_TITLE = 18;
    private static final int NAME_LENGTH = 20;
    private static final int DETAIL_LENGTH = 25;
    private static final int TITLE_LENGTH = 300;

    private final PageWriter page;
    private final Html html;

    public ClusterDiagram(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    /** Writes the drawing with its legend, unless there is nothing but the own cluster. */
    public void write(TopologyReport report) throws IOException {
        Optional<ClusterLayout> layout = ClusterLayout.of(report);
        if (layout.isEmpty()) {
            return;
        }
        Attributes scrolling = attr("class", "dz-scroll")
                .and("id", "dz-clusters")
                .and("tabindex", "0")
                .and("role", "region")
                .and("aria-label", "Map of the clusters, scrolls sideways");
        html.element(
                        "div",
                        scrolling,
                        () -> drawing(layout.get(), report.clusters().size() - 1))
                .line();
        legend(layout.get());
    }

    private void drawing(ClusterLayout layout, int others) throws IOException {
        int top = layout.storeRows() > 0 ? STORE_TITLE + MARGIN : MARGIN;
        int width = layout.columns() * ACROSS - (ACROSS - WIDTH) + 2 * MARGIN;
        int height = top + layout.rows() * DOWN + MARGIN;
        Attributes svg = attr("class", "dz-drawing dz-map")
                .and("width", width)
                .and("height", height)
                .and("viewBox", "0 0 " + width + " " + height)
                .and("role", "img")
                .and(
                        "aria-label",
                        "This cluster and " + Phrases.count(others, "other cluster")
                                + ", with the way of each announcement. The table of remote clusters has the same facts as"
                                + " text.");
        html.element("svg", svg, () -> {
            html.line();
            if (layout.storeRows() > 0) {
                store(layout.storeRows());
            }
            for (Box box : layout.boxes()) {
                if (box.parent().isPresent()) {
                    line(box, box.parent().get(), top);
                }
            }
            for (Box box : layout.boxes()) {
                box(box, top);
            }
        });
    }

    private void store(int rows) throws IOException {
        html.element(
                "rect",
                attr("class", "dz-store")
                        .and("x", 1)
                        .and("y", 1)
                        .and("width", WIDTH + 2 * MARGIN - 2)
                        .and("height", STORE_TITLE + rows * DOWN)
                        .and("rx", 8),
                "");
        html.element(
                "text", attr("class", "dz-map-detail").and("x", 2 * MARGIN).and("y", STORE_TITLE - 2), "one store");
    }

    private static int left(Box box) {
        return MARGIN + box.column() * ACROSS;
    }

    private static int middle(Box box, int top) {
        return top + box.row() * DOWN + HEIGHT / 2;
    }

    /** The line of a cluster has an arrow; a connector without an announcement has none. */
    private void line(Box from, Box to, int top) throws IOException {
        int x = left(from);
        int end = left(to) + WIDTH;
        int turn = end + (x - end) / 2 + 4;
        boolean announced = from.connector().isEmpty();
        Attributes path = attr("class", announced ? "dz-way" : "dz-way dz-unanswered")
                .and("d", "M" + x + " " + middle(from, top) + "H" + turn + "V" + middle(to, top) + "H" + (end + 1))
                .and("data-from", id(from))
                .and("data-to", id(to));
        html.element("path", path, "");
        if (announced) {
            html.element("path", attr("class", "dz-arrow").and("d", arrow(end + 1, middle(to, top))), "");
        }
        html.line();
    }

    private static String arrow(int x, int y) {
        return "M" + x + " " + y + "l9 -5v10z";
    }

    private static String id(Box box) {
        return box.cluster()
                .map(cluster -> ElementIds.of("dz-m", cluster.id()))
                .or(() -> box.connector().map(connector -> ElementIds.of("dz-m", "to " + connector.url())))
                .orElse("dz-more");
    }

    /** A long text is cut by the frame of its box too, as glyphs may be wide. */
    private void box(Box box, int top) throws IOException {
        Attributes frame = attr("class", "dz-map-box" + styleClass(box))
                .and("x", left(box))
                .and("y", middle(box, top) - HEIGHT / 2)
                .and("width", WIDTH)
                .and("height", HEIGHT)
                .and("data-box", id(box));
        html.element("svg", frame, () -> {
            html.element("title", title(box));
            html.element(
                    "rect",
                    attr("class", "dz-map-frame")
                            .and("x", 1)
                            .and("y", 1)
                            .and("width", WIDTH - 2)
                            .and("height", HEIGHT - 2)
                            .and("rx", 6),
                    "");
            text("dz-map-name", 17, Phrases.shorten(name(box), NAME_LENGTH));
            text("dz-map-detail", 32, Phrases.shorten(detail(box), DETAIL_LENGTH));
        });
        html.line();
    }

    private void text(String styleClass, int y, String text) throws IOException {
        html.element("text", attr("class", styleClass).and("x", 9).and("y", y), text);
    }

    private static String styleClass(Box box) {
        if (box.connector().isPresent()) {
            return " dz-apart-box dz-"
                    + ConnectorDisplay.of(box.connector().get().state()).tone();
        }
        return box.cluster().map(each -> each.local() ? " dz-own-box" : "").orElse(" dz-apart-box");
    }

    private static String name(Box box) {
        if (box.connector().isPresent()) {
            return withoutScheme(box.connector().get());
        }
        return box.cluster()
                .map(cluster -> shortId(cluster.id()))
                .orElseGet(() -> Phrases.count(box.more(), "more cluster"));
    }

    /** The beginning of a random id is enough; other ids may differ at their ends. */
    private static String shortId(String id) {
        String begin = InstanceNames.shortId(id);
        return id.isBlank() ? "empty" : begin.endsWith("\u2026") ? id : begin;
    }

    private static String withoutScheme(Outgoing connector) {
        return connector.url().replaceFirst("^https?://", "");
    }

    private String detail(Box box) {
        if (box.connector().isPresent()) {
            return ConnectorDisplay.of(box.connector().get().state()).word();
        }
        if (box.cluster().isEmpty()) {
            return "in the table below";
        }
        Cluster cluster = box.cluster().get();
        String size = Phrases.count(cluster.instances().size(), "instance");
        return cluster.local()
                ? "this cluster, " + size
                : size
                        + cluster.leader()
                                .map(leader -> ", " + page.nameOrId(leader.id()))
                                .orElse("");
    }

    private String title(Box box) {
        String title = box.connector()
                .map(connector -> connector.url() + ": " + connector.sentence())
                .or(() -> box.cluster().map(this::title))
                .orElseGet(() -> Phrases.count(box.more(), "more cluster"));
        return Phrases.truncate(title, TITLE_LENGTH);
    }

    private String title(Cluster cluster) {
        String leader = cluster.leader()
                .map(each -> ", leader " + page.names().label(each.id()))
                .orElse("");
        String source = cluster.local() ? "" : ", " + ConnectorDisplay.source(cluster, page.names());
        return "Cluster " + cluster.id() + leader + source;
    }

    private void legend(ClusterLayout layout) throws IOException {
        boolean heard = layout.boxes().stream()
                .anyMatch(box -> box.parent().isPresent() && box.connector().isEmpty());
        boolean unanswered =
                layout.boxes().stream().anyMatch(box -> box.connector().isPresent());
        html.element("ul", attr("class", "dz-legend"), () -> {
                    if (heard) {
                        key("the way of an announcement, from the cluster that made it to this one", () -> {
                            html.element("path", attr("class", "dz-way").and("d", "M24 7H8"), "");
                            html.element("path", attr("class", "dz-arrow").and("d", arrow(0, 7)), "");
                        });
                    }
                    if (unanswered) {
                        key(
                                "a connector of this instance through which no cluster is known",
                                () -> html.element(
                                        "path",
                                        attr("class", "dz-way dz-unanswered").and("d", "M0 7H24"),
                                        ""));
                    }
                    if (layout.storeRows() > 0) {
                        key(
                                "clusters in one store, which know each other without connectors",
                                () -> html.element(
                                        "rect",
                                        attr("class", "dz-store")
                                                .and("x", 1)
                                                .and("y", 1)
                                                .and("width", 22)
                                                .and("height", 12)
                                                .and("rx", 3),
                                        ""));
                    }
                })
                .line();
    }

    private void key(String text, Html.Content drawing) throws IOException {
        html.element("li", () -> {
            html.element(
                    "svg", attr("class", "dz-key").and("viewBox", "0 0 24 14").and("aria-hidden", "true"), drawing);
            html.text(text);
        });
    }
}
