// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.section;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.StoreTree.Node;
import io.github.discoveryzk.webconsole.content.Fact;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Section.Facts;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.content.Table;
import java.util.ArrayList;
import java.util.List;

/** The nodes of the store. */
public final class TreeSections {
    private TreeSections() {}

    /** Returns the name of a node with what is seen at a glance. */
    public static Line summary(Node node, String name) {
        Line summary = line().styled(Style.PATH, line().foreign(name)).styled(Style.BADGE, node.kind());
        if (node.owner().isPresent()) {
            summary = summary.styled(Style.BADGE, "ephemeral");
        }
        return node.problem().isPresent() ? summary.styled(Style.BROKEN, "unreadable") : summary;
    }

    /** Returns a node with its record. */
    public static Section node(Node node) {
        List<Fact> facts = new ArrayList<>();
        node.problem().map(problem -> Fact.of("Problem", problem)).ifPresent(facts::add);
        facts.addAll(List.of(
                Fact.of("Path", node.path()),
                Fact.of("Kind", node.kind()),
                Fact.of("Owner session", node.owner().orElse("none, the node persists")),
                new Fact("Size", line().text(node.stat().bytes() + " bytes")),
                Fact.of("Created by", node.stat().creation()),
                Fact.ofTime("Created", node.stat().createdMillis()),
                Fact.ofTime("Written", node.stat().modifiedMillis()),
                new Fact("Version", line().text(node.stat().version()))));
        List<Part> parts = new ArrayList<>(List.of(new Facts(facts)));
        if (!node.record().isEmpty()) {
            parts.add(Table.of("dz-fields", node.record())
                    .heading("Field", field -> line().foreign(field.name()))
                    .column("Value", field -> line().styled(Style.VALUE, line().foreign(field.value()))));
        }
        return new Section("dz-node", node.path(), parts);
    }
}
