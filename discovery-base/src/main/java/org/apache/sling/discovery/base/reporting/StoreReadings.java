// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.sling.discovery.base.engine.TopologyEngine;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.journal.Standing;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.spi.ClusterStore;

/** What reports read from the store when a caller asks for it. Futures are completed on the threads that call listeners. */
final class StoreReadings implements AutoCloseable {

    private static final String STOPPED = "the discovery service has been stopped";

    private final ClusterStore store;
    private final TopologyEngine engine;
    private final Execution execution;
    private final HistoryCache history;
    private final AcknowledgementCache acknowledgements;
    private final AtomicReference<CompletableFuture<StoreTree>> tree = new AtomicReference<>();
    private final Set<CompletableFuture<Void>> histories = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    StoreReadings(ClusterStore store, TopologyEngine engine, Execution execution) {
        this.store = store;
        this.engine = engine;
        this.execution = execution;
        this.history = new HistoryCache(store, engine, execution.time().monotonic());
        this.acknowledgements = new AcknowledgementCache(
                store, engine.journal(), execution.time().monotonic());
    }

    /** Returns the history as far as it was read. */
    History history() {
        return history.known();
    }

    Optional<Set<Acknowledgement>> acknowledgements(Standing standing) {
        return acknowledgements.acknowledgements(standing);
    }

    CompletionStage<Void> readHistory() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        histories.add(done);
        CompletableFuture<Void> read = new CompletableFuture<>();
        read.thenRun(() -> answer(() -> complete(done)));
        boolean queued = engine.submit(() -> history.refresh(read));
        // Closed meanwhile: no other thread may be left to complete it.
        if (!queued || closed) {
            complete(done);
        }
        return done.minimalCompletionStage();
    }

    private void complete(CompletableFuture<Void> done) {
        histories.remove(done);
        done.complete(null);
    }

    CompletionStage<StoreTree> readTree() {
        CompletableFuture<StoreTree> mine = new CompletableFuture<>();
        CompletableFuture<StoreTree> underWay = tree.compareAndExchange(null, mine);
        if (underWay != null) {
            return underWay.minimalCompletionStage();
        }
        store.inspector()
                .readTree()
                .whenComplete((read, thrown) -> answer(() -> {
                    tree.compareAndSet(mine, null);
                    if (thrown == null) {
                        mine.complete(
                                new StoreTree(execution.time().wall().getAsLong(), read.nodes(), read.complete()));
                    } else {
                        mine.completeExceptionally(thrown);
                    }
                }));
        if (closed) {
            mine.completeExceptionally(new IllegalStateException(STOPPED));
        }
        return mine.minimalCompletionStage();
    }

    /** Dependent stages must not delay the decision thread or the threads of the store. */
    private void answer(Runnable completion) {
        try {
            execution.calls().execute(completion);
        } catch (RejectedExecutionException | OutOfMemoryError e) { // The latter when no thread is available.
            completion.run();
        }
    }

    /** Completes all pending futures. */
    @Override
    public void close() {
        closed = true;
        acknowledgements.close();
        histories.forEach(each -> each.complete(null));
        CompletableFuture<StoreTree> underWay = tree.get();
        if (underWay != null) {
            underWay.completeExceptionally(new IllegalStateException(STOPPED));
        }
    }
}
