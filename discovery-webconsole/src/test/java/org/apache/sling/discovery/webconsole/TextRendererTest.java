// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.apache.felix.inventory.Format;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.junit.jupiter.api.Test;

class TextRendererTest {

    @Test
    void tellsEverythingALinePerFact() throws IOException {
        assertThat(render(Optional.of(Reports.settled(2))))
                .containsSequence(
                        "State:         Settled since 2026-11-21 09:56:55 +00:00 (3 min 5 s ago)",
                        "               All 2 instances hold view 42.",
                        "This instance: " + Reports.id(2))
                .contains(
                        "View 42",
                        "Token:         17",
                        "  1. " + Reports.id(1) + " [leader]",
                        "     session 0x100004d3f2a0001, timeout 10 s",
                        "       name = node 1",
                        "  2. " + Reports.id(2) + " [this instance]",
                        "  com.example.Mail (bundle com.example.mail): idle",
                        "  2026-11-21 09:56:55 +00:00 TOPOLOGY_CHANGED view 42: Instance 3 joined.");
    }

    @Test
    void saysWhenTheViewIsNotCurrent() throws IOException {
        assertThat(render(Optional.of(Reports.in(TopologyReport.State.CUT_OFF, "Cut off."))))
                .contains("View 42, not current");
    }

    @Test
    void aValueCannotForgeALine() throws IOException {
        String forged = "x\n  2. impostor [leader]";
        assertThat(render(Optional.of(Reports.hostile(forged)))).doesNotContain("  2. impostor [leader]");
    }

    @Test
    void cutsAValueThatIsLongerThanAnybodyReads() throws IOException {
        assertThat(render(Optional.of(Reports.hostile("x".repeat(100_000)))))
                .anySatisfy(line -> assertThat(line).hasSizeLessThan(101_100).endsWith("x … (100000 characters)"));
    }

    @Test
    void aListenerThatHangsIsAProblem() throws IOException {
        assertThat(render(Optional.of(Reports.hanging("com.example.Jobs"))))
                .contains("Problems")
                .anyMatch(line -> line.contains("has not returned for 12 s: listener com.example.Jobs"));
    }

    @Test
    void saysThatTheServiceIsAbsent() throws IOException {
        assertThat(render(Optional.empty())).containsExactly("The discovery service is not active.");
    }

    @Test
    void theInventoryPrintsItWithoutTheServiceToo() {
        StringWriter out = new StringWriter();
        new TopologyInventory().print(new PrintWriter(out), Format.TEXT, false);
        assertThat(out).hasToString("The discovery service is not active.\n");
    }

    private static List<String> render(Optional<TopologyReport> report) throws IOException {
        StringBuilder out = new StringBuilder();
        new TextRenderer(ZoneOffset.UTC).render(report, out);
        return out.toString().lines().toList();
    }
}
