// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

import io.github.discoveryzk.webconsole.content.Span.Style;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A part of what is shown, with a heading.
 *
 * @param id identifies it in a page
 * @param title the heading
 * @param count the number of its entries, which stands beside the heading; empty if it is not shown
 * @param parts what stands below the heading
 */
public record Section(String id, String title, OptionalInt count, List<Part> parts) implements Part {
    public Section {
        parts = List.copyOf(parts);
    }

    public Section(String id, String title, List<Part> parts) {
        this(id, title, OptionalInt.empty(), parts);
    }

    /** A list of facts, with an id if a style or a script needs it. */
    public record Facts(String id, List<Fact> facts) implements Part {
        public Facts(List<Fact> facts) {
            this("", facts);
        }
    }

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

    /** The title of a page. */
    public record Title(Line line) implements Part {}

    /** A paragraph. */
    public record Paragraph(Style style, Line line) implements Part {}

    /**
     * A form with which an operator acts. Only pages of users who may act have it.
     *
     * @param id identifies it in a page
     * @param summary what stands there while the form is closed
     * @param explanation what the action leads to
     * @param fields what the form sends
     * @param button the words of the button
     */
    public record Form(String id, String summary, List<Line> explanation, Map<String, String> fields, String button)
            implements Part {}
}
