// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.format.Times;

/**
 * Waits for what has to be read from the store, but not for long: then it says what is missing.
 *
 * @param patienceMillis for how long
 */
public record ReportReader(long patienceMillis) {

    /** As long as a person waits for an answer. */
    public static final ReportReader PATIENT = new ReportReader(5_000);

    /**
     * A report with the history.
     *
     * @param report the report; the problems of its history say when something is missing
     * @param complete whether the history was read in time
     */
    public record Told(TopologyReport report, boolean complete) {}

    public Told report(Reporter reporter) {
        try {
            await(reporter.readHistory());
            return new Told(reporter.report(), true);
        } catch (Missing e) {
            TopologyReport report = reporter.report();
            List<String> problems = new ArrayList<>(report.history().problems());
            problems.add("The history may be incomplete: " + e.getMessage());
            return new Told(
                    Selection.excerpt(
                            report,
                            report.clusters(),
                            new History(report.history().entries(), problems)),
                    false);
        }
    }

    public StoreTree tree(Reporter reporter) throws Missing {
        return await(reporter.readTree());
    }

    private <T> T await(CompletionStage<T> stage) throws Missing {
        try {
            return stage.toCompletableFuture().get(patienceMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new Missing("the store has not answered within " + Times.duration(patienceMillis) + ".");
        } catch (ExecutionException e) {
            throw new Missing(Optional.ofNullable(e.getCause().getMessage())
                    .orElseGet(() -> e.getCause().toString()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Missing("the reading was interrupted.");
        }
    }

    /** What was to be read is not there; the message says why. */
    public static final class Missing extends Exception {
        private static final long serialVersionUID = 1L;

        Missing(String message) {
            super(message);
        }
    }
}
