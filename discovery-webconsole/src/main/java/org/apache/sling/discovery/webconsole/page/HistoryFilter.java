// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;

/**
 * The selection of views on the history page.
 *
 * @param instance selects views that involve an instance with this text in its id; empty for all
 * @param kind selects views with a change of this kind
 * @param from the number of the first view, 0 for the newest views
 * @param count the greatest number of views
 */
public record HistoryFilter(String instance, ChangeKind kind, long from, int count) {
    static final String KIND = "kind";
    static final String FROM = "from";
    static final String COUNT = "count";
    static final int MOST = 500;

    private static final int USUAL = 50;

    /** The newest views of any kind. */
    static final HistoryFilter NONE = new HistoryFilter("", ChangeKind.ANY, 0, USUAL);

    /**
     * Reads the parameters of a request.
     *
     * @param parameter returns the value of a parameter, or null
     */
    public static HistoryFilter of(UnaryOperator<String> parameter) throws InvalidParameter {
        return new HistoryFilter(
                Objects.requireNonNullElse(parameter.apply(Addresses.INSTANCE), ""),
                kind(parameter.apply(KIND)),
                number(FROM, parameter.apply(FROM), 0, 0, Long.MAX_VALUE),
                (int) number(COUNT, parameter.apply(COUNT), USUAL, 1, MOST));
    }

    /** Returns the selected entries in the given order, which is newest first. */
    List<Entry> select(List<Entry> entries) {
        Predicate<Entry> wanted = kind::matches;
        List<Entry> matching = entries.stream()
                .filter(wanted)
                .filter(entry -> instance.isEmpty() || ChangeKind.involves(entry, this::includes))
                .filter(entry -> entry.number() >= from)
                .toList();
        return from == 0
                ? matching.stream().limit(count).toList()
                : matching.subList(Math.max(0, matching.size() - count), matching.size());
    }

    /** Returns whether an instance is selected. */
    boolean includes(String instanceId) {
        return instanceId.contains(instance);
    }

    private static ChangeKind kind(String name) throws InvalidParameter {
        if (name == null || name.isEmpty()) {
            return ChangeKind.ANY;
        }
        for (ChangeKind each : ChangeKind.values()) {
            if (value(each).equals(name)) {
                return each;
            }
        }
        throw new InvalidParameter(
                KIND,
                name,
                "it is none of "
                        + Stream.of(ChangeKind.values())
                                .map(HistoryFilter::value)
                                .collect(Collectors.joining(", ")),
                value(ChangeKind.LEADER));
    }

    /** Returns the parameter value of a kind. */
    static String value(ChangeKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static long number(String parameter, String text, long otherwise, long least, long most)
            throws InvalidParameter {
        if (text == null || text.isBlank()) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InvalidParameter(
                parameter,
                text,
                "it is not a number from " + least + " to " + most,
                String.valueOf(Math.max(least, 42)));
    }
}
