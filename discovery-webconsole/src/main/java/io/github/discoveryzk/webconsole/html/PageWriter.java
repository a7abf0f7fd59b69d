// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.html.Attributes.attr;

import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.report.Countdown;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.webconsole.content.Fact;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Look;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.content.Table;
import io.github.discoveryzk.webconsole.content.Table.Column;
import io.github.discoveryzk.webconsole.content.Times;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Writes what is shown as HTML.
 *
 * @param html the page
 * @param times the moment and time zone of the shown times
 * @param console the path of the console, without a slash at the end
 * @param names the names of the instances
 * @param token the CSRF token of the user; empty when no action is possible
 */
record PageWriter(Html html, Times times, String console, InstanceNames names, Optional<String> token) {
    /** The length to which names are shortened, which then are a title as a whole. */
    private static final int NAME_LENGTH = 40;

    private static final int SHORT_ID_LENGTH = 18;
    private static final int TITLE_LENGTH = 300;
    private static final String CROWN = "M1 11.5h14l1-8.5l-4.2 2.8l-3.8-5.8l-3.8 5.8l-4.2-2.8z";

    void parts(List<? extends Part> parts) {
        parts.forEach(this::part);
    }

    private void part(Part part) {
        if (part instanceof Section section) {
            section(section);
        } else if (part instanceof Section.Facts facts) {
            facts(facts);
        } else if (part instanceof Table<?> table) {
            table(table);
        } else if (part instanceof Section.Items items) {
            items(items.ordered() ? "ol" : "ul", items.lines());
        } else if (part instanceof Section.Heading heading) {
            html.element("h3", () -> counted(heading.title(), OptionalInt.of(heading.count())));
        } else if (part instanceof Section.Note note) {
            html.element("p", attr("class", "dz-nothing"), note.text());
        } else if (part instanceof Section.Title title) {
            html.element("h2", attr("class", "dz-title"), () -> line(title.line()));
        } else if (part instanceof Section.Paragraph paragraph) {
            html.element("p", attr("class", paragraph.style().styleClass()), () -> line(paragraph.line()));
        } else if (part instanceof Section.Form form) {
            token.ifPresent(present -> form(form, present));
        } else {
            ((Picture) part).write(this);
        }
    }

    private void section(Section section) {
        String title = section.id() + "-title";
        html.element("section", attr("id", section.id()).and("aria-labelledby", title), () -> {
            html.element("h2", attr("id", title), () -> counted(section.title(), section.count()));
            parts(section.parts());
        });
    }

    private void counted(String title, OptionalInt count) {
        html.text(title);
        count.ifPresent(number -> html.text(" ").element("span", attr("class", "dz-count"), String.valueOf(number)));
    }

    /** The form is closed at first, and says what the action leads to. */
    private void form(Section.Form form, String present) {
        Map<String, String> fields = new TreeMap<>(form.fields());
        fields.put(ActionForms.TOKEN, present);
        html.element("details", attr("class", "dz-action").and("id", form.id()), () -> {
            html.element("summary", form.summary());
            form.explanation().forEach(each -> html.element("p", () -> line(each)));
            html.element("form", attr("method", "post").and("action", console + Addresses.OVERVIEW), () -> {
                fields.forEach((name, value) -> html.empty(
                        "input", attr("type", "hidden").and("name", name).and("value", value)));
                html.element("button", attr("type", "submit"), form.button());
            });
        });
    }

    private void facts(Section.Facts facts) {
        Attributes list = attr("class", "dz-facts");
        html.element("dl", facts.id().isEmpty() ? list : list.and("id", facts.id()), () -> {
            for (Fact fact : facts.facts()) {
                html.element("dt", fact.name()).element("dd", () -> line(fact.value()));
            }
        });
    }

    private void items(String element, List<Line> lines) {
        html.element(
                element, attr("class", "dz-list"), () -> lines.forEach(each -> html.element("li", () -> line(each))));
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
                for (T row : table.rows()) {
                    html.element("tr", marks(table, row), () -> {
                        for (Column<T> column : table.columns()) {
                            cell(column, column.cell().apply(row));
                        }
                    });
                }
            });
        });
        if (!table.rest().isEmpty()) {
            part(new Section.Note(table.rest()));
        }
    }

    private static <T> Attributes marks(Table<T> table, T row) {
        Attributes marks = Attributes.NONE;
        for (Map.Entry<String, Function<T, String>> mark : table.marks().entrySet()) {
            String value = mark.getValue().apply(row);
            String name = mark.getKey();
            marks = marks.and(name, name.equals("id") ? Html.id(table.styleClass(), value) : value);
        }
        return marks;
    }

    /** Writes a cell, which names its column for narrow screens. */
    private void cell(Column<?> column, Line content) {
        Attributes label = attr("data-label", column.name());
        switch (column.kind()) {
            case HEADING -> html.element("th", attr("scope", "row"), () -> line(content));
            case NUMBER -> html.element("td", label.and("class", "dz-number"), () -> line(content));
            case WIDE -> block(label.and("class", "dz-wide"), content);
            case PLAIN -> block(label, content);
        }
    }

    /** On narrow screens each element of a cell has a line of its own. */
    private void block(Attributes label, Line content) {
        if (content.spans().size() > 1) {
            html.element("td", label, () -> html.element("div", () -> line(content)));
        } else if (!content.isEmpty() && content.spans().get(0) instanceof Span.Foreign foreign) {
            html.foreign("td", label, foreign.text());
        } else {
            html.element("td", label, () -> line(content));
        }
    }

    void line(Line line) {
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
            String title = "View " + view.first() + (view.first() == view.last() ? "" : " to " + view.last());
            Attributes link = attr("href", console + Addresses.views(view.first(), view.last()))
                    .and("title", title);
            html.element("a", link, view.text());
        } else if (span instanceof Span.Figure figure) {
            html.element("span", attr("title", figure.number()), ViewHead.words(figure.number()));
        } else if (span instanceof Span.Link link) {
            link(link.address(), link.text());
        } else if (span instanceof Span.Console published) {
            String host = published.address().replaceFirst("(?s)^https?://([^/?#]+).*", "$1");
            html.outside(Addresses.elsewhere(published.address(), console), host);
        } else if (span instanceof Span.Time time) {
            time(time);
        } else if (span instanceof Span.Elapsed elapsed) {
            // The script counts it up.
            Attributes tick = attr("class", "dz-tick").and("data-since", elapsed.sinceMillis());
            html.element("span", tick, times.since(elapsed.sinceMillis()));
        } else if (span instanceof Span.Remaining remaining) {
            countdown(remaining.countdown());
        } else if (span instanceof Span.State state) {
            state("dz-word dz-" + state.look().tone(), state.look());
        } else if (span instanceof Span.Styled styled) {
            styled(styled.style(), styled.line());
        }
    }

    private void link(String address, String text) {
        html.element("a", attr("href", console + address), text);
    }

    /** A link to the page of an instance: its name, with its short id beside it if another one has that name, or its short id. */
    private void instance(String id) {
        String shown = Phrases.shorten(nameOrShortId(id), NAME_LENGTH);
        Attributes link = attr("href", console + Addresses.instance(id)).and("title", title(id));
        html.foreign("a", link, shown);
        if (names.isAmbiguous(id)) {
            html.text(" ");
            shortId(id);
        }
    }

    /** Returns an id as a title of an element. */
    static String title(String id) {
        return Phrases.truncate(id, TITLE_LENGTH);
    }

    /** Returns the name of an instance, or its id if it has no name: of a random one the beginning, which is enough. */
    String nameOrShortId(String id) {
        String begin = InstanceNames.shortId(id);
        return names.name(id).orElse(begin.endsWith("\u2026") ? id : begin);
    }

    /** Writes an id that is short enough to stand beside a name; its title is the whole id. */
    void shortId(String id) {
        Attributes whole = attr("class", "dz-short").and("title", id);
        html.foreign("bdi", whole, Phrases.shorten(InstanceNames.shortId(id), SHORT_ID_LENGTH));
    }

    private void time(Span.Time time) {
        long millis = time.millis();
        if (millis <= 0) {
            html.text("unknown");
            return;
        }
        if (time.form() != Span.TimeForm.AGE_ONLY) {
            html.element("time", attr("datetime", times.iso(millis)), times.absolute(millis));
        }
        if (time.form() != Span.TimeForm.MOMENT) {
            // The script keeps it up to date.
            html.text(" ");
            html.element("span", attr("class", "dz-ago").and("data-ago", millis), "(" + times.relative(millis) + ")");
        }
    }

    /** Writes what will happen and when, which the script counts down. */
    private void countdown(Countdown countdown) {
        Attributes attributes = attr("class", "dz-countdown")
                .and("data-at", countdown.atMillis())
                .and("data-what", countdown.what())
                .and("aria-live", "off");
        html.element("bdi", attributes, countdown.words(times.nowMillis()));
    }

    /** Writes the sign and the word of a state. */
    void state(String styleClass, Look look) {
        html.element("span", attr("class", styleClass), () -> {
            sign(look);
            html.text(look.word());
        });
    }

    private void styled(Style style, Line line) {
        html.text(style.isApart() ? " " : "");
        Attributes attributes = attr("class", style.styleClass());
        switch (style) {
            case SINCE -> html.element("span", attributes.and("aria-live", "off"), () -> line(line));
                // A long value scrolls, so the keyboard must be able to reach it.
            case VALUE -> html.element("div", attributes.and("tabindex", "0"), () -> line(line));
            case CODE -> html.element("code", () -> line(line));
            case LEADER, FORMER_LEADER -> html.element("span", attributes, () -> {
                crown("dz-crown");
                line(line);
            });
            default -> html.element("span", attributes, () -> line(line));
        }
    }

    void crown(String styleClass) {
        icon(styleClass, "0 0 16 12", CROWN);
    }

    /** Writes the sign of a state. */
    void sign(Look look) {
        icon("dz-shape", "0 0 16 16", look.sign());
    }

    /** A drawing that repeats what the text beside it says. */
    private void icon(String styleClass, String viewBox, String outline) {
        Attributes svg = attr("class", styleClass).and("viewBox", viewBox).and("aria-hidden", "true");
        html.element("svg", svg, () -> html.element("path", attr("d", outline), ""));
    }
}
