// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.section.ConnectorSections;
import io.github.discoveryzk.webconsole.testing.RemoteReports;
import io.github.discoveryzk.webconsole.testing.Reports;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextRendererTest {

    @Test
    void eachFactAndEachRowHasALine() {
        assertThat(render(Reports.settled(2)))
                .containsSequence(
                        "State:         Settled since 2026-11-21 09:56:55 +00:00 (3 min 5 s ago)",
                        "What it means: All 2 instances hold view 42.")
                .contains(
                        "View:          42, held since 2026-11-21 09:56:55 +00:00 (3 min 5 s ago), token 17",
                        "If this instance stops: " + Reports.id(1) + " stays the leader",
                        "Last change:   Instance 3 joined., 2026-11-21 09:56:55 +00:00 (3 min 5 s ago), settled here after 1 s, view 42",
                        "  1. " + Reports.id(1) + " [leader]",
                        "     Session:       0x100004d3f2a0001, timeout 10 s",
                        "       name: node 1",
                        "  2. " + Reports.id(2) + " [this instance]",
                        "  com.example.Mail (bundle com.example.mail): idle",
                        "  2026-11-21 09:56:55 +00:00 (3 min 5 s ago): TOPOLOGY_CHANGED; view 42; what changed Instance 3 joined.");
    }

    @Test
    void aViewThatIsNotCurrentIsNotShownAsIfItWere() {
        assertThat(render(Reports.in(State.CUT_OFF, "Cut off.")))
                .anyMatch(line -> line.startsWith("View:          42, not current"))
                .anyMatch(line -> line.startsWith("Last leader:   " + Reports.id(1) + " since "));
        assertThat(render(Reports.before(State.CONNECTING, "Connecting.")))
                .contains("View:          none yet", "Session:       no session with the store");
    }

    @Test
    void accessRightsAreAFactAndAProblem() {
        assertThat(render(Reports.settled(2)))
                .anyMatch(line ->
                        line.startsWith("Access rights: 0 of 12 nodes differ from creator; this instance is x509:CN="));
        assertThat(render(Reports.with(Reports.settled(2), Reports.access(3, "x"))))
                .contains("Access rights: 3 of 12 nodes differ from creator; this instance is x509:CN=x")
                .anyMatch(line -> line.startsWith("  The access rights of 3 of 12 nodes differ from creator; "));
    }

    @Test
    void aChangeHasALineForEachInstance() {
        assertThat(new TextRenderer(Reports.changing(), ZoneOffset.UTC)
                        .explanation()
                        .lines())
                .contains("This instance: author-2")
                .anyMatch(line -> line.startsWith("  1. author-1 [was leader]: gone: its session ended (3 s ago);"))
                .anyMatch(line -> line.startsWith("  2. author-2 [this instance]: acknowledged;"))
                .anyMatch(
                        line -> line.startsWith(
                                "  3. publish-1: awaited: has not acknowledged that view 42 is"
                                        + " over; waits for listener com.example.Jobs of bundle com.example.jobs (service 17) for 3 s;"))
                .anyMatch(line -> line.startsWith("  " + Reports.id(6) + ": refused; ")
                        && line.endsWith(
                                "why its instance id is held by process 4712 on host host-2, home /opt/2, so it"
                                        + " is refused for 9 s"));
    }

    @Test
    void otherClustersAndConnectorsHaveTheirLines() {
        List<String> lines = render(RemoteReports.sample());
        assertThat(lines)
                .contains("  " + RemoteReports.clusterId(3)
                        + ": 1 instance, far-3-1; leader far-3-1;"
                        + " how known announced through " + Reports.id(1) + " \u2190 far-3-1")
                .contains("     How known:     in the same store", "  Peers connect at /libs/sling/topology/connector.")
                .contains("  https://far-1.example:8443/, or https://far-1.fallback.example:8443/, peer far-2-1:"
                        + " connected for 10 min: accepted; last exchange 2026-11-21 09:59:48 +00:00 (12 s ago), kept"
                        + " until 2026-11-21 10:01:48 +00:00; next ping 2026-11-21 10:00:18 +00:00 (in 18 s); traffic 120"
                        + " requests, 1 failed, 48.6 kB sent, 1.2 MB received")
                .anyMatch(line -> line.startsWith("  far-3-1, at 192.0.2.17, says far-3.example:8080: ")
                        && line.contains("asked to wait 2 min 30 s"))
                .anyMatch(line ->
                        line.startsWith("  198.51.100.9: 404; why the signature of the announcement is not right;"
                                + " requests 1204;"));
        assertThat(String.join("\n", lines)).doesNotContain("1970", "pid 0", "unknown");
        assertThat(render(Reports.settled(1))).contains("  " + ConnectorSections.UNCONFIGURED);
    }

    @Test
    void aValueCannotForgeALine() {
        String forged = "x\n  2. impostor [leader]";
        assertThat(render(Reports.hostile(forged))).doesNotContain("  2. impostor [leader]");
        assertThat(render(RemoteReports.hostile(forged))).doesNotContain("  2. impostor [leader]");
    }

    @Test
    void aValueThatIsTooLongIsCut() {
        assertThat(render(Reports.hostile("x".repeat(100_000))))
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(12_000))
                .anyMatch(line -> line.endsWith("x … (100000 characters)"));
    }

    @Test
    void nothingOfTheReportIsExcluded() {
        assertThat(render(Reports.hostile("text")))
                .contains(
                        "What it means: text; text 1 s",
                        "Session:       text, timeout 1 ms, connected, last round trip 1 ms, last completed request "
                                + "2026-11-21 09:59:59 +00:00 (just now)",
                        "     Its page:      none published",
                        "View 1",
                        "  Published:     2026-11-21 09:59:59 +00:00 (just now)",
                        "  Changing for:  1 ms",
                        "Left",
                        "  text text")
                .containsSequence("Excluded", "  text")
                .containsSequence("Members in their order", "  text text");
    }

    @Test
    void aTreeHasASectionForEachNode() {
        assertThat(TextRenderer.tree(Reports.tree(), ZoneOffset.UTC).lines())
                .contains(
                        "Read:          2026-11-21 10:00:00 +00:00 (just now)",
                        "/sling/discovery",
                        "  Size:          123 bytes",
                        "  Written:       2026-11-21 09:59:56 +00:00 (4 s ago)",
                        "  format: 1",
                        "/sling/discovery/x\u241b\\n",
                        "  Owner session: 0x100",
                        "  Problem:       It is broken.",
                        "  There are more nodes than are read in one request.");
    }

    private static List<String> render(TopologyReport report) {
        return new TextRenderer(report, ZoneOffset.UTC).all().lines().toList();
    }
}
