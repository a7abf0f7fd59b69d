// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.sling.discovery.webconsole.format.Escape;

/** Writes HTML in which every text is escaped, every element is closed and every address stays on this server. */
public final class Html {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9-]*");
    private static final Pattern OWN_ADDRESS = Pattern.compile("/(?:[^/\\\\].*)?", Pattern.DOTALL);
    private static final Pattern WEB_ADDRESS =
            Pattern.compile("https?://[A-Za-z0-9.\\[\\]:-]{1,255}(?:[/?#][!-~&&[^\"'<>\\\\`{}|^$]]{0,2000})?");
    private static final Set<String> ADDRESSES = Set.of("href", "src", "action", "formaction");

    private final Appendable out;
    private final Deque<String> open = new ArrayDeque<>();

    public Html(Appendable out) {
        this.out = out;
    }

    /** Opens an element; the attributes are names and values in turn. */
    public Html open(String name, String... attributes) throws IOException {
        tag(name, attributes).append('>');
        open.push(name);
        return this;
    }

    /** Closes the innermost open element. */
    public Html close() throws IOException {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    /** Writes an element that never has content. */
    public Html empty(String name, String... attributes) throws IOException {
        tag(name, attributes).append("/>");
        return this;
    }

    public Html text(String text) throws IOException {
        out.append(Escape.html(text));
        return this;
    }

    /** Writes an element with a text in it. */
    public Html element(String name, String text, String... attributes) throws IOException {
        return open(name, attributes).text(text).close();
    }

    /** Writes text of unknown origin so that it cannot reorder what stands around it, and is seen where it is blank. */
    public Html foreign(String text) throws IOException {
        return text.isBlank() ? element("em", "empty") : element("bdi", text);
    }

    public Html line() throws IOException {
        out.append('\n');
        return this;
    }

    /** Writes a link to another server, or only the text where that is no web address. */
    public Html outside(String address) throws IOException {
        if (!WEB_ADDRESS.matcher(address).matches()) {
            return foreign(address);
        }
        out.append("<a rel=\"noopener noreferrer\" href=\"")
                .append(Escape.html(address))
                .append("\">");
        return foreign(address).append("</a>");
    }

    private Appendable tag(String name, String... attributes) throws IOException {
        out.append('<').append(checked(name));
        for (int i = 0; i < attributes.length; i += 2) {
            attribute(attributes[i], attributes[i + 1]);
        }
        return out;
    }

    private Html append(String markup) throws IOException {
        out.append(markup);
        return this;
    }

    private void attribute(String name, String value) throws IOException {
        if (ADDRESSES.contains(name) && !OWN_ADDRESS.matcher(value).matches()) {
            throw new IllegalArgumentException("Not an address of this server: " + value);
        }
        out.append(' ')
                .append(checked(name))
                .append("=\"")
                .append(Escape.html(value))
                .append('"');
    }

    private static String checked(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Not a name: " + name);
        }
        return name;
    }
}
