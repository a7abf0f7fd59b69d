// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.journal.Journal;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.spi.StoreInspector;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/**
 * The part of a reporter that reads from the store when a caller requests it. Futures are completed on the threads that call listeners.
 * The store completes all readings when it is closed.
 */
abstract class StoreReadings implements Reporter {

    final HistoryCache history;
    final AcknowledgementCache acknowledgements;
    final StoreInspector inspector;
    final Execution execution;
    private CompletableFuture<StoreTree> tree = CompletableFuture.completedFuture(null);

    StoreReadings(StoreInspector inspector, Journal journal, Execution execution) {
        this.inspector = inspector;
        this.execution = execution;
        this.history = new HistoryCache(inspector, journal, execution.time().monotonic());
        this.acknowledgements =
                new AcknowledgementCache(inspector, execution.time().monotonic());
    }

    @Override
    public CompletionStage<Void> readHistory() {
        return answer(history.refresh());
    }

    @Override
    public synchronized CompletionStage<StoreTree> readTree() {
        if (tree.isDone()) {
            tree = inspector
                    .readTree()
                    .thenApply(
                            read -> new StoreTree(execution.time().wall().getAsLong(), read.nodes(), read.complete()))
                    .toCompletableFuture();
        }
        return answer(tree);
    }

    @Override
    public CompletionStage<StoreAccess> checkAccess(boolean repair) {
        return answer(inspector.checkAccess(repair));
    }

    /** Dependent stages must not delay the threads of the store. */
    private <T> CompletionStage<T> answer(CompletionStage<T> reading) {
        return reading.whenCompleteAsync((read, thrown) -> {}, this::execute);
    }

    private void execute(Runnable completion) {
        try {
            execution.calls().execute(completion);
        } catch (RejectedExecutionException | OutOfMemoryError e) { // The latter when no thread is available.
            completion.run();
        }
    }
}
