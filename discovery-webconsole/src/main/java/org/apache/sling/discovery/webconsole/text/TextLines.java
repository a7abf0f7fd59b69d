// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import java.io.IOException;
import org.apache.sling.discovery.webconsole.format.Escape;
import org.apache.sling.discovery.webconsole.format.Phrases;

/** Writes plain text with one fact a line; a line end within a value is escaped. */
record TextLines(Appendable out) {
    private static final int LONGEST_VALUE = 1_000;

    void heading(String text) throws IOException {
        out.append('\n').append(Escape.line(text)).append('\n');
    }

    void fact(String name, String value) throws IOException {
        String label = name.isEmpty() ? "" : name + ":";
        line(label + " ".repeat(15 - label.length()), value);
    }

    void item(String text) throws IOException {
        line("  ", text);
    }

    void detail(String text) throws IOException {
        line("     ", text);
    }

    void named(String name, String value) throws IOException {
        line("       ", name + " = " + Phrases.truncate(value, LONGEST_VALUE));
    }

    private void line(String before, String text) throws IOException {
        out.append(before).append(Escape.line(text)).append('\n');
    }
}
