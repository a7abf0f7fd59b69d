// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.text;

import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.webconsole.content.Escape;
import io.github.discoveryzk.webconsole.content.Fact;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span;
import io.github.discoveryzk.webconsole.content.Span.Styled;
import io.github.discoveryzk.webconsole.content.Table;
import io.github.discoveryzk.webconsole.content.Table.Column;
import io.github.discoveryzk.webconsole.content.Table.Kind;
import io.github.discoveryzk.webconsole.content.Times;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes plain text with a line for each fact and each row of a table. A line end within a value is escaped. */
final class TextWriter {
    private static final int MAX_VALUE_LENGTH = 1_000;
    private static final int NAME_WIDTH = 15;

    private final Times times;
    private final InstanceNames names;
    private final StringBuilder out = new StringBuilder();

    TextWriter(Times times, InstanceNames names) {
        this.times = times;
        this.names = names;
    }

    /** Returns what has been written. */
    String text() {
        return out.toString();
    }

    void section(Section section) {
        section(section.title(), section.parts());
    }

    void section(String title, List<Part> parts) {
        heading(title);
        parts.forEach(part -> part(part, "  "));
    }

    void heading(String title) {
        out.append(out.isEmpty() ? "" : "\n").append(foreign(title)).append('\n');
    }

    void facts(List<Fact> facts, String indent) {
        for (Fact fact : facts) {
            String name = fact.name() + ":";
            line(indent + name + " ".repeat(Math.max(1, NAME_WIDTH - name.length())) + words(fact.value()));
        }
    }

    void item(String text) {
        line("  " + foreign(text));
    }

    void part(Part part, String indent) {
        if (part instanceof Section.Facts facts) {
            facts(facts.facts(), indent);
        } else if (part instanceof Table<?> table) {
            table(table, indent);
        } else if (part instanceof Section.Items items) {
            items.lines().forEach(line -> line(indent + words(line)));
        } else if (part instanceof Section.Heading heading) {
            line(indent.substring(2) + heading.title());
        } else if (part instanceof Section.Note note) {
            line(indent + Escape.line(note.text()));
        }
    }

    private <T> void table(Table<T> table, String indent) {
        for (T row : table.rows()) {
            line(indent + row(table.columns(), row));
        }
        if (!table.rest().isEmpty()) {
            line(indent + table.rest());
        }
    }

    /** The first cell identifies the row, after its position if there is one; the next one is said of it. The others have names. */
    private <T> String row(List<Column<T>> columns, T row) {
        int subject = columns.get(0).kind() == Kind.NUMBER ? 1 : 0;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            Column<T> column = columns.get(i);
            if (i > subject + 1) {
                text.append("; ").append(column.name().toLowerCase(Locale.ROOT)).append(' ');
            } else if (i > 0) {
                text.append(i == subject ? ". " : ": ");
            }
            text.append(words(column.cell().apply(row)).strip());
        }
        return text.toString();
    }

    private void line(String text) {
        out.append(text.stripTrailing()).append('\n');
    }

    /** Returns a line as plain text. */
    String words(Line line) {
        return line.spans().stream().map(this::words).collect(Collectors.joining());
    }

    private String words(Span span) {
        if (span instanceof Span.Words words) {
            return words.text();
        } else if (span instanceof Span.Reasons reasons) {
            return foreign(reasons.text(names));
        } else if (span instanceof Span.Foreign foreign) {
            return foreign(foreign.text());
        } else if (span instanceof Span.Instance instance) {
            return foreign(names.label(instance.id()));
        } else if (span instanceof Span.View view) {
            return view.text();
        } else if (span instanceof Span.Figure figure) {
            return ViewHead.words(figure.number());
        } else if (span instanceof Span.Link link) {
            return link.text();
        } else if (span instanceof Span.Console console) {
            return foreign(console.address());
        } else if (span instanceof Span.Time time) {
            return time(time);
        } else if (span instanceof Span.Elapsed elapsed) {
            return times.since(elapsed.sinceMillis());
        } else if (span instanceof Span.Remaining remaining) {
            return foreign(remaining.countdown().words(times.nowMillis()));
        } else if (span instanceof Span.State state) {
            return state.look().word();
        } else {
            Styled styled = (Styled) span;
            return styled.style().plain(words(styled.line()));
        }
    }

    private static String foreign(String text) {
        return Escape.line(Phrases.truncate(text, MAX_VALUE_LENGTH));
    }

    private String time(Span.Time time) {
        return switch (time.form()) {
            case MOMENT -> times.absolute(time.millis());
            case AGE -> times.absoluteAndRelative(time.millis());
            case AGE_ONLY -> "(" + times.relative(time.millis()) + ")";
        };
    }
}
