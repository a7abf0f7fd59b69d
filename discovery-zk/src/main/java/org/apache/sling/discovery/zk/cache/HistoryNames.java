// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.zk.tree.HistoryEntryName;

/** The names of the history entries, as far as is known without asking again; knows which are too many. */
public final class HistoryNames {
    /** How many entries are kept. */
    public static final int KEPT = 500;

    private static final int REMOVED_AT_ONCE = 10;

    private Optional<TreeSet<String>> names = Optional.empty();

    /** Forgets the names: they have to be listed again. */
    public void clear() {
        names = Optional.empty();
    }

    boolean isKnown() {
        return names.isPresent();
    }

    public void set(Collection<String> all) {
        TreeSet<String> numbers = new TreeSet<>();
        all.stream().filter(HistoryEntryName::isValid).forEach(numbers::add);
        names = Optional.of(numbers);
    }

    /** Returns the highest number of all entries; 0 as long as they are not known. */
    public long highest() {
        return names.filter(known -> !known.isEmpty())
                .map(known -> HistoryEntryName.number(known.last()))
                .orElse(0L);
    }

    /** Takes note of a view that was published by anybody: its publisher has added one entry and removed what was too much. */
    void add(EstablishedView view) {
        names.ifPresent(known -> {
            if (known.contains(HistoryEntryName.of(view.number()))) {
                return;
            }
            if (!known.isEmpty() && !known.last().equals(HistoryEntryName.of(view.previous()))) {
                clear();
                return;
            }
            known.removeAll(surplus());
            known.add(HistoryEntryName.of(view.number()));
        });
    }

    /** Takes the oldest entries that are too many already out of what is known, and returns them: they are to be deleted. */
    List<String> removeExcess() {
        List<String> oldest = new ArrayList<>();
        names.ifPresent(known -> {
            while (known.size() > KEPT) {
                oldest.add(known.pollFirst());
            }
        });
        return oldest;
    }

    /** Returns the oldest entries that are too many once one more is added. */
    public List<String> surplus() {
        List<String> oldest = new ArrayList<>();
        names.ifPresent(known -> known.stream()
                .limit(Math.max(0, Math.min(REMOVED_AT_ONCE, known.size() + 1 - KEPT)))
                .forEach(oldest::add));
        return oldest;
    }
}
