// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.Plausibility;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** The names of the history entries, as they were listed and have changed since, and which of them exceed the bound. */
public final class HistoryNames {
    /** How many entries are kept. */
    public static final int KEPT = 500;

    private static final int MAX_REMOVED = 10;

    private Optional<TreeSet<String>> names = Optional.empty();

    /** Forgets the names: they have to be listed again. */
    public void clear() {
        names = Optional.empty();
    }

    /** Returns whether the names have been listed. */
    public boolean isKnown() {
        return names.isPresent();
    }

    /**
     * Sets the names to those that were listed. Names that are not those of entries are ignored.
     *
     * @param transaction a transaction of which the entries are not younger
     */
    public void set(Collection<String> all, long transaction) {
        names = Optional.of(all.stream()
                .filter(Names::isEntry)
                .filter(name -> Plausibility.isNumber(Names.number(name), transaction))
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    /**
     * Lists the entries, unless their names are known, and deletes those that exceed the bound. The observer is notified of a number
     * above that of the view.
     */
    CompletableFuture<Void> list(ClusterCache cache, Paths paths) {
        if (isKnown()) {
            return CompletableFuture.completedFuture(null);
        }
        Session asked = cache.session();
        return asked.list(paths.history())
                .thenCompose(all -> cache.applyAfterUpdates(nodes -> {
                    // Each entry was written together with a view.
                    set(all, nodes.slot().stamp());
                    removeExcess().forEach(name -> asked.delete(paths.historyEntry(name)));
                    if (nodes.isBehind(highest())) {
                        cache.updates().notifyObserver();
                    }
                }));
    }

    /** Returns the highest number of all entries; 0 while the names are not known. */
    public long highest() {
        return names.filter(known -> !known.isEmpty())
                .map(known -> Names.number(known.last()))
                .orElse(0L);
    }

    /** Adds the entry of a view that any instance has published, and removes the entries that its publisher has deleted. */
    void add(EstablishedView view) {
        names.ifPresent(known -> {
            if (known.contains(Names.entry(view.number()))) {
                return;
            }
            if (!known.isEmpty() && !known.last().equals(Names.entry(view.previous()))) {
                clear();
                return;
            }
            known.removeAll(surplus());
            known.add(Names.entry(view.number()));
        });
    }

    /** Removes the oldest entries above the bound from the cache, and returns them: the caller deletes them. */
    List<String> removeExcess() {
        List<String> oldest = oldest(known -> known.size() - KEPT);
        names.ifPresent(known -> known.removeAll(oldest));
        return oldest;
    }

    /** Returns the oldest entries that exceed the bound when one more entry is added. */
    public List<String> surplus() {
        return oldest(known -> Math.min(MAX_REMOVED, known.size() + 1 - KEPT));
    }

    private List<String> oldest(ToIntFunction<Set<String>> count) {
        return names.stream()
                .flatMap(known -> known.stream().limit(Math.max(0, count.applyAsInt(known))))
                .toList();
    }
}
