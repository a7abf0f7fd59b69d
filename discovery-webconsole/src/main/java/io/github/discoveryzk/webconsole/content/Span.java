// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.report.Countdown;
import io.github.discoveryzk.report.InstanceNames;
import java.util.List;

/** A part of a line. Writers escape all texts. Times are wall-clock milliseconds since 1970. */
public sealed interface Span {

    /** Words of this program. */
    record Words(String text) implements Span {}

    /** A text of unknown origin: names, sentences, values. */
    record Foreign(String text) implements Span {}

    /**
     * Reasons, which may have texts of unknown origin.
     *
     * @param reasons the reasons
     * @param ofInstance whether they are said of an instance that is named before
     * @param max the maximum number of characters
     */
    record Reasons(List<Reason> reasons, boolean ofInstance, int max) implements Span {
        public String text(InstanceNames names) {
            return Phrases.truncate(ofInstance ? names.clause(reasons) : names.sentence(reasons), max);
        }
    }

    /** An instance: where possible a link to its page. */
    record Instance(String id) implements Span {}

    /** Consecutive views of the history, often one: where possible a link to their page. */
    record View(long first, long last, String text) implements Span {}

    /** The number of a view, or a token: as a person says it, and as a whole where that is possible. */
    record Figure(long number) implements Span {}

    /** A link within the console, to an address below it. */
    record Link(String address, String text) implements Span {}

    /** The topology page of another instance, at the address that this instance has published. */
    record Console(String address) implements Span {}

    /** A time, 0 if it is not known. */
    record Time(long millis, TimeForm form) implements Span {}

    /** How long a state has lasted, which goes on. */
    record Elapsed(long sinceMillis) implements Span {}

    /** What will happen and when. */
    record Remaining(Countdown countdown) implements Span {}

    /** A state by its sign, word and colour. */
    record State(Look look) implements Span {}

    /** A line within a line that differs in its weight or its place. */
    record Styled(Line line, Style style) implements Span {}

    /** How a time is written. */
    enum TimeForm {
        /** The time alone. */
        MOMENT,
        /** The time, and how long ago it was. */
        AGE,
        /** How long ago it was. */
        AGE_ONLY
    }

    /** The style of a part of a line, with the style class that a page writes. */
    enum Style {
        PLAIN(""),
        SOFT("dz-soft"),
        /** On a line of its own where that is possible. */
        BELOW("dz-soft dz-own"),
        WHY("dz-own dz-why"),
        CODE("dz-code"),
        /** An id that is cut where it is too long. */
        ID("dz-id"),
        /** A value that scrolls if it is long. */
        VALUE("dz-value"),
        /** Without a sign, so that other states stand out. */
        SETTLED("dz-word dz-good"),
        BADGE("dz-badge"),
        LEADER("dz-badge dz-leader"),
        FORMER_LEADER("dz-badge dz-former"),
        BROKEN("dz-badge dz-broken"),
        PATH("dz-path"),
        SENTENCE("dz-sentence"),
        SINCE("dz-since"),
        /** What is no longer true, or cannot be shown. */
        ALERT("dz-stale-view"),
        LINKS("dz-links"),
        EXTENT("dz-soft dz-extent"),
        ZONE("dz-zone"),
        FOOTER("dz-footer");

        private final String styleClass;

        Style(String styleClass) {
            this.styleClass = styleClass;
        }

        public String styleClass() {
            return styleClass;
        }

        /** Returns whether it is apart from the text before. */
        public boolean isApart() {
            return isBadge() || styleClass.contains("dz-own");
        }

        /** Returns a text in this style without markup. */
        public String plain(String text) {
            if (isBadge()) {
                return " [" + text + "]";
            }
            return isApart() ? (this == WHY ? ": " : ", ") + text : text;
        }

        private boolean isBadge() {
            return styleClass.startsWith("dz-badge");
        }
    }
}
