// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.content.Line.line;
import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.StoreTree.Node;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;
import org.apache.sling.discovery.webconsole.section.TreeSections;

/** The nodes of the store as a tree whose parts can be opened. */
final class TreePage {
    private static final int OPEN_DEPTH = 3;

    private final PageWriter page;
    private final Html html;
    private final Map<String, List<Node>> children = new LinkedHashMap<>();

    TreePage(PageWriter page) {
        this.page = page;
        this.html = page.html();
        html.element("h2", attr("class", "dz-title"), "Nodes of the store").line();
    }

    /** Writes why the nodes cannot be shown. */
    void writeFailure(String reason) {
        html.element("p", attr("class", "dz-stale-view").and("role", "alert"), () -> html.foreign(reason));
        html.element("p", () -> html.link(page.addresses().tree(), "Try again"));
    }

    void write(StoreTree tree) {
        html.element("p", attr("class", "dz-soft"), () -> {
                    page.line(line().text(Phrases.count(tree.nodes().size(), "node") + ", read ")
                            .time(tree.readMillis())
                            .text(". This page is not updated automatically. "));
                    html.link(page.addresses().tree(), "Read again");
                })
                .line();
        if (!tree.complete()) {
            html.element("p", attr("class", "dz-stale-view"), "There are more nodes than are read in one request.");
        }
        List<Node> roots = new ArrayList<>();
        for (Node node : tree.nodes()) {
            children.put(node.path(), new ArrayList<>());
            children.getOrDefault(parent(node.path()), roots).add(node);
        }
        html.element("ul", attr("class", "dz-tree").and("id", "dz-tree"), () -> branches(roots, 0))
                .line();
    }

    private void branches(List<Node> nodes, int depth) {
        html.line();
        for (Node node : nodes) {
            html.element("li", attr("data-path", node.path()), () -> branch(node, depth))
                    .line();
        }
    }

    private void branch(Node node, int depth) {
        List<Node> below = children.get(node.path());
        boolean isOpen = depth < OPEN_DEPTH && !below.isEmpty();
        String name =
                depth == 0 ? node.path() : node.path().substring(node.path().lastIndexOf('/') + 1);
        String size = " " + node.stat().bytes() + " B" + (below.isEmpty() ? "" : ", " + below.size() + " below");
        html.element("details", Attributes.NONE.andIf(isOpen, "open", "open"), () -> {
            html.element(
                    "summary", () -> page.line(TreeSections.summary(node, name).soft(size)));
            record(node, !below.isEmpty());
            if (!below.isEmpty()) {
                html.element("ul", () -> branches(below, depth + 1));
            }
        });
    }

    private void record(Node node, boolean isClosed) {
        html.element(isClosed ? "details" : "div", attr("class", "dz-record"), () -> {
            if (isClosed) {
                html.element("summary", "About this node");
            }
            page.parts(TreeSections.node(node).parts());
        });
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
