// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.content.Line.line;
import static io.github.discoveryzk.webconsole.html.Attributes.attr;

import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.report.StoreTree.Node;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.html.Page.Subject;
import io.github.discoveryzk.webconsole.section.TreeSections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The nodes of the store as a tree whose parts can be opened. */
public final class TreePage {
    private static final int OPEN_DEPTH = 3;
    private static final Section.Title TITLE = new Section.Title(line().text("Nodes of the store"));

    private final Map<String, List<Node>> children = new LinkedHashMap<>();

    private TreePage() {}

    public static Page of(TopologyReport report, StoreTree tree) {
        List<Part> parts = new ArrayList<>();
        parts.add(TITLE);
        parts.add(new Section.Paragraph(
                Style.SOFT,
                line().text(Phrases.count(tree.nodes().size(), "node") + ", read ")
                        .time(tree.readMillis())
                        .text(". This page is not updated automatically. ")
                        .link(Addresses.TREE, "Read again")));
        if (!tree.complete()) {
            parts.add(new Section.Paragraph(
                    Style.ALERT, line().text("There are more nodes than are read in one request.")));
        }
        parts.add((Picture) page -> new TreePage().write(page, tree));
        return new Page(Subject.TREE, Addresses.TREE, report, parts);
    }

    /** Returns why the nodes cannot be shown. */
    public static Page failed(TopologyReport report, String reason) {
        return new Page(
                Subject.TREE,
                Addresses.TREE,
                report,
                List.of(
                        TITLE,
                        new Section.Paragraph(Style.ALERT, line().foreign(reason)),
                        new Section.Paragraph(Style.PLAIN, line().link(Addresses.TREE, "Try again"))));
    }

    private void write(PageWriter page, StoreTree tree) {
        List<Node> roots = new ArrayList<>();
        for (Node node : tree.nodes()) {
            children.put(node.path(), new ArrayList<>());
            children.getOrDefault(parent(node.path()), roots).add(node);
        }
        page.html().element("ul", attr("class", "dz-tree").and("id", "dz-tree"), () -> branches(page, roots, 0));
    }

    private void branches(PageWriter page, List<Node> nodes, int depth) {
        for (Node node : nodes) {
            page.html().element("li", attr("data-path", node.path()), () -> branch(page, node, depth));
        }
    }

    private void branch(PageWriter page, Node node, int depth) {
        Html html = page.html();
        List<Node> below = children.get(node.path());
        String name =
                depth == 0 ? node.path() : node.path().substring(node.path().lastIndexOf('/') + 1);
        String size = " " + node.stat().bytes() + " B" + (below.isEmpty() ? "" : ", " + below.size() + " below");
        Attributes open = depth < OPEN_DEPTH && !below.isEmpty() ? attr("open", "open") : Attributes.NONE;
        html.element("details", open, () -> {
            html.element(
                    "summary", () -> page.line(TreeSections.summary(node, name).soft(size)));
            html.element(below.isEmpty() ? "div" : "details", attr("class", "dz-record"), () -> {
                if (!below.isEmpty()) {
                    html.element("summary", "About this node");
                }
                page.parts(TreeSections.node(node).parts());
            });
            if (!below.isEmpty()) {
                html.element("ul", () -> branches(page, below, depth + 1));
            }
        });
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
