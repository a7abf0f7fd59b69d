// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport.Countdown;
import org.apache.sling.discovery.webconsole.content.Fact;
import org.apache.sling.discovery.webconsole.content.Line;
import org.apache.sling.discovery.webconsole.content.Section;
import org.apache.sling.discovery.webconsole.content.Section.Facts;
import org.apache.sling.discovery.webconsole.content.Section.Heading;
import org.apache.sling.discovery.webconsole.content.Section.Items;
import org.apache.sling.discovery.webconsole.content.Section.Note;
import org.apache.sling.discovery.webconsole.content.Section.Part;
import org.apache.sling.discovery.webconsole.content.Span;
import org.apache.sling.discovery.webconsole.content.Span.Style;
import org.apache.sling.discovery.webconsole.content.Table;
import org.apache.sling.discovery.webconsole.content.Table.Column;
import org.apache.sling.discovery.webconsole.format.Look;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;

/**
 * Writes sections and lines as HTML.
 *
 * @param html the page
 * @param times the moment and time zone of the shown times
 * @param addresses the addresses of the pages
 * @param names the names of the instances
 */
public record PageWriter(Html html, Times times, Addresses addresses, InstanceNames names) {
    /** The length to which names are shortened, which then are a title as a whole. */
    private static final int NAME_LENGTH = 40;

    private static final int SHORT_ID_LENGTH = 18;
    private static final int TITLE_LENGTH = 300;
    private static final String CROWN = "M1 11.5h14l1-8.5l-4.2 2.8l-3.8-5.8l-3.8 5.8l-4.2-2.8z";

    public void section(Section section) {
        section(section, () -> {});
    }

    /** Writes a section with something between its heading and its parts. */
    public void section(Section section, Runnable first) {
        String title = section.id() + "-title";
        html.element("section", attr("id", section.id()).and("aria-labelledby", title), () -> {
                    html.element("h2", attr("id", title), () -> {
                                html.text(section.title());
                                section.count().ifPresent(this::count);
                            })
                            .line();
                    first.run();
                    parts(section.parts());
                })
                .line();
    }

    public void parts(List<Part> parts) {
        parts.forEach(this::part);
    }

    private void part(Part part) {
        if (part instanceof Facts facts) {
            facts(Attributes.NONE, facts.facts());
        } else if (part instanceof Table<?> table) {
            table(table);
        } else if (part instanceof Items items) {
            items(items.ordered() ? "ol" : "ul", items.lines());
        } else if (part instanceof Heading heading) {
            html.element("h3", () -> {
                        html.text(heading.title());
                        count(heading.count());
                    })
                    .line();
        } else if (part instanceof Note note) {
            note(note.text());
        }
    }

    private void count(int count) {
        html.text(" ").element("span", attr("class", "dz-count"), String.valueOf(count));
    }

    public void facts(Attributes attributes, List<Fact> facts) {
        html.element("dl", attributes.and("class", "dz-facts"), () -> {
                    for (Fact fact : facts) {
                        html.element("dt", fact.name()).element("dd", () -> line(fact.value()));
                    }
                })
                .line();
    }

    private void items(String element, List<Line> lines) {
        html.element(
                        element,
                        attr("class", "dz-list"),
                        () -> lines.forEach(each -> html.element("li", () -> line(each))))
                .line();
    }

    /** Writes a sentence that stands in place of content. */
    public void note(String text) {
        html.element("p", attr("class", "dz-nothing"), text).line();
    }

    private <T> void table(Table<T> table) {
        html.element("table", attr("class", ("dz-table " + table.styleClass()).strip()), () -> {
                    html.element(
                            "thead",
                            () -> html.element("tr", () -> {
                                for (Column<T> column : table.columns()) {
                                    html.element("th", attr("scope", "col"), column.name());
                                }
                            }));
                    html.element("tbody", () -> {
                        html.line();
                        for (T row : table.rows()) {
                            html.element("tr", marks(table, row), () -> {
                                        for (Column<T> column : table.columns()) {
                                            cell(column, column.cell().apply(row));
                                        }
                                    })
                                    .line();
                        }
                    });
                })
                .line();
        if (!table.rest().isEmpty()) {
            note(table.rest());
        }
    }

    private static <T> Attributes marks(Table<T> table, T row) {
        Attributes marks = Attributes.NONE;
        for (Map.Entry<String, Function<T, String>> mark : table.marks().entrySet()) {
            String value = mark.getValue().apply(row);
            String name = mark.getKey();
            marks = marks.and(name, name.equals("id") ? Sha256.elementId(table.styleClass(), value) : value);
        }
        return marks;
    }

    /** Writes a cell, which names its column for narrow screens. */
    private void cell(Column<?> column, Line content) {
        Attributes label = attr("data-label", column.name());
        switch (column.kind()) {
            case HEADING -> html.element("th", attr("scope", "row"), () -> line(content));
            case NUMBER -> html.element("td", label.and("class", "dz-number"), () -> line(content));
            case WIDE -> html.element("td", label.and("class", "dz-wide"), () -> block(content));
            case PLAIN -> html.element("td", label, () -> block(content));
        }
    }

    /** On narrow screens each element of a cell has a line of its own. */
    private void block(Line content) {
        if (content.spans().size() > 1) {
            html.element("div", () -> line(content));
        } else {
            line(content);
        }
    }

    public void line(Line line) {
        line.spans().forEach(this::span);
    }

    private void span(Span span) {
        if (span instanceof Span.Words words) {
            html.text(words.text());
        } else if (span instanceof Span.Reasons reasons) {
            html.foreign(reasons.text(names));
        } else if (span instanceof Span.Foreign foreign) {
            html.foreign(foreign.text());
        } else if (span instanceof Span.Instance instance) {
            instance(instance.id());
        } else if (span instanceof Span.View view) {
            html.element("a", attr("href", addresses.view(view.number())), view.text());
        } else if (span instanceof Span.Console console) {
            TopologyLink link = TopologyLink.of(console.address(), addresses.overview());
            html.outside(link.address(), link.host());
        } else if (span instanceof Span.Time time) {
            time(time);
        } else if (span instanceof Span.Elapsed elapsed) {
            elapsed(elapsed.sinceMillis());
        } else if (span instanceof Span.Remaining remaining) {
            countdown(remaining.countdown());
        } else if (span instanceof Span.State state) {
            state(state.look());
        } else if (span instanceof Span.Styled styled) {
            styled(styled.style(), styled.line());
        }
    }

    /** A link to the page of an instance: its name with its short id beside it, or its short id if it has no name. */
    private void instance(String id) {
        String shown = Phrases.shorten(nameOrShortId(id), NAME_LENGTH);
        html.element("a", attr("href", addresses.instance(id)).and("title", title(id)), () -> html.foreign(shown));
        if (names.name(id).filter(name -> !name.equals(id)).isPresent()) {
            html.text(" ");
            shortId(id);
        }
    }

    /** Returns an id as a title of an element. */
    public static String title(String id) {
        return Phrases.truncate(id, TITLE_LENGTH);
    }

    /** Returns the name of an instance, or its id if it has no name: of a random one the beginning, which is enough. */
    public String nameOrShortId(String id) {
        String begin = InstanceNames.shortId(id);
        return names.name(id).orElse(begin.endsWith("\u2026") ? id : begin);
    }

    /** Writes an id that is short enough to stand beside a name; its title is the whole id. */
    public void shortId(String id) {
        String shown = Phrases.shorten(InstanceNames.shortId(id), SHORT_ID_LENGTH);
        html.element("bdi", attr("class", "dz-short").and("title", id), shown.isBlank() ? "empty" : shown);
    }

    private void time(Span.Time time) {
        long millis = time.millis();
        if (millis <= 0) {
            html.text("unknown");
            return;
        }
        switch (time.form()) {
            case EXACT -> html.element(
                    "time", attr("datetime", times.iso(millis)).and("data-exact", ""), times.exact(millis));
            case MOMENT, AGE -> html.element("time", attr("datetime", times.iso(millis)), times.absolute(millis));
            case AGE_ONLY -> {}
        }
        if (time.form() != Span.Form.MOMENT) {
            // The script keeps it up to date.
            html.text(" ");
            html.element("span", attr("class", "dz-ago").and("data-ago", millis), "(" + times.relative(millis) + ")");
        }
    }

    /** Writes how long a state has lasted, which the script counts up. */
    private void elapsed(long sinceMillis) {
        html.element("span", attr("class", "dz-tick").and("data-since", sinceMillis), times.since(sinceMillis));
    }

    /** Writes what will happen and when, which the script counts down. */
    private void countdown(Countdown countdown) {
        Attributes attributes = attr("class", "dz-countdown")
                .and("data-at", countdown.atMillis())
                .and("data-what", countdown.what())
                .and("aria-live", "off");
        html.element("bdi", attributes, countdown.words(times.nowMillis()));
    }

    private void state(Look look) {
        html.element(
                "span",
                attr("class", "dz-standing dz-" + look.tone()),
                () -> html.element("span", attr("class", "dz-word"), () -> {
                    sign(look);
                    html.text(look.word());
                }));
    }

    private void styled(Style style, Line line) {
        html.text(style.isApart() ? " " : "");
        Attributes attributes = attr("class", style.styleClass());
        switch (style) {
                // A long value scrolls, so the keyboard must be able to reach it.
            case VALUE -> html.element("div", attributes.and("tabindex", "0"), () -> line(line));
            case CODE -> html.element("code", () -> line(line));
            case LEADER, FORMER_LEADER -> html.element("span", attributes, () -> {
                icon("dz-crown", "0 0 16 12", CROWN);
                line(line);
            });
            default -> html.element("span", attributes, () -> line(line));
        }
    }

    /** Writes the sign of a state. */
    public void sign(Look look) {
        icon("dz-shape", "0 0 16 16", look.sign());
    }

    /** A drawing that repeats what the text beside it says. */
    private void icon(String styleClass, String viewBox, String outline) {
        Attributes svg = attr("class", styleClass).and("viewBox", viewBox).and("aria-hidden", "true");
        Attributes path = attr("d", outline).and("fill", "currentColor").and("fill-rule", "evenodd");
        html.element("svg", svg, () -> html.element("path", path, ""));
    }
}
