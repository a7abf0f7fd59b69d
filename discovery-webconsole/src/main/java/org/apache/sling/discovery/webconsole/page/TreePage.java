// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.StoreTree.Field;
import org.apache.sling.discovery.commons.report.StoreTree.Node;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** What lies in the store, as a tree of which parts are opened. */
final class TreePage {
    private static final int MOST_FIELDS = 40;
    private static final int VALUE_LENGTH = 500;
    private static final int OPEN_DEPTH = 3;

    private final PageWriter sheet;
    private final Html html;

    TreePage(PageWriter sheet) {
        this.sheet = sheet;
        this.html = sheet.html();
    }

    /** Writes why there is nothing to see. */
    void failed(String why) throws IOException {
        title();
        html.open("p", "class", "dz-stale-view", "role", "alert").foreign(why).close();
        again();
    }

    void write(StoreTree tree) throws IOException {
        title();
        html.open("p", "class", "dz-soft").text(Phrases.count(tree.nodes().size(), "node") + ", read ");
        sheet.moment(tree.readMillis());
        html.text(". This page does not change by itself. ");
        html.element("a", "Read again", "href", sheet.at().tree()).close().line();
        if (!tree.complete()) {
            html.element("p", "There are more nodes than are read at once.", "class", "dz-stale-view");
        }
        Map<String, List<Node>> children = new LinkedHashMap<>();
        List<Node> roots = new ArrayList<>();
        for (Node node : tree.nodes()) {
            children.put(node.path(), new ArrayList<>());
            children.getOrDefault(parent(node.path()), roots).add(node);
        }
        html.open("ul", "class", "dz-tree", "id", "dz-tree").line();
        for (Node root : roots) {
            branch(root, children, 0);
        }
        html.close().line();
    }

    /** Writes one node with all that is in it. */
    void node(StoreTree tree, String path) throws IOException {
        title();
        html.open("p", "class", "dz-back")
                .element("a", "‹ The whole tree", "href", sheet.at().tree())
                .close();
        for (Node node : tree.nodes()) {
            if (node.path().equals(path)) {
                html.open("div", "id", "dz-tree", "class", "dz-tree");
                facts(node);
                fields(node, Integer.MAX_VALUE, Integer.MAX_VALUE);
                html.close();
                return;
            }
        }
        html.open("p")
                .text("There is no node ")
                .foreign(path)
                .text(" any more.")
                .close();
    }

    private void title() throws IOException {
        html.element("h2", "What lies in the store", "class", "dz-title").line();
    }

    private void again() throws IOException {
        html.open("p").element("a", "Try again", "href", sheet.at().tree()).close();
    }

    private void branch(Node node, Map<String, List<Node>> children, int depth) throws IOException {
        List<Node> below = children.get(node.path());
        html.open("li", "data-path", node.path());
        if (depth < OPEN_DEPTH && !below.isEmpty()) {
            html.open("details", "open", "open");
        } else {
            html.open("details");
        }
        summary(node, depth, below.size());
        if (below.isEmpty()) {
            html.open("div", "class", "dz-record");
        } else {
            html.open("details", "class", "dz-record").element("summary", "about this node");
        }
        facts(node);
        fields(node, MOST_FIELDS, VALUE_LENGTH);
        html.close();
        if (!below.isEmpty()) {
            html.open("ul").line();
            for (Node child : below) {
                branch(child, children, depth + 1);
            }
            html.close();
        }
        html.close().close().line();
    }

    private void summary(Node node, int depth, int below) throws IOException {
        html.open("summary").open("span", "class", "dz-path");
        html.foreign(
                depth == 0 ? node.path() : node.path().substring(node.path().lastIndexOf('/') + 1));
        html.close();
        sheet.badge(node.kind());
        if (node.owner().isPresent()) {
            sheet.badge("ephemeral");
        }
        if (node.problem().isPresent()) {
            html.text(" ").element("span", "unreadable", "class", "dz-badge dz-broken");
        }
        html.text(" ")
                .element("span", node.bytes() + " B" + (below == 0 ? "" : ", " + below + " below"), "class", "dz-soft");
        html.close();
    }

    private void facts(Node node) throws IOException {
        if (node.problem().isPresent()) {
            html.open("p", "class", "dz-stale-view")
                    .foreign(node.problem().get())
                    .close();
        }
        sheet.facts();
        sheet.fact("Path", node.path());
        sheet.fact("Kind", node.kind());
        sheet.fact("Owner session", node.owner().orElse("none: it stays"));
        sheet.fact("Size", node.bytes() + " bytes");
        sheet.fact("Created by", node.creation());
        sheet.time("Created", node.createdMillis());
        sheet.time("Written", node.modifiedMillis());
        sheet.fact("Version", String.valueOf(node.version()));
        sheet.endFacts();
    }

    private void fields(Node node, int most, int longest) throws IOException {
        List<Field> fields = node.record();
        if (fields.isEmpty()) {
            return;
        }
        sheet.table("dz-fields", "Field", "Value");
        for (Field field : fields.subList(0, Math.min(most, fields.size()))) {
            html.open("tr").open("th", "scope", "row").foreign(field.name()).close();
            sheet.cell("Value", Phrases.cut(field.value(), longest));
            html.close();
        }
        sheet.endTable();
        if (fields.size() > most
                || fields.stream().anyMatch(field -> field.value().length() > longest)) {
            html.open("p").text(fields.size() + " fields in all. ");
            html.element("a", "Show all of this node", "href", sheet.at().treeNode(node.path()))
                    .close();
        }
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
