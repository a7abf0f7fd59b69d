// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import java.io.IOException;
import java.time.ZoneId;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.webconsole.format.Times;

/** Writes the nodes of the store as plain text. */
public final class TreeText {

    private TreeText() {}

    public static void write(StoreTree tree, ZoneId zone, Appendable out) throws IOException {
        Times times = new Times(tree.readMillis(), zone);
        TextLines lines = new TextLines(out);
        lines.fact("Read", times.absolute(tree.readMillis()));
        for (StoreTree.Node node : tree.nodes()) {
            lines.item(node.path() + " [" + node.kind() + "]");
            lines.detail(node.bytes() + " bytes, version " + node.version() + ", created by " + node.creation() + " "
                    + times.absoluteAndRelative(node.createdMillis()) + ", written "
                    + times.absoluteAndRelative(node.modifiedMillis())
                    + node.owner()
                            .map(session -> ", ends with session " + session)
                            .orElse(""));
            if (node.problem().isPresent()) {
                lines.detail("cannot be read: " + node.problem().get());
            }
            for (StoreTree.Field field : node.record()) {
                lines.named(field.name(), field.value());
            }
        }
        if (!tree.complete()) {
            lines.item("There are more nodes than are read at once.");
        }
    }
}
