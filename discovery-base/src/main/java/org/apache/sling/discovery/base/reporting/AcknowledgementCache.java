// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.commons.spi.ClusterStore;

/**
 * The acknowledgements of the held view as far as they were read for display. During a change only the candidates that have stepped
 * in observe them; any other instance reads them when a report is asked for, and decides nothing by them. The next report shows what
 * was read. Thread-safe.
 */
final class AcknowledgementCache {

    /** How long after a reading the next one starts. */
    private static final long INTERVAL_MILLIS = 500;

    /** An older reading is not shown. */
    private static final long MAX_AGE_MILLIS = 10_000;

    private final ClusterStore store;
    private final Journal journal;
    private final LongSupplier monotonic;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile Optional<Reading> latest = Optional.empty();
    private volatile boolean closed;

    AcknowledgementCache(ClusterStore store, Journal journal, LongSupplier monotonic) {
        this.store = store;
        this.journal = journal;
        this.monotonic = monotonic;
    }

    /** Starts a reading if one is missing in a report; returns immediately. */
    void ask() {
        Optional<Long> number = missing();
        if (number.isPresent() && read(number.get(), INTERVAL_MILLIS).isEmpty() && reading.compareAndSet(false, true)) {
            store.inspector().readAcknowledgements().whenComplete((all, thrown) -> {
                latest = thrown == null
                        ? Optional.of(new Reading(number.get(), monotonic.getAsLong(), all))
                        : Optional.empty();
                reading.set(false);
            });
        }
    }

    /** Returns the acknowledgements of the held view; empty unless they were read during the present change. */
    Optional<Set<Acknowledgement>> acknowledgements() {
        return missing().flatMap(number -> read(number, MAX_AGE_MILLIS).map(known -> known.of(number)));
    }

    private Optional<Reading> read(long number, long maxAge) {
        return latest.filter(known -> known.number() == number && monotonic.getAsLong() - known.at() < maxAge);
    }

    void close() {
        closed = true;
    }

    /**
     * Returns the number of the held view if its acknowledgements would be shown: a change is going on, the next view is not
     * published, and the snapshots of the store lack them.
     */
    private Optional<Long> missing() {
        State state = journal.standing().state();
        if (closed || !journal.sessionStatus().isUsable() || state == State.SETTLED || state == State.SUSPENDED) {
            return Optional.empty();
        }
        Optional<StoreSnapshot> seen =
                journal.store().filter(each -> each.acknowledgements().isEmpty());
        long established =
                seen.flatMap(StoreSnapshot::view).map(EstablishedView::number).orElse(0L);
        return journal.acting()
                .map(acting -> acting.held().number())
                .filter(number -> seen.isPresent() && established <= number);
    }

    /**
     * What was read.
     *
     * @param number the number of the held view
     * @param at when, monotonic
     * @param all all acknowledgements
     */
    private record Reading(long number, long at, Set<Acknowledgement> all) {

        private Set<Acknowledgement> of(long view) {
            return all.stream().filter(one -> one.number() >= view).collect(Collectors.toUnmodifiableSet());
        }
    }
}
