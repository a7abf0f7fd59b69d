// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.testing;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;

/** Always returns the same report. */
public class FixedReporter implements Reporter {
    private final TopologyReport report;

    public FixedReporter(TopologyReport report) {
        this.report = report;
    }

    @Override
    public TopologyReport report() {
        return report;
    }

    @Override
    public CompletionStage<Void> readHistory() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<StoreTree> readTree() {
        return CompletableFuture.completedFuture(new StoreTree(report.generatedMillis(), List.of(), true));
    }
}
