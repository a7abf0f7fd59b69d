// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.format.Look;
import org.apache.sling.discovery.webconsole.section.ConnectorSections;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Pages;
import org.apache.sling.discovery.webconsole.testing.RemoteReports;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ConnectorsSectionTest {

    @Test
    void whereThereIsNothingOneSentenceSaysHowToConfigureConnectors() throws Exception {
        Element section = section(Reports.settled(3));
        assertThat(section.getTextContent().strip())
                .isEqualTo("Connectors and remote clusters\n" + ConnectorSections.UNCONFIGURED);
        assertThat(Markup.hasId(Pages.overview(Reports.settled(3)), "dz-others-count"))
                .isFalse();
    }

    @Test
    void remoteClustersAreListedWithTheirLeaderAndTheWay() throws Exception {
        List<String> rows = rows("dz-remotes");
        assertThat(rows).hasSize(4);
        assertThat(rows.get(0)).contains(RemoteReports.clusterId(1), "far-1-1", "far-1-2", "in the same store");
        assertThat(rows.get(1))
                .contains(
                        "far-2-1 b0010002, far-2-2 b0020002, far-2-3 b0030002",
                        "announced through a3f0c1d2 \u2190 far-2-1");
        assertThat(rows.get(3))
                .contains(
                        "6 instances", "far-4-6", "announced through a3f0c1d2 \u2190 far-2-1 b0010002 \u2190 far-4-1");
        assertThat(Markup.hrefs(Pages.overview(RemoteReports.sample())))
                .contains(
                        "/system/console/topology/" + RemoteReports.id(4, 6), "/system/console/topology#dz-connectors");
    }

    @Test
    void thePictureOnTopShowsTheOwnClusterAndCountsTheOthers() throws Exception {
        Element picture = Markup.byId(Pages.overview(RemoteReports.sample()), "dz-picture");
        assertThat(picture.getTextContent())
                .contains("The topology has 4 other clusters.")
                .doesNotContain("far-");
    }

    @Test
    void connectorsTellTheirStateTheLastExchangeAndTheNextPing() throws Exception {
        List<String> rows = rows("dz-outgoing");
        assertThat(rows).hasSize(5);
        assertThat(rows.get(0))
                .contains("https://far-1.example:8443/", "or https://far-1.fallback.example:8443/", "peer far-2-1")
                .contains(
                        "connected for 10 min", "accepted", "(12 s ago)", "(in 18 s)", "kept until 2026-11-21 10:01:48")
                .contains("120 requests, 1 failed, 48.6 kB sent, 1.2 MB received");
        assertThat(rows.get(2)).contains("failing for 10 min", "connection refused", "none yet");
        assertThat(rows.get(4)).contains("stopped", "leads back to this instance", "none");
        assertThat(rows("dz-incoming"))
                .singleElement()
                .asString()
                .contains("far-3-1", "at 192.0.2.17, says far-3.example:8080", "asked to wait 2 min 30 s", "(4 s ago)");
        assertThat(rows("dz-refusals"))
                .singleElement()
                .asString()
                .contains("198.51.100.9", "404", "the signature of the announcement is not right", "1204", "(2 s ago)");
        assertThat(section(RemoteReports.sample()).getTextContent())
                .contains("Peers connect at /libs/sling/topology/connector.");
        assertThat(Markup.byId(Pages.overview(RemoteReports.sample()), "dz-problems")
                        .getTextContent())
                .contains("connector to http://broken.example:8080/ has been failing for 600 s: connection refused");
    }

    @Test
    void nothingThatIsUnknownIsShownAsIfItWereKnown() throws Exception {
        for (Document page : List.of(Pages.overview(RemoteReports.sample()), instance(RemoteReports.id(2, 1)))) {
            assertThat(Markup.text(page)).doesNotContain("1970", "pid 0", "pid unknown", "timeout 0");
        }
        assertThat(section(RemoteReports.sample()).getTextContent()).doesNotContain("unknown");
    }

    @Test
    void anInstanceOfAnotherClusterHasItsPage() throws Exception {
        Document page = instance(RemoteReports.id(4, 1));
        assertThat(Markup.byId(page, "dz-facts").getTextContent())
                .contains("Cluster" + RemoteReports.clusterId(4), "1 of 6", "settled")
                .contains("How knownannounced through a3f0c1d2 \u2190 far-2-1 b0010002 \u2190 far-4-1")
                .doesNotContain("Host", "Session", "Started", "Working directory");
        assertThat(Markup.rows(Markup.byId(page, "dz-properties"))).anyMatch(row -> row.contains("eu-north-1"));
        assertThat(Markup.hasId(page, "dz-evict")).isFalse();
    }

    @Test
    void withoutAServletContainerNoPathIsOffered() throws Exception {
        ConnectorReport bare = new ConnectorReport(true, Optional.empty(), List.of(), List.of(), List.of(), 0);
        assertThat(section(RemoteReports.with(Reports.settled(1), List.of(), bare))
                        .getTextContent())
                .contains("The configuration has no URLs of connectors.")
                .contains("No servlet container offers the path at which peers connect.")
                .doesNotContain("Refused");
    }

    @ParameterizedTest
    @EnumSource(ConnectorReport.State.class)
    void eachStateHasAWordAndASignOfItsOwn(ConnectorReport.State state) {
        for (ConnectorReport.State other : ConnectorReport.State.values()) {
            if (other != state) {
                assertThat(Look.of(other).word()).isNotEqualTo(Look.of(state).word());
                assertThat(Look.of(other).sign()).isNotEqualTo(Look.of(state).sign());
            }
        }
    }

    @Test
    void textsOfPeersAreCut() throws Exception {
        String text = "x".repeat(100_000);
        int whole = Pages.overview(RemoteReports.hostile(text))
                .getDocumentElement()
                .getTextContent()
                .length();
        int without = Pages.overview(RemoteReports.with(Reports.hostile(text), List.of(), ConnectorReport.NONE))
                .getDocumentElement()
                .getTextContent()
                .length();
        assertThat(whole - without)
                .as("characters for the other cluster and the connectors")
                .isLessThan(10_000);
    }

    private static List<String> rows(String styleClass) throws Exception {
        return Markup.rows(Markup.first(Pages.overview(RemoteReports.sample()), styleClass));
    }

    private static Element section(TopologyReport report) throws Exception {
        return Markup.byId(Pages.overview(report), "dz-connectors");
    }

    private static Document instance(String id) throws Exception {
        return Pages.instance(RemoteReports.sample(), id);
    }
}
