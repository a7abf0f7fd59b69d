// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;

class HistoryCsvTest {

    @Test
    void aViewIsALine() throws Exception {
        List<Entry> entries = Reports.withHistory(3, 4).history().entries();
        StringBuilder out = new StringBuilder();
        HistoryCsv.write(entries, id -> "name of " + id.substring(34), out);
        String[] lines = out.toString().split("\r\n");
        assertThat(lines).hasSize(5);
        assertThat(lines[0]).startsWith("\"view\",\"published\",\"leader id\"").endsWith("\"cause\",\"outage\"");
        assertThat(lines[1])
                .startsWith("\"4\",\"2026-11-21T10:00:00Z\",\"" + Reports.id(1) + "\",\"name of 01\"")
                .contains("(evicted)", ",\"40\",")
                .endsWith(" was evicted\",\"\"");
    }

    @Test
    void aSpreadsheetEvaluatesNothing() {
        assertThat(HistoryCsv.cell("=1+1")).isEqualTo("\"'=1+1\"");
        assertThat(HistoryCsv.cell("@SUM(A1)")).isEqualTo("\"'@SUM(A1)\"");
        assertThat(HistoryCsv.cell("-2")).isEqualTo("\"'-2\"");
        assertThat(HistoryCsv.cell("+2")).isEqualTo("\"'+2\"");
        assertThat(HistoryCsv.cell("\t=1")).isEqualTo("\"'\t=1\"");
        assertThat(HistoryCsv.cell("\r=1")).isEqualTo("\"'=1\"");
        assertThat(HistoryCsv.cell("\0=1")).isEqualTo("\"'=1\"");
        assertThat(HistoryCsv.cell("a \"b\", c")).isEqualTo("\"a \"\"b\"\", c\"");
        assertThat(HistoryCsv.cell("")).isEqualTo("\"\"");
    }
}
