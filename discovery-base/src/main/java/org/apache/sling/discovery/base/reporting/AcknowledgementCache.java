// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.sling.discovery.base.engine.TopologyEngine;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.commons.spi.ClusterStore;

/**
 * The acknowledgements of the held view as far as they were read for display. During a change only the candidates that have stepped
 * in observe them; any other instance reads them, as long as a report is asked for, and decides nothing by them. Confined
 * to the engine's thread except {@link #ask}, {@link #acknowledgements} and {@link #close}.
 */
final class AcknowledgementCache {

    /** How long after a reading the next one starts. */
    private static final long INTERVAL_MILLIS = 500;

    /** A reader that asks from time to time must not get an old reading, so readings go on between its requests. */
    private static final long GOES_ON_MILLIS = 10_000;

    private final ClusterStore store;
    private final TopologyEngine engine;
    private final Execution execution;
    private final AtomicBoolean active = new AtomicBoolean();
    private volatile long askedAt;
    private volatile Optional<Reading> latest = Optional.empty();
    private volatile boolean closed;

    AcknowledgementCache(ClusterStore store, TopologyEngine engine, Execution execution) {
        this.store = store;
        this.engine = engine;
        this.execution = execution;
    }

    /** Starts readings if they are missing in a report; returns at once. May be called by any thread. */
    void ask() {
        if (missing().isPresent()) {
            askedAt = now();
            if (active.compareAndSet(false, true)) {
                submitReading();
            }
        }
    }

    /** Returns the acknowledgements of the held view; empty unless they were read during the present change. */
    Optional<Set<Acknowledgement>> acknowledgements() {
        Optional<Long> number = missing();
        return latest.filter(reading -> number.filter(reading::isOf).isPresent())
                .map(Reading::acknowledgements);
    }

    void close() {
        closed = true;
    }

    /**
     * Returns the number of the held view if its acknowledgements would be shown: a change is going on, the next view is not
     * published, and the snapshots of the store lack them.
     */
    private Optional<Long> missing() {
        Journal journal = engine.journal();
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

    private void submitReading() {
        engine.submit(this::readOn);
    }

    private void readOn() {
        Optional<Long> number = missing();
        boolean asked = now() - askedAt < GOES_ON_MILLIS;
        if (number.isEmpty() || !asked) {
            latest = Optional.empty();
            active.set(false);
            return;
        }
        store.inspector()
                .readAcknowledgements()
                .whenComplete((read, thrown) -> engine.submit(
                        () -> complete(thrown == null ? Reading.of(number.get(), read) : Optional.empty())));
    }

    private void complete(Optional<Reading> read) {
        latest = read;
        try {
            execution.decisions().schedule(this::submitReading, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) { // The instance was closed.
            latest = Optional.empty();
        }
    }

    private long now() {
        return execution.time().monotonic().getAsLong();
    }

    /**
     * What was read.
     *
     * @param number the number of the held view
     * @param acknowledgements the acknowledgements of it
     */
    private record Reading(long number, Set<Acknowledgement> acknowledgements) {

        private static Optional<Reading> of(long number, Set<Acknowledgement> all) {
            return Optional.of(new Reading(
                    number,
                    all.stream().filter(one -> one.number() >= number).collect(Collectors.toUnmodifiableSet())));
        }

        private boolean isOf(long other) {
            return number == other;
        }
    }
}
