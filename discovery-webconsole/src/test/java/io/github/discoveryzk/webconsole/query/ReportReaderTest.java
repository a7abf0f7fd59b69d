// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.testing.AskedReporter;
import io.github.discoveryzk.webconsole.testing.Reports;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReportReaderTest {
    private final ReportReader impatient = new ReportReader(10);

    @Test
    void saysThatTheHistoryDidNotComeInTime() {
        AskedReporter reporter = new AskedReporter(Reports.settled(1));
        reporter.historyAnswers(new CompletableFuture<>());
        TopologyReport report = impatient.readReport(reporter);
        assertThat(report.history().problems())
                .containsExactly("The history may be incomplete: the store has not replied within 10 ms.");
        assertThat(report.view()).isEqualTo(Reports.settled(1).view());
    }

    @Test
    void saysWhyTheTreeCannotBeRead() {
        AskedReporter reporter = new AskedReporter(Reports.settled(1));
        reporter.treeAnswers(CompletableFuture.failedFuture(new IllegalStateException("The store is away.")));
        assertThatExceptionOfType(ReportReader.Unavailable.class)
                .isThrownBy(() -> impatient.await(reporter.readTree()))
                .withMessage("The store is away.");
        reporter.treeAnswers(new CompletableFuture<>());
        assertThatExceptionOfType(ReportReader.Unavailable.class)
                .isThrownBy(() -> impatient.await(reporter.readTree()))
                .withMessageContaining("within 10 ms");
    }

    @Test
    void anInterruptedThreadDoesNotWait() {
        AskedReporter reporter = new AskedReporter(Reports.settled(1));
        reporter.historyAnswers(new CompletableFuture<>());
        Thread.currentThread().interrupt();
        assertThat(ReportReader.DEFAULT.readReport(reporter).history().problems())
                .containsExactly("The history may be incomplete: the wait for the store was interrupted.");
        assertThat(Thread.interrupted()).isTrue();
    }
}
