// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.content;

import java.util.List;
import java.util.OptionalInt;

/**
 * A part of what is shown, with a heading.
 *
 * @param id identifies it in a page
 * @param title the heading
 * @param count the number of its entries, which stands beside the heading; empty if it is not shown
 * @param parts what stands below the heading
 */
public record Section(String id, String title, OptionalInt count, List<Part> parts) {
    public Section {
        parts = List.copyOf(parts);
    }

    public Section(String id, String title, List<Part> parts) {
        this(id, title, OptionalInt.empty(), parts);
    }

    /** A part of a section. */
    public sealed interface Part permits Facts, Items, Note, Heading, Table {}

    /** A list of facts. */
    public record Facts(List<Fact> facts) implements Part {}

    /** A list of lines, numbered or not. */
    public record Items(List<Line> lines, boolean ordered) implements Part {
        public Items(List<Line> lines) {
            this(lines, false);
        }
    }

    /** A sentence that stands in place of content. */
    public record Note(String text) implements Part {}

    /** A heading within the section, with the number of entries below it. */
    public record Heading(String title, int count) implements Part {}
}
