// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.StoreTree.Field;
import org.apache.sling.discovery.commons.report.StoreTree.Node;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The nodes of the store as a tree whose parts can be opened. */
final class TreePage {
    private static final int MOST_FIELDS = 40;
    private static final int VALUE_LENGTH = 500;
    private static final int OPEN_DEPTH = 3;

    private final PageWriter page;
    private final Html html;

    TreePage(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    /** Writes why the nodes cannot be shown. */
    void writeFailure(String reason) throws IOException {
        title();
        html.element("p", attr("class", "dz-stale-view").and("role", "alert"), () -> html.foreign(reason));
        html.element("p", () -> html.element("a", attr("href", page.addresses().tree()), "Try again"));
    }

    void write(StoreTree tree) throws IOException {
        title();
        html.element("p", attr("class", "dz-soft"), () -> {
                    html.text(Phrases.count(tree.nodes().size(), "node") + ", read ");
                    page.time(tree.readMillis());
                    html.text(". This page is not updated automatically. ");
                    html.element("a", attr("href", page.addresses().tree()), "Read again");
                })
                .line();
        if (!tree.complete()) {
            html.element("p", attr("class", "dz-stale-view"), "There are more nodes than are read at once.");
        }
        Map<String, List<Node>> children = new LinkedHashMap<>();
        List<Node> roots = new ArrayList<>();
        for (Node node : tree.nodes()) {
            children.put(node.path(), new ArrayList<>());
            children.getOrDefault(parent(node.path()), roots).add(node);
        }
        html.element("ul", attr("class", "dz-tree").and("id", "dz-tree"), () -> {
                    html.line();
                    for (Node root : roots) {
                        branch(root, children, 0);
                    }
                })
                .line();
    }

    /** Writes one node with its whole record. */
    void writeNode(StoreTree tree, String path) throws IOException {
        title();
        html.element(
                "p",
                attr("class", "dz-back"),
                () -> html.element("a", attr("href", page.addresses().tree()), "‹ The whole tree"));
        for (Node node : tree.nodes()) {
            if (node.path().equals(path)) {
                html.element("div", attr("id", "dz-tree").and("class", "dz-tree"), () -> {
                    facts(node);
                    fields(node, Integer.MAX_VALUE, Integer.MAX_VALUE);
                });
                return;
            }
        }
        html.element("p", () -> html.text("The node ").foreign(path).text(" no longer exists."));
    }

    private void title() throws IOException {
        html.element("h2", attr("class", "dz-title"), "Nodes of the store").line();
    }

    private void branch(Node node, Map<String, List<Node>> children, int depth) throws IOException {
        List<Node> below = children.get(node.path());
        boolean isOpen = depth < OPEN_DEPTH && !below.isEmpty();
        html.element(
                        "li",
                        attr("data-path", node.path()),
                        () -> html.element("details", Attributes.NONE.andIf(isOpen, "open", "open"), () -> {
                            html.element("summary", () -> summary(node, depth, below.size()));
                            record(node, !below.isEmpty());
                            if (!below.isEmpty()) {
                                html.element("ul", () -> {
                                    html.line();
                                    for (Node child : below) {
                                        branch(child, children, depth + 1);
                                    }
                                });
                            }
                        }))
                .line();
    }

    private void record(Node node, boolean isClosed) throws IOException {
        html.element(isClosed ? "details" : "div", attr("class", "dz-record"), () -> {
            if (isClosed) {
                html.element("summary", "About this node");
            }
            facts(node);
            fields(node, MOST_FIELDS, VALUE_LENGTH);
        });
    }

    private void summary(Node node, int depth, int below) throws IOException {
        String name =
                depth == 0 ? node.path() : node.path().substring(node.path().lastIndexOf('/') + 1);
        html.element("span", attr("class", "dz-path"), () -> html.foreign(name));
        page.badge(node.kind());
        if (node.owner().isPresent()) {
            page.badge("ephemeral");
        }
        if (node.problem().isPresent()) {
            html.text(" ").element("span", attr("class", "dz-badge dz-broken"), "unreadable");
        }
        html.text(" ")
                .element(
                        "span",
                        attr("class", "dz-soft"),
                        node.bytes() + " B" + (below == 0 ? "" : ", " + below + " below"));
    }

    private void facts(Node node) throws IOException {
        if (node.problem().isPresent()) {
            html.element(
                    "p",
                    attr("class", "dz-stale-view"),
                    () -> html.foreign(node.problem().get()));
        }
        page.facts(() -> {
            page.fact("Path", node.path());
            page.fact("Kind", node.kind());
            page.fact("Owner session", node.owner().orElse("none, the node persists"));
            page.fact("Size", node.bytes() + " bytes");
            page.fact("Created by", node.creation());
            page.timeFact("Created", node.createdMillis());
            page.timeFact("Written", node.modifiedMillis());
            page.fact("Version", String.valueOf(node.version()));
        });
    }

    private void fields(Node node, int most, int longest) throws IOException {
        List<Field> fields = node.record();
        if (fields.isEmpty()) {
            return;
        }
        page.table("dz-fields", List.of("Field", "Value"), () -> {
            for (Field field : fields.subList(0, Math.min(most, fields.size()))) {
                html.element("tr", () -> {
                    html.element("th", attr("scope", "row"), () -> html.foreign(field.name()));
                    page.cell("Value", Phrases.truncate(field.value(), longest));
                });
            }
        });
        if (fields.size() > most
                || fields.stream().anyMatch(field -> field.value().length() > longest)) {
            html.element("p", () -> html.text(fields.size() + " fields in all. ")
                    .element("a", attr("href", page.addresses().treeNode(node.path())), "Show all of this node"));
        }
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
