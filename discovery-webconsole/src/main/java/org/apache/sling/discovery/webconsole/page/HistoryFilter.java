// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.History.Departed;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.History.Participant;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;

/**
 * The selection of views on the history page.
 *
 * @param instance selects views that involve an instance with this text in its id or name; empty for all
 * @param count the maximum number of views, of which the newest are selected
 * @param view the number of a view that is shown alone; empty for the list
 */
public record HistoryFilter(String instance, int count, OptionalLong view) {
    static final int MAX_COUNT = 500;

    private static final int USUAL = 50;

    /**
     * Reads the parameters of a request.
     *
     * @param request returns the value of a parameter, or null
     * @throws InvalidParameter if a value is not valid; an absent or empty one is
     */
    public static HistoryFilter of(UnaryOperator<String> request) throws InvalidParameter {
        UnaryOperator<String> parameter =
                name -> Objects.requireNonNullElse(request.apply(name), "").strip();
        long view = number(Addresses.VIEW, parameter, 0, Long.MAX_VALUE, -1);
        return new HistoryFilter(
                parameter.apply(Addresses.INSTANCE),
                (int) number(Addresses.COUNT, parameter, 1, MAX_COUNT, USUAL),
                view < 0 ? OptionalLong.empty() : OptionalLong.of(view));
    }

    /** Returns the selected entries in the given order, which is newest first. */
    List<Entry> select(List<Entry> entries, UnaryOperator<String> nameOf) {
        Predicate<Entry> involved = instance.isEmpty() ? entry -> true : involving(entries, id -> includes(id, nameOf));
        return entries.stream().filter(involved).limit(count).toList();
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

    /**
     * Returns which views a matching instance joined, left, was left out of, or began to lead.
     *
     * @param all the known views, in which the members of previous views are found
     */
    static Predicate<Entry> involving(List<Entry> all, Predicate<String> instanceId) {
        Map<Long, Entry> byNumber =
                all.stream().collect(Collectors.toMap(Entry::number, Function.identity(), (one, same) -> one));
        return entry -> Stream.of(
                                entry.joined().stream(),
                                entry.left().stream().map(Departed::who),
                                // The entry has those that were left out as text only.
                                Stream.ofNullable(byNumber.get(entry.previous()))
                                        .filter(previous -> !entry.members().isEmpty())
                                        .flatMap(previous -> previous.members().stream())
                                        .filter(member -> !entry.members().contains(member)))
                        .flatMap(each -> each)
                        .map(Participant::id)
                        .anyMatch(instanceId)
                // The token of a leadership is the number of its first view.
                || entry.token() == entry.number() && instanceId.test(entry.leader());
    }

    private static long number(String name, UnaryOperator<String> parameter, long min, long max, long absent)
            throws InvalidParameter {
        String text = parameter.apply(name);
        if (text.isEmpty()) {
            return absent;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InvalidParameter(name, text, "it is not a number from " + min + " to " + max, "50");
    }
}
