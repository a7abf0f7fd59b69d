// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.base.journal.Standing;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
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

    /**
     * Returns the acknowledgements that were read during the present change; empty if there are none or the store's snapshots have
     * them. Starts a reading if a new one is due.
     */
    Optional<Set<Acknowledgement>> acknowledgements(Standing standing) {
        Optional<Long> wanted = missing(standing);
        Optional<Reading> known = latest.filter(
                last -> wanted.filter(number -> number == last.number()).isPresent());
        if (wanted.isPresent()
                && known.filter(last -> age(last) < INTERVAL_MILLIS).isEmpty()) {
            read(wanted.get());
        }
        return known.filter(last -> age(last) < MAX_AGE_MILLIS).map(Reading::all);
    }

    private void read(long number) {
        if (reading.compareAndSet(false, true)) {
            store.inspector().readAcknowledgements().whenComplete((all, thrown) -> {
                latest = thrown == null
                        ? Optional.of(new Reading(number, monotonic.getAsLong(), all))
                        : Optional.empty();
                reading.set(false);
            });
        }
    }

    private long age(Reading last) {
        return monotonic.getAsLong() - last.at();
    }

    void close() {
        closed = true;
    }

    /**
     * Returns the number of the held view if its acknowledgements would be shown: a change is going on, the next view is not
     * published, and the snapshots of the store lack them.
     */
    private Optional<Long> missing(Standing standing) {
        if (closed || !journal.session().isUsable() || standing.state().isHolding()) {
            return Optional.empty();
        }
        Optional<StoreSnapshot> seen =
                standing.store().filter(each -> each.acknowledgements().isEmpty());
        long established =
                seen.flatMap(StoreSnapshot::view).map(EstablishedView::number).orElse(0L);
        return standing.acting()
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
    private record Reading(long number, long at, Set<Acknowledgement> all) {}
}
