// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

/** Text of peers as it may stand in a log. */
public final class Excerpt {
    private static final int QUOTED = 60;

    private Excerpt() {}

    /** Returns the beginning of a text in quotation marks. */
    public static String quoted(String text) {
        return '"' + printable(text, QUOTED) + '"';
    }

    /** Returns the beginning of a text, with a question mark for each character that is not printable ASCII. */
    public static String printable(String text, int length) {
        StringBuilder shown = new StringBuilder();
        text.chars().limit(length).forEach(c -> shown.append(c >= ' ' && c <= '~' ? (char) c : '?'));
        return text.length() > length ? shown.append("...").toString() : shown.toString();
    }
}
