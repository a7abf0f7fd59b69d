// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.query;

import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.report.History.Entry;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The selection of views on the history page.
 *
 * @param instance selects views that involve the instance with this id; empty for all
 * @param count the maximum number of views, of which the newest are selected
 * @param view the number of a view that is shown alone; empty for the list
 * @param from the lowest number of a view
 * @param to the highest number of a view
 */
public record HistoryFilter(String instance, int count, OptionalLong view, long from, long to) {
    private static final int MAX_COUNT = 500;
    private static final int USUAL = 50;

    /** Reads the parameters of a request. A value that is absent or not a number is the usual one. */
    public static HistoryFilter of(Map<String, String> parameters) {
        long count = number(parameters, "count").orElse(USUAL);
        return new HistoryFilter(
                parameters.getOrDefault("instance", "").strip(),
                (int) Math.max(1, Math.min(MAX_COUNT, count)),
                number(parameters, "view"),
                number(parameters, "from").orElse(0),
                number(parameters, "to").orElse(Long.MAX_VALUE));
    }

    private static OptionalLong number(Map<String, String> parameters, String name) {
        String value = parameters.getOrDefault(name, "").strip();
        return value.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(value)) : OptionalLong.empty();
    }

    /** Returns the selected entries in the given order, which is newest first. */
    public List<Entry> select(List<Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.number() >= from && entry.number() <= to)
                .filter(entry -> instance.isEmpty() || involves(entry, instance))
                .limit(count)
                .toList();
    }

    /** Returns whether an instance is selected. */
    public boolean includes(String instanceId) {
        return instance.isEmpty() || instance.equals(instanceId);
    }

    /** Returns whether an instance joined with a view, left, was excluded from it, or began to lead. */
    public static boolean involves(Entry entry, String instanceId) {
        ViewDifference change = entry.stored().difference();
        return Stream.concat(change.joined().stream(), change.removed().stream().map(ViewDifference.Removal::member))
                        .anyMatch(member -> member.instanceId().equals(instanceId))
                // The token of a leadership is the number of its first view.
                || entry.head().token() == entry.number() && instanceId.equals(entry.leader());
    }
}
