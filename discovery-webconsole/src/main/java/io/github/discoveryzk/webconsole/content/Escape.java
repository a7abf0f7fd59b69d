// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Escapes text of unknown origin for HTML, for addresses and for plain text. Invisible characters that change what is
 * seen (control characters, reversed writing direction, broken surrogates) become visible.
 */
public final class Escape {
    private Escape() {}

    /**
     * Escapes for HTML text and for attribute values in double quotes. The dollar sign is escaped too, because the
     * console replaces <code>${name}</code> in its pages.
     */
    public static String html(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                case '$' -> out.append("&#36;");
                case '\n', '\t' -> out.append((char) c);
                default -> visible(c, out);
            }
        });
        return out.toString();
    }

    /** Escapes for one segment of a path or one value of a query. */
    public static String url(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Escapes for plain text. The result is always one line. */
    public static String line(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\\' -> out.append("\\\\");
                default -> visible(c, out);
            }
        });
        return out.toString();
    }

    private static void visible(int c, StringBuilder out) {
        if (c < 0x20) {
            out.append((char) (0x2400 + c));
        } else if (c == 0x7F) {
            out.append('\u2421');
        } else if (c < 0xA0 && c > 0x7F || c >= 0xD800 && c <= 0xDFFF || (c & 0xFFFE) == 0xFFFE) {
            out.append('\uFFFD');
        } else if (isDeceptive(c)) {
            out.append("[U+")
                    .append(Integer.toHexString(c).toUpperCase(Locale.ROOT))
                    .append(']');
        } else {
            out.appendCodePoint(c);
        }
    }

    /**
     * Returns whether a character is a direction mark or override, a line or paragraph separator, or a space without
     * width.
     */
    public static boolean isDeceptive(int c) {
        return c == 0x61C
                || c == 0x200B
                || c == 0x200E
                || c == 0x200F
                || c >= 0x2028 && c <= 0x202E
                || c >= 0x2060 && c <= 0x206F
                || c == 0xFEFF;
    }
}
