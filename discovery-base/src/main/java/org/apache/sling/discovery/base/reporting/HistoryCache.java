// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.engine.TopologyEngine;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.HistoryReading;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.spi.ClusterStore;

/**
 * The history of views as far as it was read. The store is read only on request, only for entries that are not known yet, and
 * once for all pending requests. Confined to the engine's thread except {@link #known}.
 */
final class HistoryCache {

    private static final long NOTHING_READ = -1;

    /** Unreadable entries may be repaired; until then, repeated requests must not read the store each time. */
    private static final long TRIED_AGAIN_AFTER_MILLIS = 10_000;

    private static final int PROBLEMS_SHOWN = 10;

    private final ClusterStore store;
    private final TopologyEngine engine;
    private final LongSupplier monotonic;
    private final TreeMap<Long, HistoryEntry> stored = new TreeMap<>();
    private final Map<Long, List<Incarnation>> members = new HashMap<>();
    private List<String> problems = List.of();
    private long triedFor = NOTHING_READ;
    private long triedAt;

    /** The last reading. A request that arrives meanwhile may refer to a later view, so it follows. */
    private CompletableFuture<Void> reading = CompletableFuture.completedFuture(null);

    private volatile History latest = History.UNREAD;

    HistoryCache(ClusterStore store, TopologyEngine engine, LongSupplier monotonic) {
        this.store = store;
        this.engine = engine;
        this.monotonic = monotonic;
    }

    /** Returns the known history; may be called by any thread. */
    History known() {
        return latest;
    }

    /** Reads the entries that are not known yet, then completes the future; never exceptionally. */
    void refresh(CompletableFuture<Void> done) {
        reading = reading.thenCompose(none -> read());
        reading.thenRun(() -> done.complete(null));
    }

    private CompletableFuture<Void> read() {
        Optional<Long> present = publication();
        boolean isNew = present.filter(number -> number != triedFor
                        || !problems.isEmpty() && monotonic.getAsLong() >= triedAt + TRIED_AGAIN_AFTER_MILLIS)
                .isPresent();
        CompletableFuture<Void> end = new CompletableFuture<>();
        if (isNew) {
            store.inspector()
                    .readHistory(Set.copyOf(stored.keySet()))
                    .whenComplete((read, thrown) -> engine.submit(() -> {
                        complete(present.get(), read, thrown);
                        end.complete(null);
                    }));
        } else {
            show(present.isPresent() ? problems : unreachable());
            end.complete(null);
        }
        return end;
    }

    /** Returns a number that changes with each publication of a view; empty without a usable connection. */
    private Optional<Long> publication() {
        Journal journal = engine.journal();
        return journal.store().filter(seen -> journal.session().isUsable()).map(seen -> seen.slot()
                .stamp());
    }

    private List<String> unreachable() {
        return Stream.concat(
                        problems.stream(),
                        Stream.of("The history cannot be read now: there is no usable connection to the store."))
                .toList();
    }

    private void complete(long upTo, HistoryReading read, Throwable thrown) {
        if (thrown == null) {
            merge(read);
        } else {
            Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
            problems = List.of("The history cannot be read: " + cause.getMessage());
        }
        // After a lost connection the next one is tried immediately.
        triedFor = publication().isPresent() ? upTo : NOTHING_READ;
        triedAt = monotonic.getAsLong();
        show(problems);
    }

    private void merge(HistoryReading read) {
        stored.keySet().retainAll(read.numbers());
        members.keySet().retainAll(read.numbers());
        read.entries().forEach(entry -> stored.put(entry.number(), entry));
        addMembers();
        problems = shortened(read.problems());
    }

    /**
     * Adds the members of the views. Those of the first view of a cluster and of the present one are known, and each entry leads from
     * one view to the next and back.
     */
    private void addMembers() {
        engine.journal()
                .store()
                .flatMap(StoreSnapshot::view)
                .ifPresent(view -> putMembers(view.number(), view.members()));
        for (HistoryEntry entry : stored.values()) {
            long previous = entry.difference().previous();
            if (!members.containsKey(entry.number()) && (previous == 0 || members.containsKey(previous))) {
                entry.difference()
                        .applyTo(members.getOrDefault(previous, List.of()))
                        .ifPresent(all -> putMembers(entry.number(), all));
            }
        }
        for (HistoryEntry entry : stored.descendingMap().values()) {
            long previous = entry.difference().previous();
            if (members.containsKey(entry.number()) && !members.containsKey(previous)) {
                entry.difference().undo(members.get(entry.number())).ifPresent(all -> putMembers(previous, all));
            }
        }
    }

    private void putMembers(long number, List<Incarnation> all) {
        HistoryEntry entry = stored.get(number);
        if (entry != null && entry.difference().hasMembers(all)) {
            members.put(number, List.copyOf(all));
        }
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

    private void show(List<String> present) {
        List<History.Entry> entries = stored.descendingMap().values().stream()
                .map(entry -> new History.Entry(entry, members.getOrDefault(entry.number(), List.of())))
                .toList();
        History now = new History(entries, present);
        latest = now.equals(latest) ? latest : now;
    }
}
