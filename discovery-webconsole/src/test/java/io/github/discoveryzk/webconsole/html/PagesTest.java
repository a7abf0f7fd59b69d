// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.testing.Markup.byId;
import static io.github.discoveryzk.webconsole.testing.Markup.elements;
import static io.github.discoveryzk.webconsole.testing.Markup.first;
import static io.github.discoveryzk.webconsole.testing.Markup.hasId;
import static io.github.discoveryzk.webconsole.testing.Markup.hrefs;
import static io.github.discoveryzk.webconsole.testing.Markup.rows;
import static io.github.discoveryzk.webconsole.testing.Markup.text;
import static io.github.discoveryzk.webconsole.testing.Pages.instance;
import static io.github.discoveryzk.webconsole.testing.Pages.overview;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.content.Look;
import io.github.discoveryzk.webconsole.section.ConnectorSections;
import io.github.discoveryzk.webconsole.testing.Markup;
import io.github.discoveryzk.webconsole.testing.Pages;
import io.github.discoveryzk.webconsole.testing.Records;
import io.github.discoveryzk.webconsole.testing.RemoteReports;
import io.github.discoveryzk.webconsole.testing.Reports;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The overview, and the pages of instances and of the store. */
class PagesTest {
    private static final Map<String, TopologyReport> REPORTS = Map.of(
            "settled", Reports.settled(3),
            "changing", Reports.changing(),
            "waiting", Reports.in(State.CHANGING, "Waiting for b."),
            "refused", Reports.before(State.REFUSED, "Refused: the id is taken."),
            "many", Reports.awaiting(50),
            "remote", RemoteReports.sample(),
            "bare",
                    RemoteReports.with(
                            Reports.settled(1),
                            List.of(),
                            new ConnectorReport(true, Optional.empty(), List.of(), List.of(), List.of(), 0)));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            settled | dz-status | All 3 instances hold view 42., since 2026-11-21 09:56:55 +00:00 (3 min 5 s ago)
            waiting | dz-status | Changing for 3 min 5 s
            waiting | dz-status | View 42 is not current
            refused | dz-status | Refused
            settled | dz-answers | May it be stoppedyes, go on
            settled | dz-answers | 2026-11-21 09:56:55 +00:00 (3 min 5 s ago), settled here after 1 s, view 42
            changing | dz-answers | Whyauthor-1 left because its session ended
            changing | dz-answers | Waiting forpublish-1: listener com.example.Jobs of bundle com.example.jobs
            changing | dz-answers | service 17), for 3 s
            changing | dz-answers | Acknowledgedauthor-2
            changing | dz-answers | Last leaderauthor-1
            settled | dz-answers | If this instance stopsa3f0c1d2 stays the leader
            bare | dz-answers | no instance is left to lead
            many | dz-answers | a3f0c1d2; a3f0c1d2 and 38 more
            changing | dz-instances | until its session times out, here after up to 10 s.
            changing | dz-instances | Alive, but not in the view
            changing | dz-instances | Left a short time ago
            settled | dz-explain | token 17
            settled | dz-explain | last round trip 2 ms
            waiting | dz-listening | com.example.Jobs
            waiting | dz-listening | busy for 3.2 s, 2 events pending
            waiting | dz-states | waiting for 2 instances
            refused | dz-explain | none yet
            refused | dz-problems | Delete sling.id.file
            refused | dz-instances | already runs on host-1
            refused | dz-events | No event has been delivered
            settled | dz-connectors | No connectors are configured
            remote | dz-clusters | Other clusters 4
            remote | dz-problems | connector to http://broken.example:8080/ has been failing for 600 s: connection refused
            remote | dz-connectors | Peers connect at /libs/sling/topology/connector.
            remote | dz-connectors | 6 instances far-4-1
            remote | dz-connectors | announced through a3f0c1d2 \u2190 far-2-1 \u2190 far-4-1
            bare | dz-connectors | The configuration has no URLs of connectors.
            bare | dz-connectors | No servlet container offers the path at which peers connect.
            """)
    void isShown(String report, String part, String words) throws Exception {
        TopologyReport shown = REPORTS.get(report);
        Document page =
                switch (part) {
                    case "dz-explain", "dz-listening", "dz-states", "dz-events" -> Pages.local(shown);
                    case "dz-connectors" -> Pages.connectors(shown);
                    default -> overview(shown);
                };
        assertThat(byId(page, part).getTextContent()).contains(words);
    }

    @Test
    void nothingIsShownThatIsNotKnown() throws Exception {
        assertThat(text(overview(REPORTS.get("settled")))).doesNotContain("not current", "Excluded from view");
        assertThat(byId(Pages.connectors(REPORTS.get("settled")), "dz-connectors")
                        .getTextContent()
                        .strip())
                .isEqualTo("Connectors and remote clusters\n" + ConnectorSections.UNCONFIGURED);
        for (Document page :
                List.of(overview(REPORTS.get("remote")), instance(REPORTS.get("remote"), RemoteReports.id(2, 1)))) {
            assertThat(text(page)).doesNotContain("1970", "pid 0", "pid unknown", "timeout 0");
        }
        assertThat(byId(Pages.connectors(REPORTS.get("remote")), "dz-connectors")
                        .getTextContent())
                .doesNotContain("unknown");
    }

    @Test
    void aRowTellsTheStateOfItsInstanceWithTheReason() throws Exception {
        Document page = overview(Reports.changing());
        assertThat(elements(byId(page, "dz-instances"), "tr").stream()
                        .filter(row -> row.hasAttribute("data-state"))
                        .map(row -> row.getAttribute("data-state")))
                .containsExactly(
                        "GONE", "ACKNOWLEDGED", "AWAITED", "UNKNOWN", "JOINING", "REFUSED", "EXCLUDED", "GONE");
        List<String> rows = rows(byId(page, "dz-instances"));
        assertThat(rows.get(0)).contains("gone", "was leader", "its session ended", "3 s ago");
        assertThat(rows.get(2)).contains("awaited", "waits for listener com.example.Jobs of bundle", "for 3 s");
    }

    @Test
    void anInstanceIsNamedByItsName() throws Exception {
        TopologyReport report = Reports.alone(Map.of("org.apache.sling.instance.name", "node-a"));
        Element row = elements(byId(overview(report), "dz-instances"), "tr").get(1);
        assertThat(row.getTextContent()).contains("node-a").doesNotContain("a3f0c1d2");
        assertThat(elements(row, "a").get(0).getAttribute("title")).isEqualTo(Reports.id(1));
        assertThat(text(instance(report, Reports.id(1)))).contains("Instance node-a", Reports.id(1));
        assertThat(byId(overview(report), "discovery-topology").getAttribute("data-title"))
                .isEqualTo("SETTLED · node-a – Topology");
        TopologyReport ofACopy = Records.with(report, "names", InstanceNames.of(Map.of(Reports.id(1), "holder")));
        assertThat(first(overview(ofACopy), "dz-name").getTextContent()).contains("node-a");
    }

    @Test
    void whatIsLiveCanBeCountedOnAndKnowsWhereToAsk() throws Exception {
        Document page = overview(Reports.hostile("excluded in"));
        Element countdown = first(page, "dz-countdown");
        assertThat(countdown.getTextContent()).isEqualTo("excluded in 1 s");
        assertThat(countdown.getAttribute("data-at")).isEqualTo(String.valueOf(Reports.NOW + 1));
        assertThat(countdown.getAttribute("data-what")).isEqualTo("excluded in");
        assertThat(first(overview(REPORTS.get("waiting")), "dz-tick").getAttribute("data-since"))
                .isEqualTo(String.valueOf(Reports.NOW - 185_000));
        Element root = byId(page, "discovery-topology");
        assertThat(root.getAttribute("data-content")).isEqualTo("/system/console/topology.content");
        assertThat(root.getAttribute("data-live")).isEqualTo("true");
        assertThat(byId(Pages.tree(Reports.tree()), "discovery-topology").getAttribute("data-live"))
                .isEqualTo("false");
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void everyStateIsShownByWordShapeAndColour(State state) throws Exception {
        Element status = first(overview(Reports.in(state, "What is being waited for.")), "dz-status");
        Look shown = Look.of(state);
        assertThat(status.getAttribute("class")).contains("dz-" + shown.tone());
        assertThat(status.getTextContent()).contains(shown.word(), "What is being waited for.");
        assertThat(status.getElementsByTagName("path").getLength()).isEqualTo(1);
    }

    @Test
    void connectorsTellTheirStateTheLastExchangeAndTheNextPing() throws Exception {
        Document page = Pages.connectors(RemoteReports.sample());
        List<String> outgoing = rows(first(page, "dz-outgoing"));
        assertThat(outgoing).hasSize(5);
        assertThat(outgoing.get(0))
                .contains("https://far-1.example:8443/", "or https://far-1.fallback.example:8443/", "peer far-2-1")
                .contains("connected for 10 min", "accepted", "(12 s ago)", "(in 18 s)", "kept until 2026-11-21");
        assertThat(outgoing.get(2)).contains("failing for 10 min", "connection refused", "none yet");
        assertThat(rows(first(page, "dz-incoming")).get(0)).contains("far-3-1", "asked to wait 2 min 30 s");
        assertThat(rows(first(page, "dz-refusals")).get(0)).contains("198.51.100.9", "404", "1204");
        assertThat(rows(first(page, "dz-remotes"))).hasSize(4);
        assertThat(hrefs(page))
                .contains(
                        "/system/console/topology/" + RemoteReports.id(4, 6),
                        "/system/console/topology?show=connectors");
    }

    @Test
    void withoutTheServiceThePageSaysWhatToDo() throws Exception {
        Document page = Markup.parse(Pages.source(OverviewPage.inactive()));
        assertThat(text(page)).contains("The discovery service is not active", "start what is not active");
        assertThat(hrefs(page)).contains("/system/console/bundles", "/system/console/configMgr");
    }

    @Test
    void anInstanceHasItsFactsAndItsPropertiesSorted() throws Exception {
        Document page = instance(Reports.alone(Map.of("b", "2", "a", "1", "empty", "")), Reports.id(1));
        assertThat(rows(byId(page, "dz-properties"))).containsExactly("a1", "b2", "emptyempty");
        assertThat(text(page)).contains("m-0000000001", "/opt/1", "0x100004d3f2a0001", "leader");
        Document remote = instance(RemoteReports.sample(), RemoteReports.id(4, 1));
        assertThat(byId(remote, "dz-facts").getTextContent())
                .contains("Cluster" + RemoteReports.clusterId(4), "1 of 6", "settled", "How knownannounced through")
                .doesNotContain("Host", "Session", "Started", "Working directory");
    }

    @Test
    void anInstanceHasItsPast() throws Exception {
        TopologyReport gone =
                Reports.with(Reports.settled(2), Reports.withHistory(3, 8).history());
        assertThat(byId(instance(gone, Reports.id(3)), "dz-past").getTextContent())
                .contains("View 1,");
    }

    @ParameterizedTest
    @CsvSource({
        "404, settled, nobody, No instance nobody in the view",
        "404, settled, nobody, It may have left the topology",
        "200, refused, a3f0c1d2-0000-4000-8000-000000000002, This is what is known of it",
        "200, refused, a3f0c1d2-0000-4000-8000-000000000002, already runs on host-1",
        "200, changing, a3f0c1d2-0000-4000-8000-000000000007, did not acknowledge in time",
        "200, changing, a3f0c1d2-0000-4000-8000-000000000008, its session ended"
    })
    void anInstanceThatIsNotInTheViewIsExplained(int status, String report, String id, String words) throws Exception {
        Document page = instance(REPORTS.get(report), id);
        assertThat(text(page)).contains(words);
        assertThat(InstancePage.of(REPORTS.get(report), id).status()).isEqualTo(status);
        assertThat(hrefs(page)).contains("/system/console/topology");
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void formsAreOfferedOnlyWhereTheyCanAct(State state) throws Exception {
        TopologyReport report = Reports.in(state, "x");
        Document local = Pages.asOperator(InstancePage.of(report, Reports.id(2)));
        Document other = Pages.asOperator(InstancePage.of(report, Reports.id(1)));
        assertThat(hasId(local, "dz-step-down"))
                .isEqualTo(Set.of(State.SETTLED, State.CHANGING).contains(state));
        assertThat(hasId(other, "dz-evict"))
                .isEqualTo(Set.of(State.SETTLED, State.CHANGING, State.JOINING, State.REFUSED)
                        .contains(state));
        assertThat(hasId(other, "dz-step-down") || hasId(local, "dz-evict")).isFalse();
        assertThat(hasId(instance(report, Reports.id(2)), "dz-step-down"))
                .as("without a token")
                .isFalse();
    }

    @Test
    void aFormSendsWhatTheActionNeedsAndSaysWhatItLeadsTo() throws Exception {
        Document local = Pages.asOperator(InstancePage.of(Reports.changing(), Reports.id(2)));
        assertThat(fields(byId(local, "dz-step-down")))
                .isEqualTo(Map.of("action", "stepdown", "token", "a-token", "instance", Reports.id(2)));
        assertThat(byId(local, "dz-notice").getTextContent()).isEqualTo("What was done.");
        Document other = Pages.asOperator(InstancePage.of(Reports.settled(3), Reports.id(1)));
        assertThat(fields(byId(other, "dz-evict")))
                .isEqualTo(Map.of(
                        "action", "evict", "token", "a-token", "instance", Reports.id(1), "target", "m-0000000001"));
    }

    @Test
    void anInstanceThatIsGoneCanBeDismissedAndOneThatIsOutsideCannot() throws Exception {
        TopologyReport report = Reports.settled(3);
        report = Records.with(report, "recentlyLeft", Reports.changing().recentlyLeft());
        String gone = report.recentlyLeft().get(0).id();
        Document page = Pages.asOperator(InstancePage.of(report, gone));
        assertThat(fields(byId(page, "dz-evict")))
                .isEqualTo(Map.of("action", "evict", "token", "a-token", "instance", gone, "target", gone));
        TopologyReport outside = Records.with(report, "outsiders", report.recentlyLeft());
        outside = Records.with(outside, "recentlyLeft", List.of());
        assertThat(hasId(Pages.asOperator(InstancePage.of(outside, gone)), "dz-evict"))
                .isFalse();
    }

    private static Map<String, String> fields(Element form) {
        return elements(form, "input").stream()
                .collect(Collectors.toMap(input -> input.getAttribute("name"), input -> input.getAttribute("value")));
    }

    @Test
    void theTreeHasNodesBelowTheirParents() throws Exception {
        String members = "/sling/discovery/clusters/main/members";
        Document page = Pages.tree(Reports.tree());
        assertThat(text(page)).contains("7 nodes", "more nodes than are read in one request");
        assertThat(elements(node(page, members), "li"))
                .extracting(node -> node.getAttribute("data-path"))
                .containsExactly(members + "/m-1", members + "/m-2");
        assertThat(node(page, members + "/m-1").getTextContent())
                .contains("member", "0x100004d3f2a0001", "123 bytes", "0x2a", "5 s ago")
                .contains("properties.p1", "value 1", "properties.p60");
        assertThat(node(page, members + "/m-2").getTextContent())
                .contains("unreadable", "This is no record: it does not begin with a format number.");
    }

    private static Element node(Document page, String path) {
        return elements(page.getDocumentElement(), "li").stream()
                .filter(node -> node.getAttribute("data-path").equals(path))
                .findFirst()
                .orElseThrow();
    }
}
