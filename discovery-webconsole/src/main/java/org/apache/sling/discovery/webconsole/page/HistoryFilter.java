// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;

/**
 * The selection of views on the history page.
 *
 * @param instance selects views that involve an instance with this text in its id or name; empty for all
 * @param kind selects views with a change of this kind
 * @param range selects views by the time of their publication
 * @param first the number of the first view, 0 for the newest views
 * @param count the greatest number of views
 * @param view the number of a view that is shown alone; empty for the list
 * @param byTime whether the drawing has a true time axis instead of a column for each view
 */
public record HistoryFilter(
        String instance, ChangeKind kind, TimeRange range, long first, int count, OptionalLong view, boolean byTime) {
    static final String KIND = "kind";
    static final String FIRST = "first";
    static final String COUNT = "count";
    static final String AXIS = "axis";
    static final String TIME_AXIS = "time";
    static final String VIEW_AXIS = "view";
    static final int MOST = 500;

    private static final int USUAL = 50;

    /** The newest views of any kind. */
    static final HistoryFilter NONE =
            new HistoryFilter("", ChangeKind.ANY, TimeRange.all(ZoneOffset.UTC), 0, USUAL, OptionalLong.empty(), false);

    /**
     * Reads the parameters of a request.
     *
     * @param request returns the value of a parameter, or null
     * @param times the present time, and the zone of times without one
     * @throws InvalidParameter if a value is not valid; an absent or empty one is
     */
    public static HistoryFilter of(UnaryOperator<String> request, Times times) throws InvalidParameter {
        UnaryOperator<String> parameter =
                name -> Objects.requireNonNullElse(request.apply(name), "").strip();
        long view = number(Addresses.VIEW, parameter, 0, Long.MAX_VALUE, -1);
        return new HistoryFilter(
                parameter.apply(Addresses.INSTANCE),
                kind(parameter.apply(KIND)),
                TimeRange.of(parameter, times),
                number(FIRST, parameter, 0, Long.MAX_VALUE, 0),
                (int) number(COUNT, parameter, 1, MOST, USUAL),
                view < 0 ? OptionalLong.empty() : OptionalLong.of(view),
                isByTime(parameter.apply(AXIS)));
    }

    /** Returns the time zone in which times are given and shown. */
    ZoneId zone() {
        return range.zone();
    }

    /** Returns the selected entries in the given order, which is newest first. */
    public List<Entry> select(List<Entry> entries, UnaryOperator<String> nameOf) {
        Predicate<Entry> involved =
                instance.isEmpty() ? entry -> true : ChangeKind.involving(entries, id -> includes(id, nameOf));
        List<Entry> matching = entries.stream()
                .filter(kind::matches)
                .filter(involved)
                .filter(entry -> entry.number() >= first)
                .filter(entry -> range.includes(entry.publishedMillis()))
                .toList();
        return first == 0
                ? matching.stream().limit(count).toList()
                : matching.subList(Math.max(0, matching.size() - count), matching.size());
    }

    /**
     * Returns whether an instance is selected.
     *
     * @param nameOf returns the name of an instance
     */
    boolean includes(String instanceId, UnaryOperator<String> nameOf) {
        return instanceId.contains(instance)
                || nameOf.apply(instanceId).toLowerCase(Locale.ROOT).contains(instance.toLowerCase(Locale.ROOT));
    }

    /** Returns the parameters of this selection without those that have their usual values. */
    Map<String, String> parameters() {
        Map<String, String> all = new LinkedHashMap<>();
        put(all, Addresses.INSTANCE, instance, "");
        put(all, KIND, value(kind), value(ChangeKind.ANY));
        put(all, TimeRange.LAST, range.last(), "");
        if (range.last().isEmpty()) {
            Times times = new Times(0, zone());
            range.from().ifPresent(millis -> all.put(TimeRange.FROM, times.iso(millis)));
            range.to().ifPresent(millis -> all.put(TimeRange.TO, times.iso(millis)));
        }
        put(all, FIRST, String.valueOf(first), "0");
        put(all, COUNT, String.valueOf(count), String.valueOf(USUAL));
        put(all, AXIS, byTime ? TIME_AXIS : VIEW_AXIS, VIEW_AXIS);
        return all;
    }

    private static void put(Map<String, String> all, String name, String value, String usual) {
        if (!value.equals(usual)) {
            all.put(name, value);
        }
    }

    private static boolean isByTime(String axis) throws InvalidParameter {
        return switch (axis) {
            case "", VIEW_AXIS -> false;
            case TIME_AXIS -> true;
            default -> throw new InvalidParameter(AXIS, axis, "there is no such axis", TIME_AXIS);
        };
    }

    private static ChangeKind kind(String name) throws InvalidParameter {
        if (name.isEmpty()) {
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

    private static long number(String name, UnaryOperator<String> parameter, long least, long most, long otherwise)
            throws InvalidParameter {
        String text = parameter.apply(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InvalidParameter(name, text, "it is not a number from " + least + " to " + most, "50");
    }
}
