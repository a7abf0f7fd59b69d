// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.query;

import io.github.discoveryzk.report.History;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.content.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads reports with what the store has to be asked for, within a time limit. After the limit the result tells what is
 * missing.
 *
 * @param timeoutMillis the time limit
 */
public record ReportReader(long timeoutMillis) {

    /** Waits as long as a user accepts to wait for a page. */
    public static final ReportReader DEFAULT = new ReportReader(5_000);

    /** Returns a report with its history; the problems of the history tell if entries may be missing. */
    public TopologyReport readReport(Reporter reporter) {
        try {
            await(reporter.readHistory());
            return reporter.report();
        } catch (Unavailable e) {
            TopologyReport report = reporter.report();
            List<String> problems = new ArrayList<>(report.history().problems());
            problems.add("The history may be incomplete: " + e.getMessage());
            return report.with(new History(report.history().entries(), problems));
        }
    }

    /** Waits for what is read from the store. */
    public <T> T await(CompletionStage<T> stage) throws Unavailable {
        try {
            return stage.toCompletableFuture().get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new Unavailable("the store has not replied within " + Times.duration(timeoutMillis) + ".");
        } catch (ExecutionException e) {
            throw new Unavailable(Optional.ofNullable(e.getCause().getMessage())
                    .orElseGet(() -> e.getCause().toString()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("the wait for the store was interrupted.");
        }
    }

    /** The store has not been read; the message tells the reason. */
    public static final class Unavailable extends Exception {
        private static final long serialVersionUID = 1L;

        Unavailable(String message) {
            super(message);
        }
    }
}
