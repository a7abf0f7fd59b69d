// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import io.github.discoveryzk.webconsole.content.Escape;
import java.util.Set;
import java.util.regex.Pattern;

/** The attributes of an element, in the order in which they are written. Values are escaped. Immutable. */
public final class Attributes {
    /** No attributes. */
    public static final Attributes NONE = new Attributes("");

    private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9-]*");
    private static final Pattern OWN_ADDRESS = Pattern.compile("/(?:[^/\\\\].*)?", Pattern.DOTALL);
    private static final Set<String> ADDRESSES = Set.of("href", "src", "action", "formaction");

    private final String markup;

    private Attributes(String markup) {
        this.markup = markup;
    }

    /** Returns one attribute; see {@link #and(String, Object)}. */
    public static Attributes attr(String name, Object value) {
        return NONE.and(name, value);
    }

    /**
     * Returns these attributes and another one.
     *
     * @throws IllegalArgumentException if the name is not a name, or if the attribute is an address that leaves this
     *     server
     */
    public Attributes and(String name, Object value) {
        String text = value.toString();
        if (ADDRESSES.contains(name) && !OWN_ADDRESS.matcher(text).matches()) {
            throw new IllegalArgumentException("Not an address of this server: " + text);
        }
        return new Attributes(markup + ' ' + checkName(name) + "=\"" + Escape.html(text) + '"');
    }

    /** Returns the attributes as they stand in a tag, each after a space. */
    String markup() {
        return markup;
    }

    static String checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Not a name: " + name);
        }
        return name;
    }
}
