// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import io.github.discoveryzk.webconsole.content.Escape;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Writes HTML. All text is escaped, and every address stays on this server unless {@link #outside} writes it. The
 * content of an element is a function that is called between the two tags, so an element that is not closed cannot be
 * written.
 */
public final class Html {
    private static final Pattern WEB_ADDRESS =
            Pattern.compile("https?://[A-Za-z0-9.\\[\\]:-]{1,255}(?:[/?#][!-~&&[^\"'<>\\\\`{}|^$]]{0,2000})?");

    /** After these a line end has no meaning, but keeps the source of a page readable. */
    private static final Set<String> BLOCKS =
            Set.of("details", "div", "dl", "h2", "h3", "li", "nav", "ol", "p", "section", "table", "tr", "ul");

    private final StringBuilder out = new StringBuilder();

    /** Writes an element with the content that a function writes. */
    public Html element(String name, Attributes attributes, Runnable content) {
        tag(name, attributes).append('>');
        content.run();
        out.append("</").append(name).append(BLOCKS.contains(name) ? ">\n" : ">");
        return this;
    }

    /** Writes an element without attributes. */
    public Html element(String name, Runnable content) {
        return element(name, Attributes.NONE, content);
    }

    /** Writes an element that contains a text. */
    public Html element(String name, Attributes attributes, String text) {
        return element(name, attributes, () -> text(text));
    }

    /** Writes an element without attributes that contains a text. */
    public Html element(String name, String text) {
        return element(name, Attributes.NONE, text);
    }

    /** Writes an element that never has content. */
    public Html empty(String name, Attributes attributes) {
        tag(name, attributes).append("/>");
        return this;
    }

    public Html text(String text) {
        out.append(Escape.html(text));
        return this;
    }

    /** Writes a text of unknown origin. It cannot reorder the text around it, and a blank one is visible. */
    public Html foreign(String text) {
        return text.isBlank() ? element("em", "empty") : element("bdi", text);
    }

    /** Writes an element with nothing but a text of unknown origin. */
    Html foreign(String name, Attributes attributes, String text) {
        return element(name, attributes.and("dir", "auto"), text.isBlank() ? "empty" : text);
    }

    /** Writes a link to another server, or only the text if the address is not a web address. */
    public Html outside(String address, String text) {
        if (!WEB_ADDRESS.matcher(address).matches()) {
            return foreign(text);
        }
        out.append("<a rel=\"noopener noreferrer\" dir=\"auto\" href=\"")
                .append(Escape.html(address))
                .append("\">");
        out.append(Escape.html(text)).append("</a>");
        return this;
    }

    /** Returns an element id for a name of unknown origin. A name always has the same id. */
    static String id(String prefix, String name) {
        return prefix + "-" + UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    private StringBuilder tag(String name, Attributes attributes) {
        return out.append('<').append(Attributes.checkName(name)).append(attributes.markup());
    }

    /** Returns what has been written. */
    @Override
    public String toString() {
        return out.toString();
    }
}
