// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.format.ConnectorDisplay;
import org.apache.sling.discovery.webconsole.testing.RemoteReports;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;

class TextRendererTest {

    @Test
    void tellsEverythingALinePerFact() throws IOException {
        assertThat(render(Reports.settled(2)))
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
        assertThat(render(Reports.in(TopologyReport.State.CUT_OFF, "Cut off.")))
                .contains("View 42, not current")
                .anyMatch(line -> line.startsWith("Was leader:    " + Reports.id(1) + " since "));
    }

    @Test
    void tellsTheNameBeforeTheId() throws IOException {
        assertThat(render(Reports.alone(Map.of("org.apache.sling.instance.name", "author-1"))))
                .anyMatch(line -> line.matches("Leader:        author-1 \\(.*\\) since .*"))
                .contains("  1. author-1 " + Reports.id(1) + " [leader] [this instance]");
    }

    @Test
    void aChangeHasALineForEachInstance() throws IOException {
        assertThat(render(Reports.changing()))
                .contains(
                        "This instance: author-2 (a3f0c1d2)",
                        "Was leader:    author-1 (a3f0c1d2) since 2026-11-21 08:00:00 +00:00 (2 h ago)",
                        "Change:        author-1 (a3f0c1d2) left because its session ended; " + Reports.id(5)
                                + " joins, since 2026-11-21 09:59:57 +00:00 (3 s ago)",
                        "If it stops:   if this instance stops, publish-1 (a3f0c1d2) stays the leader",
                        "Instances",
                        "  1. author-1 (a3f0c1d2) [was leader]: gone: its session ended, since"
                                + " 2026-11-21 09:59:57 +00:00 (3 s ago)",
                        "  2. author-2 (a3f0c1d2) [this instance]: acknowledged",
                        "  3. publish-1 (a3f0c1d2): awaited: has not acknowledged that view 42 is over; waits for"
                                + " listener com.example.Jobs of bundle com.example.jobs (service 17), since"
                                + " 2026-11-21 09:59:57 +00:00 (3 s ago)",
                        "  -  " + Reports.id(6) + ": refused: its instance id is held by process 4712 on host"
                                + " host-2, home /opt/2, so it is refused, since 2026-11-21 09:59:51 +00:00 (9 s ago)",
                        "  1. author-1 " + Reports.id(1) + " [was leader]",
                        "     state gone: its session ended");
        StringBuilder out = new StringBuilder();
        new TextRenderer(Reports.changing(), ZoneOffset.UTC, out).writeExplanation();
        assertThat(out.toString().lines()).anyMatch(line -> line.startsWith("  3. publish-1 (a3f0c1d2): awaited"));
    }

    @Test
    void theLastChangeTellsHowLongItTook() throws IOException {
        assertThat(render(Reports.settled(2)))
                .contains(
                        "Last change:   Instance 3 joined., settled 2026-11-21 09:56:55 +00:00 (3 min 5 s ago) after 1 s");
    }

    @Test
    void otherClustersAndConnectorsHaveTheirLines() throws IOException {
        List<String> lines = render(RemoteReports.sample());
        assertThat(lines)
                .containsSequence(
                        "Remote clusters",
                        "  " + RemoteReports.clusterId(1)
                                + ": 2 instances, leader far-1-1 (b0010001), in the same store")
                .contains("  " + RemoteReports.clusterId(4)
                        + ": 6 instances, leader far-4-1 (b0010004), announced through " + Reports.id(2)
                        + ", far-2-1 (b0010002), far-4-1 (b0010004)")
                .containsSequence(
                        "Cluster " + RemoteReports.clusterId(1) + ", in the same store",
                        "  1. far-1-1 " + RemoteReports.id(1, 1) + " [leader]",
                        "     state settled",
                        "     properties 2",
                        "       org.apache.sling.instance.name = far-1-1")
                .containsSequence(
                        "Connectors",
                        "  peers connect at /libs/sling/topology/connector",
                        "  to https://far-1.example:8443/: connected since 2026-11-21 09:50:00 +00:00 (10 min ago)",
                        "     accepted",
                        "     other URL https://far-1.fallback.example:8443/",
                        "     peer far-2-1 (b0010002)",
                        "     last exchange 2026-11-21 09:59:48 +00:00 (12 s ago), announcement kept until"
                                + " 2026-11-21 10:01:48 +00:00 (in 1 min 48 s), next ping 2026-11-21 10:00:18 +00:00 (in 18 s)",
                        "     120 requests, 1 failed, 48.6 kB sent, 1.2 MB received")
                .contains(
                        "     last exchange none yet, announcement kept until none, next ping none",
                        "  from far-3-1 (b0010003) at 192.0.2.17, which says far-3.example:8080: cluster "
                                + RemoteReports.clusterId(3)
                                + ", connected since 2026-11-21 09:00:00 +00:00 (1 h ago)",
                        "  refused 1204 requests of 198.51.100.9 with status 404, last 2026-11-21 09:59:58 +00:00 (2 s ago):"
                                + " the signature of the announcement is not right");
        assertThat(String.join("\n", lines)).doesNotContain("1970", "pid 0", "unknown");
    }

    @Test
    void withoutConnectorsItSaysHowToConfigureThem() throws IOException {
        assertThat(render(Reports.settled(1))).containsSequence("Connectors", "  " + ConnectorDisplay.UNCONFIGURED);
    }

    @Test
    void aValueCannotForgeALine() throws IOException {
        String forged = "x\n  2. impostor [leader]";
        assertThat(render(Reports.hostile(forged))).doesNotContain("  2. impostor [leader]");
        assertThat(render(RemoteReports.hostile(forged))).doesNotContain("  2. impostor [leader]");
    }

    @Test
    void cutsAValueThatIsLongerThanAnybodyReads() throws IOException {
        assertThat(render(Reports.hostile("x".repeat(100_000))))
                .anySatisfy(line -> assertThat(line).hasSizeLessThan(101_100).endsWith("x … (100000 characters)"));
    }

    @Test
    void aListenerThatHangsIsAProblem() throws IOException {
        assertThat(render(Reports.hanging("com.example.Jobs")))
                .contains("Problems")
                .anyMatch(line -> line.contains("has not returned for 12 s: listener com.example.Jobs"));
    }

    @Test
    void nothingOfTheReportIsLeftOut() throws IOException {
        assertThat(render(Reports.hostile("text")))
                .contains(
                        "               text; text 1 s",
                        "Connection:    session text, timeout 1 ms, last round trip 1 ms, last completed request "
                                + "2026-11-21 10:00:00 +00:00 (just now)",
                        "     joined 2026-11-21 09:59:59 +00:00 (just now)",
                        "     console http://text",
                        "Last property changes, newest first",
                        "       text before = text",
                        "History of views, newest first",
                        "  view 1 at 2026-11-21 09:59:59 +00:00: text",
                        "     changing for 1 ms, published by text, after view 0",
                        "     token 1, leader since 2026-11-21 09:59:59 +00:00",
                        "     members text text",
                        "     joined text text",
                        "     left: text (text text)",
                        "     left out: text");
    }

    @Test
    void withoutAConnectionItSaysSo() throws IOException {
        assertThat(render(Reports.before(TopologyReport.State.CONNECTING, "Connecting.")))
                .contains("Connection:    none");
    }

    @Test
    void aTreeHasALineForEachFact() throws IOException {
        StringBuilder out = new StringBuilder();
        TreeText.write(Reports.smallTree(), ZoneOffset.UTC, out);
        assertThat(out.toString().lines())
                .containsExactly(
                        "Read:          2026-11-21 10:00:00 +00:00",
                        "  /sling/discovery [root]",
                        "     12 bytes, version 3, created by 0x1 2026-11-21 09:59:55 +00:00 (5 s ago), written "
                                + "2026-11-21 09:59:56 +00:00 (4 s ago)",
                        "       format = 1",
                        "  /sling/discovery/x\u241b\\n [foreign]",
                        "     0 bytes, version 0, created by 0x2 2026-11-21 09:59:55 +00:00 (5 s ago), written "
                                + "2026-11-21 09:59:56 +00:00 (4 s ago), ends with session 0x100",
                        "     cannot be read: It is broken.",
                        "  There are more nodes than are read at once.");
    }

    private static List<String> render(TopologyReport report) throws IOException {
        StringBuilder out = new StringBuilder();
        new TextRenderer(report, ZoneOffset.UTC, out).writeAll();
        return out.toString().lines().toList();
    }
}
