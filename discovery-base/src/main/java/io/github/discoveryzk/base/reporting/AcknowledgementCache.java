// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.base.journal.Standing;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.StoreInspector;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * The acknowledgements of the held view as far as they were read for display. During a change only the candidates that have stepped
 * in observe them; any other instance reads them when a report is requested, and decides nothing by them. The next report shows what
 * was read. Thread-safe.
 */
final class AcknowledgementCache {

    /** How long after a reading the next one starts. */
    private static final long INTERVAL_MILLIS = 500;

    private final StoreInspector store;
    private final LongSupplier monotonic;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile Optional<Reading> latest = Optional.empty();

    AcknowledgementCache(StoreInspector store, LongSupplier monotonic) {
        this.store = store;
        this.monotonic = monotonic;
    }

    /**
     * Returns the acknowledgements that were read during the present change; empty if there are none or the store's snapshots have
     * them. Starts a reading if a new one is due.
     */
    Optional<Set<Acknowledgement>> acknowledgements(Standing standing) {
        Optional<Long> held = missing(standing).filter(number -> standing.isUsable());
        Optional<Reading> known = latest.filter(last -> held.equals(Optional.of(last.number())));
        if (held.isPresent()
                && known.filter(last -> monotonic.getAsLong() < last.at() + INTERVAL_MILLIS)
                        .isEmpty()) {
            read(held.get());
        }
        return known.map(Reading::all);
    }

    private void read(long number) {
        if (reading.compareAndSet(false, true)) {
            store.readAcknowledgements().whenComplete((all, thrown) -> {
                latest = Optional.ofNullable(all).map(read -> new Reading(number, monotonic.getAsLong(), read));
                reading.set(false);
            });
        }
    }

    /**
     * Returns the number of the held view if its acknowledgements would be shown: a change is going on, the next view is not
     * published, and the snapshots of the store lack them.
     */
    private static Optional<Long> missing(Standing standing) {
        Optional<StoreSnapshot> seen = standing.store()
                .filter(each -> !standing.name().isHolding())
                .filter(each -> each.acknowledgements().isEmpty());
        long established =
                seen.flatMap(StoreSnapshot::view).map(EstablishedView::number).orElse(0L);
        return standing.held().map(HeldView::number).filter(number -> seen.isPresent() && established <= number);
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
