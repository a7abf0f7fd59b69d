// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.List;
import java.util.Set;

/**
 * The result of one reading of the history of views.
 *
 * @param numbers the numbers of all views that the store keeps now, whether their entries were read this time or not
 * @param entries the requested entries that could be read, in no order
 * @param problems what could not be read, a sentence each: what, where, what to do
 */
public record HistoryReading(Set<Long> numbers, List<HistoryEntry> entries, List<String> problems) {
    public HistoryReading {
        numbers = Set.copyOf(numbers);
        entries = List.copyOf(entries);
        problems = List.copyOf(problems);
    }
}
