// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.testing.Markup.byId;
import static org.apache.sling.discovery.webconsole.testing.Markup.elements;
import static org.apache.sling.discovery.webconsole.testing.Markup.first;
import static org.apache.sling.discovery.webconsole.testing.Markup.hasId;
import static org.apache.sling.discovery.webconsole.testing.Markup.hrefs;
import static org.apache.sling.discovery.webconsole.testing.Markup.names;
import static org.apache.sling.discovery.webconsole.testing.Markup.text;
import static org.apache.sling.discovery.webconsole.testing.Pages.instance;
import static org.apache.sling.discovery.webconsole.testing.Pages.overview;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.webconsole.format.Look;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Pages;
import org.apache.sling.discovery.webconsole.testing.RemoteReports;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class HtmlRendererTest {
    @Test
    void theOverviewShowsTheInstancesInTheirOrder() throws Exception {
        Document page = overview(Reports.settled(3));
        assertThat(text(page)).contains("Settled", "All 3 instances hold view 42.", "3 min 5 s ago", "token 17");
        List<String> rows = Markup.rows(byId(page, "dz-instances"));
        assertThat(rows).hasSize(3);
        assertThat(rows.get(0)).startsWith("1").contains("a3f0c1d2", "leader", "host-1", "4711", "timeout 10 s");
        assertThat(rows.get(1)).startsWith("2").contains("this instance").doesNotContain("leader");
        assertThat(rows.get(2)).startsWith("3").doesNotContain("this instance");
        assertThat(hrefs(page)).contains("/system/console/topology/" + Reports.id(3));
    }

    @Test
    void anInstanceIsNamedByItsNameWithItsIdBesideIt() throws Exception {
        TopologyReport report = Reports.alone(Map.of("org.apache.sling.instance.name", "node-a"));
        Element row = elements(byId(overview(report), "dz-instances"), "tr").get(1);
        assertThat(row.getTextContent()).contains("node-a a3f0c1d2").doesNotContain(Reports.id(1));
        assertThat(elements(row, "bdi"))
                .filteredOn(id -> id.getAttribute("class").equals("dz-short"))
                .extracting(id -> id.getAttribute("title"))
                .containsExactly(Reports.id(1));
        assertThat(byId(overview(report), "dz-picture").getTextContent()).contains("node-a");
        assertThat(text(instance(report, Reports.id(1)))).contains("Instance node-a", Reports.id(1));
    }

    @Test
    void theTabNamesTheStateAndTheInstance() throws Exception {
        assertThat(byId(
                                overview(Reports.alone(Map.of("org.apache.sling.instance.name", "node-a"))),
                                "discovery-topology")
                        .getAttribute("data-title"))
                .isEqualTo("SETTLED · node-a – Topology");
        assertThat(byId(overview(Reports.in(State.CUT_OFF, "Waiting.")), "discovery-topology")
                        .getAttribute("data-title"))
                .isEqualTo("CUT OFF · a3f0c1d2 – Topology");
    }

    @Test
    void whatIsStableIsSaidWithItsTimeAndWhatChangesWithItsDuration() throws Exception {
        assertThat(byId(overview(Reports.settled(3)), "dz-status").getTextContent())
                .contains("All 3 instances hold view 42., since 2026-11-21 09:56:55 +00:00 (3 min 5 s ago)");
        Document changing = overview(Reports.in(State.CHANGING, "Waiting."));
        assertThat(byId(changing, "dz-status").getTextContent()).startsWith("Changing for 3 min 5 s");
        assertThat(first(changing, "dz-tick").getAttribute("data-since"))
                .isEqualTo(String.valueOf(Reports.NOW - 185_000));
    }

    @Test
    void whoWasLeftOutOfAViewThatIsOverIsNotSaid() throws Exception {
        assertThat(text(overview(Reports.withHistory(3, 40)))).doesNotContain("Left out of view");
        assertThat(text(overview(Reports.withHistory(3, 50))))
                .as("a later one, which this instance does not hold yet")
                .contains("Left out of view 50", "(listener com.example.Jobs)");
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
        Document page = overview(Reports.in(State.CHANGING, "Waiting for b."));
        assertThat(byId(page, "dz-explain").getTextContent())
                .contains("Changing since", "Waiting for b.", "com.example.Jobs", "waiting for 2 instances")
                .contains("last round trip 2 ms", "token 17");
    }

    @Test
    void whatIsLiveKnowsWhereToAsk() throws Exception {
        Element root = byId(overview(Reports.settled(3)), "discovery-topology");
        assertThat(root.getAttribute("data-content")).isEqualTo("/system/console/topology.content");
        assertThat(root.getAttribute("data-live")).isEqualTo("true");
        Element tree = byId(Pages.tree(Reports.tree()), "discovery-topology");
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
    @EnumSource(State.class)
    void everyStateIsShownByWordShapeAndColour(State state) throws Exception {
        Document page = overview(Reports.in(state, "What is being waited for."));
        Element status = first(page, "dz-status");
        Look shown = Look.of(state);
        assertThat(status.getAttribute("class")).contains("dz-" + shown.tone());
        assertThat(status.getTextContent()).contains(shown.word(), "What is being waited for.");
        assertThat(status.getElementsByTagName("path").getLength()).isEqualTo(1);
    }

    @Test
    void theBannerAnswersTheFirstQuestions() throws Exception {
        String settled = byId(overview(Reports.settled(3)), "dz-answers").getTextContent();
        assertThat(settled)
                .contains("Leadera3f0c1d2 since 2026-11-21 08:00:00 +00:00 (2 h ago)")
                .contains(
                        "Last changeInstance 3 joined., 2026-11-21 09:56:55 +00:00 (3 min 5 s ago), took 1 s here, view 42");
        String changing = byId(overview(Reports.changing()), "dz-answers").getTextContent();
        assertThat(changing)
                .contains("Whyauthor-1 (a3f0c1d2) left because its session ended")
                .contains("Goneauthor-1 a3f0c1d2")
                .contains("Waiting forpublish-1 a3f0c1d2: listener com.example.Jobs of bundle com.example.jobs")
                .contains("service 17), for 3 s")
                .contains("Acknowledgedauthor-2 a3f0c1d2")
                .contains("Joininga3f0c1d2")
                .contains("Last leaderauthor-1")
                .contains("If this instance stopspublish-1 (a3f0c1d2) stays the leader");
    }

    @Test
    void aReasonThatManyShareIsSaidOnce() throws Exception {
        String answers = byId(overview(Reports.awaiting(50)), "dz-answers").getTextContent();
        assertThat(answers)
                .containsOnlyOnce("has not acknowledged")
                .contains("a3f0c1d2, a3f0c1d2, ")
                .contains("a3f0c1d2: has not acknowledged, for 3 s; and 38 more");
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
                .contains(
                        "until its session times out, here after up to 10 s.",
                        "Alive, but not in the view",
                        "Left a short time ago",
                        "left out");
    }

    @Test
    void aViewThatIsNotCurrentIsNotShownAsIfItWere() throws Exception {
        assertThat(text(overview(Reports.in(State.CHANGING, "Waiting.")))).contains("View 42 is not current");
        assertThat(text(overview(Reports.settled(3)))).doesNotContain("not current");
    }

    @Test
    void busyListenersAreNamedWithWhatIsPending() throws Exception {
        Document page = overview(Reports.in(State.CHANGING, "Waiting."));
        assertThat(first(page, "dz-busy-row").getTextContent())
                .contains("com.example.Jobs", "busy for 3.2 s, 2 events pending");
    }

    @Test
    void beforeTheFirstViewTheReasonsAreShown() throws Exception {
        String text = text(overview(Reports.before(State.REFUSED, "Refused: the id is taken.")));
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
        TopologyReport report = Reports.alone(Map.of("b", "2", "a", "1", "empty", ""));
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
        TopologyReport report = Reports.before(State.REFUSED, "Refused.");
        assertThat(text(instance(report, Reports.id(2))))
                .contains("alive, but not in the view", "already runs on host-1");
    }

    @Test
    void withoutTheServiceThePageSaysWhatToDo() throws Exception {
        Document page = Markup.parse(Pages.RENDERER.inactive());
        assertThat(text(page)).contains("The discovery service is not active", "start what is not active");
        assertThat(hrefs(page)).contains("/system/console/bundles", "/system/console/configMgr");
    }

    private static final String OWN =
            "/system/console/topology(#dz-explain|#dz-connectors|/[A-Za-z0-9_-]+|\\?(show|instance)=[A-Za-z0-9_%-]*(&view=[0-9]+)?)?";

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
        assertThat(Pages.RENDERER.overview(report)).doesNotContain("${", "\u202e", "\0", "\u001b");
        for (String href : hrefs(page)) {
            assertThat(href).matches(OWN);
        }
        assertThat(names(Pages.history(report, Map.of())))
                .isEqualTo(names(Pages.history(Reports.hostile("harmless"), Map.of())));
        String uncut = value.substring(0, Math.min(400, value.length()));
        assertThat(names(Pages.tree(Reports.hostileTree(uncut))))
                .isEqualTo(names(Pages.tree(Reports.hostileTree("harmless"))));
        instance(report, value);
        instance(Reports.settled(1), value);
        Document other = overview(RemoteReports.hostile(value));
        assertThat(names(other)).isEqualTo(names(overview(RemoteReports.hostile("harmless"))));
        for (String href : hrefs(other)) {
            assertThat(href).matches(OWN);
        }
        assertThat(Pages.RENDERER.overview(RemoteReports.hostile(value)))
                .doesNotContain("${", "\u202e", "\0", "\u001b");
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
        assertThat(Pages.RENDERER.overview(Reports.settled(3))).doesNotContain("http:", "https:", "style=", " on");
    }
}
