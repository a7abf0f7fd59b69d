// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.base.journal.Journal;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.HistoryReading;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.History;
import io.github.discoveryzk.spi.StoreInspector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The history of views as far as it was read. The store is read only on request, only for entries that are not known yet, and
 * once for all pending requests. Thread-safe.
 */
final class HistoryCache {

    /** Unreadable entries may be repaired; until then, repeated requests must not read the store each time. */
    private static final long TRIED_AGAIN_AFTER_MILLIS = 10_000;

    private static final int PROBLEMS_SHOWN = 10;

    private final StoreInspector store;
    private final Journal journal;
    private final LongSupplier monotonic;
    private final TreeMap<Long, HistoryEntry> stored = new TreeMap<>();
    private List<String> problems = List.of();

    /** For which publication the store was read last; empty if that failed. */
    private Optional<Long> readFor = Optional.empty();

    private long readAt;

    /** The last reading. A request that arrives meanwhile may refer to a later view, so it follows. */
    private CompletableFuture<Void> reading = CompletableFuture.completedFuture(null);

    private volatile History latest = History.UNREAD;

    HistoryCache(StoreInspector store, Journal journal, LongSupplier monotonic) {
        this.store = store;
        this.journal = journal;
        this.monotonic = monotonic;
    }

    History known() {
        return latest;
    }

    /** Reads the entries that are not known yet; the result never completes exceptionally. */
    synchronized CompletionStage<Void> refresh() {
        reading = reading.thenCompose(none -> read());
        return reading;
    }

    private synchronized CompletionStage<Void> read() {
        Optional<Long> present = publication();
        boolean isDue = !problems.isEmpty() && monotonic.getAsLong() >= readAt + TRIED_AGAIN_AFTER_MILLIS;
        if (present.isPresent() && (isDue || !present.equals(readFor))) {
            return store.readHistory(Set.copyOf(stored.keySet())).handle((read, thrown) -> {
                complete(present, read, thrown);
                return null;
            });
        }
        String unreachable = "The history cannot be read now: there is no usable connection to the store.";
        List<String> shown = present.isPresent()
                ? problems
                : Stream.concat(problems.stream(), Stream.of(unreachable)).toList();
        latest = new History(latest.entries(), shown);
        return CompletableFuture.completedFuture(null);
    }

    /** Returns a number that changes with each publication of a view; empty without a usable connection. */
    private Optional<Long> publication() {
        return journal.store().filter(seen -> journal.session().isUsable()).map(seen -> seen.slot()
                .stamp());
    }

    private synchronized void complete(Optional<Long> present, HistoryReading read, Throwable thrown) {
        readFor = present.filter(number -> thrown == null);
        readAt = monotonic.getAsLong();
        if (thrown == null) {
            stored.keySet().retainAll(read.numbers());
            read.entries().forEach(entry -> stored.put(entry.number(), entry));
            problems = shortened(read.problems());
        } else {
            Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
            problems = List.of("The history cannot be read: " + cause.getMessage());
        }
        Map<Long, List<Incarnation>> members = members();
        latest = new History(
                stored.descendingMap().values().stream()
                        .map(entry -> new History.Entry(entry, members.getOrDefault(entry.number(), List.of())))
                        .toList(),
                problems);
    }

    /** Returns the members of the views: those of the present one are known, and each entry leads back to the view before. */
    private Map<Long, List<Incarnation>> members() {
        Map<Long, List<Incarnation>> members = new HashMap<>();
        journal.store().flatMap(StoreSnapshot::view).ifPresent(view -> members.put(view.number(), view.members()));
        for (HistoryEntry entry : stored.descendingMap().values()) {
            Optional.ofNullable(members.get(entry.number()))
                    .flatMap(entry.difference()::undo)
                    .ifPresent(before -> members.put(entry.difference().previous(), before));
        }
        return members;
    }

    private static List<String> shortened(List<String> all) {
        int more = all.size() - PROBLEMS_SHOWN;
        return more <= 0
                ? all
                : Stream.concat(
                                all.stream().limit(PROBLEMS_SHOWN),
                                Stream.of("The same holds for " + more + " more entries of the history."))
                        .toList();
    }
}
