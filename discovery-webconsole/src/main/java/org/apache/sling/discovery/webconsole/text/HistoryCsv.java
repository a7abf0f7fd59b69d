// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import java.io.IOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.History.Departed;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.History.Participant;

/**
 * Writes views as comma-separated values (RFC 4180) for spreadsheets, with times in UTC. A text that a spreadsheet would
 * evaluate as a formula begins with an apostrophe.
 */
public final class HistoryCsv {
    private static final List<String> HEADINGS = List.of(
            "view",
            "published",
            "leader id",
            "leader name",
            "token",
            "members",
            "joined",
            "left",
            "left out",
            "changing ms",
            "published by",
            "cause",
            "outage");

    private static final String LINE_END = "\r\n";

    private HistoryCsv() {}

    /** @param nameOf returns the name of an instance by its id */
    public static void write(List<Entry> entries, UnaryOperator<String> nameOf, Appendable out) throws IOException {
        line(HEADINGS.stream(), out);
        for (Entry entry : entries) {
            line(cells(entry, nameOf), out);
        }
    }

    private static Stream<String> cells(Entry entry, UnaryOperator<String> nameOf) {
        return Stream.of(
                String.valueOf(entry.number()),
                Instant.ofEpochMilli(entry.publishedMillis()).toString(),
                entry.leader(),
                nameOf.apply(entry.leader()),
                String.valueOf(entry.token()),
                String.valueOf(entry.size()),
                ids(entry.joined()),
                entry.left().stream().map(HistoryCsv::departed).collect(Collectors.joining("; ")),
                String.join("; ", entry.leftOut()),
                String.valueOf(entry.changingMillis()),
                entry.publisher(),
                entry.cause(),
                entry.outage().orElse(""));
    }

    private static String ids(List<Participant> participants) {
        return participants.stream().map(Participant::id).collect(Collectors.joining("; "));
    }

    private static String departed(Departed departed) {
        return departed.who().id() + " (" + departed.kind().orElse("session ended") + ")";
    }

    private static void line(Stream<String> cells, Appendable out) throws IOException {
        Iterator<String> each = cells.iterator();
        while (each.hasNext()) {
            out.append(cell(each.next())).append(each.hasNext() ? "," : LINE_END);
        }
    }

    static String cell(String text) {
        String visible = text.codePoints()
                .filter(c -> c >= ' ' || c == '\n' || c == '\t')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        boolean isFormula = !visible.isEmpty() && "=+-@\t\n".indexOf(visible.charAt(0)) >= 0;
        return '"' + (isFormula ? "'" : "") + visible.replace("\"", "\"\"") + '"';
    }
}
