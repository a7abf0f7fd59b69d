// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.leader.ViewNumber;
import io.github.discoveryzk.work.rules.Assignment;
import io.github.discoveryzk.work.rules.Assignor;
import io.github.discoveryzk.work.rules.Participant;
import io.github.discoveryzk.work.rules.Participant.Id;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the record as long as this instance leads: one decision at a time, by compare-and-set, with the lease as its fence. Whom the record names
 * and the local copy of the participants does not show is asked for in the store, after the record was seen: so no participant is taken for gone
 * because two copies are not of the same time.
 *
 * <p>Thread-safe.
 */
final class Leader {

    private static final Logger LOG = LoggerFactory.getLogger(Leader.class);

    private static final long RETRY_MILLIS = 1_000;

    private final SharedValue<Map<String, Map<String, String>>> assignments;
    private final SharedMap<Map<String, Map<String, String>>> participants;
    private final LongSupplier clock;
    private final LongSupplier balanceDelayMillis;

    private Optional<TopologyView> view = Optional.empty();
    private Set<Id> known = Set.of();
    private long calmAt;
    private long dueAt = Long.MAX_VALUE;
    private long greatest;
    private boolean begun;
    private boolean deciding;

    Leader(SharedData data, LongSupplier clock, LongSupplier balanceDelayMillis) {
        this.assignments = data.value(Work.SCOPE, Work.ASSIGNMENTS, Assignment.KIND);
        this.participants = data.map(Work.SCOPE, Work.PARTICIPANTS, Participant.KIND);
        this.clock = clock;
        this.balanceDelayMillis = balanceDelayMillis;
    }

    /** Sets the view that is settled; empty while the cluster changes. */
    synchronized void settle(Optional<TopologyView> settled) {
        view = settled.filter(each -> LeaderLease.of(each).isPresent());
        calmAt = clock.getAsLong() + balanceDelayMillis.getAsLong();
        decideNow();
    }

    /** The record has changed. */
    synchronized void follow(Assignment next) {
        greatest = Math.max(greatest, next.number());
        decideNow();
    }

    /** The participants have changed, or are known for the first time. */
    synchronized void participate() {
        begun = true;
        decideNow();
    }

    private void decideNow() {
        dueAt = clock.getAsLong();
        evaluate();
    }

    /** Decides if something has changed or it has become calm. Called each half a second, too. */
    synchronized void evaluate() {
        boolean due = clock.getAsLong() >= dueAt;
        if (view.isEmpty() || !begun || deciding || !due || !assignments.isKnown()) {
            return;
        }
        Optional<Versioned<Map<String, Map<String, String>>>> seen = assignments.get();
        Assignment record;
        try {
            record = seen.map(Versioned::value).map(Assignment::decoded).orElse(Assignment.NONE);
        } catch (IllegalArgumentException e) {
            return; // Named by what shows it; another record is decided on.
        }
        deciding = true;
        dueAt = Long.MAX_VALUE;
        TopologyView led = view.get();
        List<Participant> listed = participants(led);
        List<CompletableFuture<Optional<Participant>>> asked =
                Assignor.missing(record, listed).stream().map(this::ask).toList();
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenCompose(any -> {
                    List<Participant> all = new ArrayList<>(listed);
                    asked.forEach(each -> each.join().ifPresent(all::add));
                    return decide(led, seen, record, all);
                })
                .whenComplete(this::decided);
    }

    /** Returns the participants in the order of seniority. Who is not in the view is given nothing. */
    private List<Participant> participants(TopologyView led) {
        List<String> order = led.getLocalInstance().getClusterView().getInstances().stream()
                .map(InstanceDescription::getSlingId)
                .toList();
        return participants.entries().entrySet().stream()
                .map(each -> read(each.getKey(), each.getValue()))
                .flatMap(Optional::stream)
                .map(each -> order.contains(each.id().instanceId()) ? each : each.withoutKeys())
                .sorted(Comparator.<Participant>comparingInt(
                                each -> order.indexOf(each.id().instanceId()))
                        .thenComparing(each -> each.id().entry()))
                .toList();
    }

    private static Optional<Participant> read(String entry, Versioned<Map<String, Map<String, String>>> found) {
        return Participant.read(entry, found.writer(), found.value());
    }

    /** Asks the store for a participant; completes with nothing if it is gone. One that cannot be read is there. */
    private CompletableFuture<Optional<Participant>> ask(Id id) {
        return participants
                .read(id.entry())
                .handle((found, thrown) -> {
                    if (thrown != null) {
                        dueAfter(RETRY_MILLIS);
                        return Optional.of(Participant.silent(id));
                    }
                    return found.map(each -> read(id.entry(), each).orElse(Participant.silent(id)))
                            .filter(each -> each.id().equals(id))
                            .map(Participant::withoutKeys);
                })
                .toCompletableFuture();
    }

    private synchronized void dueAfter(long millis) {
        dueAt = Math.min(dueAt, clock.getAsLong() + millis);
    }

    /** Writes the next record. Completes with whether that is done, or nothing is to be done. */
    private synchronized CompletionStage<Boolean> decide(
            TopologyView led,
            Optional<Versioned<Map<String, Map<String, String>>>> seen,
            Assignment record,
            List<Participant> all) {
        long now = clock.getAsLong();
        // One that is about to leave offers nothing any more.
        Set<Id> present = all.stream()
                .filter(each -> !each.keys().isEmpty())
                .map(Participant::id)
                .collect(Collectors.toSet());
        if (!present.equals(known)) {
            known = present;
            calmAt = now + balanceDelayMillis.getAsLong();
        }
        if (now < calmAt) {
            dueAfter(calmAt - now);
        }
        long atLeast = Math.max(greatest + 1, ViewNumber.of(led).orElseThrow());
        Assignment next = Assignor.assign(record, all, now >= calmAt, atLeast);
        return next == record
                ? CompletableFuture.completedFuture(true)
                : assignments
                        .replace(seen, next.encoded(), LeaderLease.of(led).orElseThrow())
                        .thenApply(Written.Done.class::isInstance);
    }

    /** A change of the record is followed; what had no effect, or perhaps none, is decided again. */
    private synchronized void decided(Boolean done, Throwable thrown) {
        deciding = false;
        if (thrown != null) {
            LOG.error("It cannot be decided who handles what", thrown);
        }
        if (thrown != null || !done) {
            dueAfter(RETRY_MILLIS);
        }
        evaluate();
    }
}
