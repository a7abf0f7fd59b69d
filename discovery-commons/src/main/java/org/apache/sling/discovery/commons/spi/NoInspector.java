// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.spi;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.HistoryReading;
import org.apache.sling.discovery.commons.report.StoreTree;

/** The inspector of a store without readings for display: each reading fails. */
final class NoInspector implements StoreInspector {

    @Override
    public CompletionStage<HistoryReading> readHistory(Set<Long> known) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("this store does not show its history"));
    }

    @Override
    public CompletionStage<Set<Acknowledgement>> readAcknowledgements() {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("this store does not show its acknowledgements"));
    }

    @Override
    public CompletionStage<StoreTree> readTree() {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("this store does not show what is in it"));
    }
}
