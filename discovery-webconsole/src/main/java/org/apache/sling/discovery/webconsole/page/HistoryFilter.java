// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.report.History.Entry;
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
        return entries.stream()
                .filter(entry -> instance.isEmpty() || involves(entry, id -> includes(id, nameOf)))
                .limit(count)
                .toList();
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

    /** Returns whether a matching instance joined with a view, left, was left out of it, or began to lead. */
    static boolean involves(Entry entry, Predicate<String> instanceId) {
        ViewDifference change = entry.stored().difference();
        return Stream.concat(change.joined().stream(), change.removed().stream().map(ViewDifference.Removal::member))
                        .map(Incarnation::instanceId)
                        .anyMatch(instanceId)
                // The token of a leadership is the number of its first view.
                || entry.head().token() == entry.number() && instanceId.test(entry.leader());
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
