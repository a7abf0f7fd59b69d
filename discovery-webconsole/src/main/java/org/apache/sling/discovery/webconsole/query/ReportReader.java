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
 * @param timeoutMillis for how long
 */
public record ReportReader(long timeoutMillis) {

    /** As long as a person waits for an answer. */
    public static final ReportReader DEFAULT = new ReportReader(5_000);

    /**
     * A report with the history.
     *
     * @param report the report; the problems of its history say when something is missing
     * @param complete whether the history was read in time
     */
    public record Result(TopologyReport report, boolean complete) {}

    public Result readReport(Reporter reporter) {
        try {
            await(reporter.readHistory());
            return new Result(reporter.report(), true);
        } catch (Unavailable e) {
            TopologyReport report = reporter.report();
            List<String> problems = new ArrayList<>(report.history().problems());
            problems.add("The history may be incomplete: " + e.getMessage());
            return new Result(
                    Selection.replaceContent(
                            report,
                            report.clusters(),
                            new History(report.history().entries(), problems)),
                    false);
        }
    }

    public StoreTree readTree(Reporter reporter) throws Unavailable {
        return await(reporter.readTree());
    }

    private <T> T await(CompletionStage<T> stage) throws Unavailable {
        try {
            return stage.toCompletableFuture().get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new Unavailable("the store has not answered within " + Times.duration(timeoutMillis) + ".");
        } catch (ExecutionException e) {
            throw new Unavailable(Optional.ofNullable(e.getCause().getMessage())
                    .orElseGet(() -> e.getCause().toString()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("the reading was interrupted.");
        }
    }

    /** What was to be read is not there; the message says why. */
    public static final class Unavailable extends Exception {
        private static final long serialVersionUID = 1L;

        Unavailable(String message) {
            super(message);
        }
    }
}
