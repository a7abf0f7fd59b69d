// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.testing.Markup.byId;
import static org.apache.sling.discovery.webconsole.testing.Markup.elements;
import static org.apache.sling.discovery.webconsole.testing.Markup.first;
import static org.apache.sling.discovery.webconsole.testing.Markup.hasId;
import static org.apache.sling.discovery.webconsole.testing.Markup.hrefs;
import static org.apache.sling.discovery.webconsole.testing.Markup.names;
import static org.apache.sling.discovery.webconsole.testing.Markup.parse;
import static org.apache.sling.discovery.webconsole.testing.Markup.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Recent;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.RemoteReports;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class HtmlRendererTest {
    private final HtmlRenderer renderer = new HtmlRenderer("/system/console", ZoneOffset.UTC);

    @Test
    void theOverviewShowsTheInstancesInTheirOrder() throws Exception {
        Document page = overview(Reports.settled(3));
        assertThat(text(page)).contains("Settled", "All 3 instances hold view 42.", "3 min 5 s ago", "token 17");
        List<String> rows = Markup.rows(byId(page, "dz-instances"));
        assertThat(rows).hasSize(3);
        assertThat(rows.get(0)).startsWith("1").contains(Reports.id(1), "leader", "host-1", "4711", "timeout 10 s");
        assertThat(rows.get(1))
                .startsWith("2")
                .contains(Reports.id(2), "this instance")
                .doesNotContain("leader");
        assertThat(rows.get(2)).startsWith("3").contains(Reports.id(3)).doesNotContain("this instance");
        assertThat(hrefs(page)).contains("/system/console/topology/" + Reports.id(3));
    }

    @Test
    void anInstanceIsNamedByItsNameWithItsIdBesideIt() throws Exception {
        TopologyReport report = with(Map.of("org.apache.sling.instance.name", "node-a"));
        Element row = elements(byId(overview(report), "dz-instances"), "tr").get(1);
        assertThat(row.getTextContent()).contains("node-a a3f0c1d2").doesNotContain(Reports.id(1));
        assertThat(elements(row, "bdi"))
                .filteredOn(id -> id.getAttribute("class").equals("dz-short"))
                .extracting(id -> id.getAttribute("title"))
                .containsExactly(Reports.id(1));
        assertThat(elements(row, "button"))
                .extracting(button -> button.getAttribute("data-copy"))
                .containsExactly(Reports.id(1));
        assertThat(byId(overview(report), "dz-picture").getTextContent()).contains("node-a");
        assertThat(text(instance(report, Reports.id(1)))).contains("Instance node-a", Reports.id(1));
    }

    @Test
    void theTabNamesTheStateAndTheInstance() throws Exception {
        assertThat(byId(overview(with(Map.of("org.apache.sling.instance.name", "node-a"))), "discovery-topology")
                        .getAttribute("data-title"))
                .isEqualTo("SETTLED · node-a – Topology");
        assertThat(byId(overview(Reports.in(TopologyReport.State.CUT_OFF, "Waiting.")), "discovery-topology")
                        .getAttribute("data-title"))
                .isEqualTo("CUT OFF · a3f0c1d2 – Topology");
    }

    @Test
    void whatIsStableIsSaidWithItsTimeAndWhatChangesWithItsDuration() throws Exception {
        assertThat(byId(overview(Reports.settled(3)), "dz-status").getTextContent())
                .contains("All 3 instances hold view 42., since 2026-11-21 09:56:55 +00:00 (3 min 5 s ago)");
        Document changing = overview(Reports.in(TopologyReport.State.CHANGING, "Waiting."));
        assertThat(byId(changing, "dz-status").getTextContent()).startsWith("Changing for 3 min 5 s");
        assertThat(first(changing, "dz-tick").getAttribute("data-since"))
                .isEqualTo(String.valueOf(Reports.NOW - 185_000));
    }

    @Test
    void whoWasLeftOutOfAViewThatIsOverIsNotSaid() throws Exception {
        assertThat(text(overview(Reports.withHistory(3, 40)))).doesNotContain("Left out of view");
        assertThat(text(overview(Reports.withHistory(3, 45))))
                .as("a later one, which this instance does not hold yet")
                .contains("Left out of view 45", "listener com.example.Jobs of " + Reports.id(2));
    }

    @Test
    void aCountdownCanBeCountedOn() throws Exception {
        Element countdown = first(overview(Reports.hostile("left out in")), "dz-countdown");
        assertThat(countdown.getTextContent()).isEqualTo("left out in 1 s");
        assertThat(countdown.getAttribute("data-at")).isEqualTo(String.valueOf(Reports.NOW + 1));
        assertThat(countdown.getAttribute("data-what")).isEqualTo("left out in");
    }

    @Test
    void theExplanationNamesStateListenersAndTransitions() throws Exception {
        Document page = overview(Reports.in(TopologyReport.State.CHANGING, "Waiting for b."));
        assertThat(byId(page, "dz-explain").getTextContent())
                .contains("Changing since", "Waiting for b.", "com.example.Jobs", "waiting for 2 instances")
                .contains("last round trip 2 ms", "token 17");
    }

    @Test
    void whatIsLiveKnowsItsRevisionAndWhereToAsk() throws Exception {
        Element root = byId(overview(Reports.settled(3)), "discovery-topology");
        assertThat(root.getAttribute("data-revision")).isEqualTo("1");
        assertThat(root.getAttribute("data-events")).isEqualTo("/system/console/topology.events");
        assertThat(root.getAttribute("data-live")).isEqualTo("true");
        Element tree = byId(tree(Reports.tree()), "discovery-topology");
        assertThat(tree.getAttribute("data-live")).isEqualTo("false");
    }

    @Test
    void withoutOtherClustersThePageSaysSo() throws Exception {
        assertThat(byId(overview(Reports.settled(3)), "dz-connectors").getTextContent())
                .contains("No connectors are configured; the configuration org.apache.sling.discovery.base.connectors");
    }

    @Test
    void whoCanOnlyLookIsOfferedNothing() throws Exception {
        assertThat(hasId(overview(Reports.settled(3)), "dz-stand-down")).isFalse();
        assertThat(hasId(instance(Reports.settled(3), Reports.id(1)), "dz-evict"))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(TopologyReport.State.class)
    void everyStateIsShownByWordShapeAndColour(TopologyReport.State state) throws Exception {
        Document page = overview(Reports.in(state, "What is being waited for."));
        Element status = first(page, "dz-status");
        StateDisplay shown = StateDisplay.of(state);
        assertThat(status.getAttribute("class")).contains("dz-" + shown.tone());
        assertThat(status.getTextContent()).contains(shown.word(), "What is being waited for.");
        assertThat(status.getElementsByTagName("path").getLength()).isEqualTo(1);
    }

    @Test
    void theBannerAnswersTheFirstQuestions() throws Exception {
        String settled = byId(overview(Reports.settled(3)), "dz-answers").getTextContent();
        assertThat(settled)
                .contains("Leader" + Reports.id(1) + " since 2026-11-21 08:00:00 +00:00 (2 h ago)")
                .contains(
                        "Last changeInstance 3 joined., 2026-11-21 09:56:55 +00:00 (3 min 5 s ago), took 1 s here, view 42");
        String changing = byId(overview(Reports.changing()), "dz-answers").getTextContent();
        assertThat(changing)
                .contains("Whyauthor-1 (a3f0c1d2) left because its session ended")
                .contains("Goneauthor-1 a3f0c1d2")
                .contains("Waiting forpublish-1 a3f0c1d2: listener com.example.Jobs of bundle com.example.jobs")
                .contains("service 17), for 3 s")
                .contains("Acknowledgedauthor-2 a3f0c1d2")
                .contains("Joining" + Reports.id(5))
                .contains("Last leaderauthor-1")
                .contains("If this instance stopspublish-1 (a3f0c1d2) stays the leader");
    }

    @Test
    void aReasonThatManyShareIsSaidOnce() throws Exception {
        String answers = byId(overview(Reports.awaiting(50)), "dz-answers").getTextContent();
        assertThat(answers)
                .containsOnlyOnce("has not acknowledged")
                .contains(Reports.id(1) + ", " + Reports.id(2) + ", ")
                .contains(Reports.id(12) + ": has not acknowledged, for 3 s; and 38 more");
    }

    @Test
    void aRowTellsTheStateOfItsInstanceWithTheReason() throws Exception {
        Document page = overview(Reports.changing());
        assertThat(elements(byId(page, "dz-instances"), "tr").stream()
                        .filter(row -> row.hasAttribute("data-state"))
                        .map(row -> row.getAttribute("data-state")))
                .containsExactly(
                        "GONE", "ACKNOWLEDGED", "AWAITED", "UNKNOWN", "JOINING", "REFUSED", "LEFT_OUT", "GONE");
        List<String> rows = Markup.rows(byId(page, "dz-instances"));
        assertThat(rows.get(0)).contains("gone", "was leader", "its session ended", "3 s ago");
        assertThat(rows.get(2)).contains("awaited", "waits for listener com.example.Jobs of bundle", "for 3 s");
        assertThat(byId(page, "dz-instances").getTextContent())
                .contains("Alive, but not in the view", "Left a short time ago", "left out");
    }

    @Test
    void itIsSaidHowLongADeadInstanceLooksAlive() throws Exception {
        assertThat(byId(overview(Reports.settled(3)), "dz-noticed").getTextContent())
                .contains("until its session times out, here after up to 10 s.");
    }

    @Test
    void whatStandingDownLeadsToIsSaidBefore() throws Exception {
        StringBuilder out = new StringBuilder();
        new HtmlRenderer("/system/console", ZoneOffset.UTC, new PageContext(Optional.of("a-token"), Optional.empty()))
                .overview(Reports.changing(), out);
        assertThat(byId(parse(out), "dz-stand-down").getTextContent())
                .contains("Who leads thenpublish-1 a3f0c1d2")
                .contains("Bundles that use the lease herenone, because this instance does not lead");
    }

    @Test
    void aViewThatIsNotCurrentIsNotShownAsIfItWere() throws Exception {
        assertThat(text(overview(Reports.in(TopologyReport.State.CHANGING, "Waiting."))))
                .contains("View 42 is not current");
        assertThat(text(overview(Reports.settled(3)))).doesNotContain("not current");
    }

    @Test
    void busyListenersAreNamedWithWhatIsPending() throws Exception {
        Document page = overview(Reports.in(TopologyReport.State.CHANGING, "Waiting."));
        assertThat(first(page, "dz-busy-row").getTextContent())
                .contains("com.example.Jobs", "busy for 3.2 s, 2 events pending");
    }

    @Test
    void beforeTheFirstViewTheReasonsAreShown() throws Exception {
        String text = text(overview(Reports.before(TopologyReport.State.REFUSED, "Refused: the id is taken.")));
        assertThat(text)
                .contains(
                        "Refused",
                        "none yet",
                        "already runs on host-1",
                        "Delete sling.id.file",
                        "No event has been delivered");
    }

    @Test
    void anInstanceHasItsPropertiesSorted() throws Exception {
        TopologyReport report = with(Map.of("b", "2", "a", "1", "empty", ""));
        Document page = instance(report, Reports.id(1));
        assertThat(Markup.rows(byId(page, "dz-properties"))).containsExactly("a1", "b2", "emptyempty");
        assertThat(text(page)).contains("m-0000000001", "/opt/1", "0x100004d3f2a0001", "leader");
    }

    @Test
    void anUnknownInstanceLeadsBackToTheOverview() throws Exception {
        TopologyReport report = Reports.settled(3);
        assertThat(report.hasInstance("nobody")).isFalse();
        Document page = instance(report, "nobody");
        assertThat(text(page)).contains("No instance nobody in the view");
        assertThat(hrefs(page)).contains("/system/console/topology");
    }

    @Test
    void anInstanceOutsideTheViewIsExplained() throws Exception {
        TopologyReport report = Reports.before(TopologyReport.State.REFUSED, "Refused.");
        assertThat(text(instance(report, Reports.id(2))))
                .contains("alive, but not in the view", "already runs on host-1");
    }

    @Test
    void withoutTheServiceThePageSaysWhatToDo() throws Exception {
        StringBuilder out = new StringBuilder();
        renderer.inactive(out);
        Document page = parse(out);
        assertThat(text(page)).contains("The discovery service is not active", "start what is not active");
        assertThat(hrefs(page)).contains("/system/console/bundles", "/system/console/configMgr");
    }

    private static final String OWN =
            "/system/console/topology(#dz-explain|#dz-connectors|/[A-Za-z0-9_-]+|\\?(show|instance|compare)=[A-Za-z0-9_%-]*(&view=[0-9]+)?"
                    + "|\\?sort=-?[a-z]+#dz-instances)?";

    static List<String> hostile() {
        return List.of(
                "<script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "' onmouseover='alert(1)",
                "]]>--></div></table>",
                "&lt;script&gt;&#60;",
                "${head.title}",
                "javascript:alert(1)",
                "../../bundles",
                "?a=b#c&d",
                "a.b",
                "res",
                "\u202etxt.exe\u202c",
                "👑🏳️‍🌈",
                "\0\u001b[31m\r\n\ud800",
                "x".repeat(100_000));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void noValueBecomesMarkup(String value) throws Exception {
        TopologyReport report = Reports.hostile(value);
        Document harmless = overview(Reports.hostile("harmless"));
        Document page = overview(report);
        assertThat(names(page)).isEqualTo(names(harmless));
        assertThat(raw(report)).doesNotContain("${", "\u202e", "\0", "\u001b");
        for (String href : hrefs(page)) {
            assertThat(href).matches(OWN);
        }
        assertThat(names(history(report))).isEqualTo(names(history(Reports.hostile("harmless"))));
        String uncut = value.substring(0, Math.min(400, value.length()));
        assertThat(names(tree(Reports.hostileTree(uncut)))).isEqualTo(names(tree(Reports.hostileTree("harmless"))));
        instance(report, value);
        instance(Reports.settled(1), value);
        Document other = overview(RemoteReports.hostile(value));
        assertThat(names(other)).isEqualTo(names(overview(RemoteReports.hostile("harmless"))));
        for (String href : hrefs(other)) {
            assertThat(href).matches(OWN);
        }
        assertThat(raw(RemoteReports.hostile(value))).doesNotContain("${", "\u202e", "\0", "\u001b");
        instance(RemoteReports.hostile(value), value + "-far");
    }

    @Test
    void whatIsBlankIsSaidToBeSo() throws Exception {
        for (String blank : List.of("", " ", "\t")) {
            assertThat(Markup.rows(byId(overview(Reports.hostile(blank)), "dz-instances")))
                    .singleElement()
                    .asString()
                    .contains("empty");
            assertThat(Markup.rows(byId(instance(Reports.hostile(blank), blank), "dz-properties")))
                    .containsExactly("emptyempty");
        }
    }

    @Test
    void aValueIsShownInFull() throws Exception {
        assertThat(text(instance(Reports.hostile("x".repeat(100_000)), "x".repeat(100_000))))
                .contains("x".repeat(100_000));
    }

    @Test
    void thePageRunsNoInlineScriptAndLoadsNothingFromElsewhere() throws Exception {
        Document page = overview(Reports.settled(3));
        List<Element> scripts = elements(page.getDocumentElement(), "script");
        assertThat(scripts)
                .extracting(script -> script.getAttribute("src"))
                .containsExactly(
                        "/system/console/topology/res/lib/idiomorph-0.7.4.js",
                        "/system/console/topology/res/page.js",
                        "/system/console/topology/res/topology.js");
        assertThat(scripts).allMatch(script -> script.getTextContent().isEmpty());
        assertThat(raw(Reports.settled(3))).doesNotContain("http:", "https:", "style=", " on");
    }

    private static TopologyReport with(Map<String, String> properties) {
        TopologyReport from = Reports.settled(1);
        InstanceNames names = new InstanceNames(InstanceNames.name(properties)
                .map(name -> Map.of(Reports.id(1), name))
                .orElse(Map.of()));
        Cluster cluster = new Cluster("c", true, List.of(Reports.instance(1, true, properties)));
        return new TopologyReport(
                from.generatedMillis(),
                from.revision(),
                from.status(),
                from.localInstanceId(),
                from.address(),
                Optional.empty(),
                Optional.empty(),
                List.of(cluster),
                from.connectors(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                names,
                List.of(),
                Recent.NOTHING,
                History.UNREAD,
                List.of());
    }

    private String raw(TopologyReport report) throws IOException {
        StringBuilder out = new StringBuilder();
        renderer.overview(report, out);
        return out.toString();
    }

    private Document overview(TopologyReport report) throws Exception {
        return parse(raw(report));
    }

    private Document history(TopologyReport report) throws Exception {
        StringBuilder out = new StringBuilder();
        renderer.history(report, HistoryFilter.NONE, out);
        return parse(out);
    }

    private Document tree(StoreTree tree) throws Exception {
        StringBuilder out = new StringBuilder();
        renderer.tree(Reports.settled(1), tree, "", out);
        return parse(out);
    }

    private Document instance(TopologyReport report, String id) throws Exception {
        StringBuilder out = new StringBuilder();
        renderer.instance(report, id, out);
        return parse(out);
    }
}
