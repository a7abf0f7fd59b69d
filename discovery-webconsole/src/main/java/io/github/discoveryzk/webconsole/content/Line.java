// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.report.Countdown;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.content.Span.TimeForm;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/** A line of what is shown. Immutable: each method returns this line with something appended. */
public record Line(List<Span> spans) {
    private static final Line EMPTY = new Line(List.of());

    public Line {
        spans = List.copyOf(spans);
    }

    /** Returns the empty line. */
    public static Line line() {
        return EMPTY;
    }

    public boolean isEmpty() {
        return spans.isEmpty();
    }

    private Line and(Span span) {
        return new Line(Stream.concat(spans.stream(), Stream.of(span)).toList());
    }

    public Line and(Line other) {
        return new Line(Stream.concat(spans.stream(), other.spans.stream()).toList());
    }

    /** Appends words of this program. */
    public Line text(String text) {
        return text.isEmpty() ? this : and(new Span.Words(text));
    }

    public Line text(long number) {
        return text(String.valueOf(number));
    }

    /** Appends a text of unknown origin. */
    public Line foreign(String text) {
        return and(new Span.Foreign(text));
    }

    /** Appends a text of unknown origin, cut after a number of characters. */
    public Line foreign(String text, int max) {
        return foreign(Phrases.truncate(text, max));
    }

    /** Appends reasons as a sentence. */
    public Line because(List<Reason> reasons) {
        return because(reasons, Integer.MAX_VALUE);
    }

    /** Appends reasons as a sentence, cut after a number of characters. */
    public Line because(List<Reason> reasons, int max) {
        return and(new Span.Reasons(reasons, false, max));
    }

    /** Appends what reasons say of an instance that is named before, cut after a number of characters. */
    public Line of(List<Reason> reasons, int max) {
        return and(new Span.Reasons(reasons, true, max));
    }

    public Line instance(String id) {
        return and(new Span.Instance(id));
    }

    /** Appends the number of a view of the history, after other words. */
    public Line view(String before, long number) {
        return and(new Span.View(number, number, before + ViewHead.words(number)));
    }

    /** Appends the numbers of consecutive views of the history. */
    public Line views(long first, long last) {
        String text = ViewHead.words(first) + (first == last ? "" : " to " + ViewHead.words(last));
        return and(new Span.View(first, last, (first == last ? "view " : "views ") + text));
    }

    /** Appends the number of a view that the history need not have, or a token. */
    public Line number(long number) {
        return and(new Span.Figure(number));
    }

    /** Appends a link to an address below the console. */
    public Line link(String address, String text) {
        return and(new Span.Link(address, text));
    }

    public Line console(String address) {
        return and(new Span.Console(address));
    }

    /** Appends a time and how long ago it was. */
    public Line time(long millis) {
        return time(millis, TimeForm.AGE);
    }

    public Line time(long millis, TimeForm form) {
        return and(new Span.Time(millis, form));
    }

    /** Appends a time, or a phrase if there is none. */
    public Line time(OptionalLong millis, String absent) {
        return millis.isPresent() ? time(millis.getAsLong()) : soft(absent);
    }

    public Line elapsed(long sinceMillis) {
        return and(new Span.Elapsed(sinceMillis));
    }

    public Line remaining(Countdown countdown) {
        return and(new Span.Remaining(countdown));
    }

    public Line state(Look look) {
        return and(new Span.State(look));
    }

    public Line styled(Style style, Line line) {
        return and(new Span.Styled(line, style));
    }

    public Line styled(Style style, String text) {
        return styled(style, EMPTY.text(text));
    }

    public Line soft(String text) {
        return styled(Style.SOFT, text);
    }

    /** Appends elements with a separator between them, at most a number of them; the others are counted. */
    public <T> Line list(List<T> elements, String separator, int max, Function<T, Line> element) {
        Line all = this;
        for (int i = 0; i < Math.min(max, elements.size()); i++) {
            all = all.text(i == 0 ? "" : separator).and(element.apply(elements.get(i)));
        }
        return elements.size() <= max ? all : all.text(" and " + (elements.size() - max) + " more");
    }
}
