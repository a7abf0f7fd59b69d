// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.engine.TopologyEngine;
import org.apache.sling.discovery.commons.model.Departure;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.HistoryReading;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.History.Departed;
import org.apache.sling.discovery.commons.report.History.Participant;
import org.apache.sling.discovery.commons.spi.ClusterStore;

/**
 * The history of views as far as it was read. The store is read only on request, only for entries that are not known yet, and
 * once for all pending requests. Confined to the engine's thread except {@link #history}.
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
    private final TreeMap<Long, History.Entry> entries = new TreeMap<>();
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private List<String> problems = List.of();
    private long triedFor = NOTHING_READ;
    private long triedAt;
    private boolean reading;
    private volatile History latest = History.UNREAD;

    HistoryCache(ClusterStore store, TopologyEngine engine, LongSupplier monotonic) {
        this.store = store;
        this.engine = engine;
        this.monotonic = monotonic;
    }

    /** Returns the known history; may be called by any thread. */
    History history() {
        return latest;
    }

    /** Reads the entries that are not known yet, then completes the future; never exceptionally. */
    void refresh(CompletableFuture<Void> done) {
        waiting.add(done);
        if (!reading) {
            readOn();
        }
    }

    private void readOn() {
        Optional<Long> present = engine.publication();
        if (present.isEmpty()) {
            end(Stream.concat(
                            problems.stream(),
                            Stream.of("The history cannot be read now: there is no usable connection to the store."))
                    .toList());
        } else if (present.get() == triedFor
                && (problems.isEmpty() || monotonic.getAsLong() < triedAt + TRIED_AGAIN_AFTER_MILLIS)) {
            end(problems);
        } else {
            reading = true;
            store.inspector()
                    .readHistory(Set.copyOf(stored.keySet()))
                    .whenComplete((read, thrown) -> engine.submit(() -> complete(present.get(), read, thrown)));
        }
    }

    private void complete(long upTo, HistoryReading read, Throwable thrown) {
        reading = false;
        if (thrown == null) {
            merge(read);
        } else {
            Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
            problems = List.of("The history cannot be read: " + cause.getMessage());
        }
        // After a lost connection the next one is tried at once.
        triedFor = engine.publication().isPresent() ? upTo : NOTHING_READ;
        triedAt = monotonic.getAsLong();
        // Requests that arrived meanwhile may refer to a later view.
        readOn();
    }

    private void merge(HistoryReading read) {
        Participants participants = new Participants(entries);
        stored.keySet().retainAll(read.numbers());
        entries.keySet().retainAll(read.numbers());
        read.entries().forEach(entry -> {
            stored.put(entry.number(), entry);
            entries.put(entry.number(), entry(entry, List.of(), participants));
        });
        addMembers(participants);
        problems = shortened(read.problems());
    }

    /**
     * Adds the members of the views. Those of the first view of a cluster and of the present one are known, and each entry leads from
     * one view to the next and back.
     */
    private void addMembers(Participants participants) {
        engine.establishedView().ifPresent(view -> putMembers(view.number(), view.members(), participants));
        for (HistoryEntry entry : stored.values()) {
            long previous = entry.difference().previous();
            if (!hasMembers(entry.number()) && (previous == 0 || hasMembers(previous))) {
                entry.difference()
                        .applyTo(members(previous))
                        .ifPresent(members -> putMembers(entry.number(), members, participants));
            }
        }
        for (HistoryEntry entry : stored.descendingMap().values()) {
            long previous = entry.difference().previous();
            if (hasMembers(entry.number()) && !hasMembers(previous)) {
                entry.difference()
                        .undo(members(entry.number()))
                        .ifPresent(members -> putMembers(previous, members, participants));
            }
        }
    }

    private boolean hasMembers(long number) {
        return entries.containsKey(number) && !entries.get(number).members().isEmpty();
    }

    private List<Incarnation> members(long number) {
        History.Entry entry = entries.get(number);
        return entry == null
                ? List.of()
                : entry.members().stream()
                        .map(member -> new Incarnation(member.node(), member.id()))
                        .toList();
    }

    private void putMembers(long number, List<Incarnation> members, Participants participants) {
        HistoryEntry entry = stored.get(number);
        if (entry != null && entry.difference().hasMembers(members)) {
            entries.put(number, entry(entry, members, participants));
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

    private void end(List<String> present) {
        History now = new History(List.copyOf(entries.descendingMap().values()), present);
        latest = now.equals(latest) ? latest : now;
        List<CompletableFuture<Void>> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(done -> done.complete(null));
    }

    private static History.Entry entry(HistoryEntry entry, List<Incarnation> members, Participants participants) {
        ViewDifference difference = entry.difference();
        return new History.Entry(
                difference.number(),
                difference.previous(),
                difference.token(),
                difference.leaderSinceMillis(),
                entry.publishedMillis(),
                entry.changingMillis(),
                difference.publisher(),
                difference.leader(),
                difference.size(),
                members.stream().map(participants::of).toList(),
                difference.joined().stream().map(participants::of).toList(),
                entry.left().stream().map(left -> departed(left, participants)).toList(),
                entry.leftOut(),
                difference.cause());
    }

    private static Departed departed(Departure departure, Participants participants) {
        return new Departed(
                participants.of(departure.member()),
                departure
                        .kind()
                        .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')),
                departure.by(),
                departure.sentence());
    }

    /** Hundreds of views share members: each member is kept once. */
    private static final class Participants {

        private final Map<Participant, Participant> known = new HashMap<>();

        private Participants(TreeMap<Long, History.Entry> entries) {
            if (!entries.isEmpty()) {
                entries.lastEntry().getValue().members().forEach(each -> known.put(each, each));
            }
        }

        private Participant of(Incarnation member) {
            return known.computeIfAbsent(new Participant(member.instanceId(), member.node()), each -> each);
        }
    }
}
