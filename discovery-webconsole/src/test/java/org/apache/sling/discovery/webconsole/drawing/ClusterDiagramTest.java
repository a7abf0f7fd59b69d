// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Pages;
import org.apache.sling.discovery.webconsole.testing.RemoteReports;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

class ClusterDiagramTest {

    @Test
    void withoutAnotherClusterThereIsNoMap() throws Exception {
        assertThat(Markup.hasId(Pages.overview(Reports.settled(3)), "dz-clusters"))
                .isFalse();
        assertThat(Markup.hasId(Pages.overview(RemoteReports.spokes(1)), "dz-clusters"))
                .isTrue();
    }

    @Test
    void eachClusterLeadsToTheOneFromWhichItsAnnouncementCame() throws Exception {
        assertThat(ways(RemoteReports.sample()))
                .containsExactlyInAnyOrder(
                        "c0000002 to 5d0f2f5e",
                        "c0000003 to 5d0f2f5e",
                        "c0000004 to c0000002",
                        "broken.example:8080/ to 5d0f2f5e",
                        "new.example:8080/ to 5d0f2f5e",
                        "self.example:8080/ to 5d0f2f5e");
        assertThat(boxes(RemoteReports.sample()))
                .extracting(Element::getTextContent)
                .contains("5d0f2f5ethis cluster, 3 instances", "c00000023 instances, far-2-1");
    }

    @Test
    void clustersOfOneStoreHaveAFrame() throws Exception {
        assertThat(Markup.withClass(Pages.overview(RemoteReports.sample()), "dz-store"))
                .hasSize(1);
        assertThat(Markup.withClass(Pages.overview(RemoteReports.spokes(3)), "dz-store"))
                .isEmpty();
    }

    @Test
    void aConnectorThatLeadsToNoClusterIsDrawnInItsState() throws Exception {
        assertThat(boxes(RemoteReports.sample()).stream()
                        .filter(box -> box.getAttribute("class").contains("dz-apart-box"))
                        .map(box -> box.getAttribute("class").replaceAll(".* ", "") + " " + name(box)))
                .containsExactly(
                        "dz-bad broken.example:8080/", "dz-busy new.example:8080/", "dz-off self.example:8080/");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0", "13, 13, 0", "50, 13, 37", "1000, 13, 987"})
    void theMapIsBounded(int spokes, int drawn, int more) throws Exception {
        TopologyReport report = RemoteReports.spokes(spokes);
        assertThat(boxes(report)).hasSize(1 + drawn);
        String map = Markup.byId(Pages.overview(report), "dz-clusters").getTextContent();
        assertThat(map.contains(more + " more clusters in the table below")).isEqualTo(more > 0);
    }

    @Test
    void waysThatContradictEachOtherAreDrawnToo() throws Exception {
        TopologyReport loop = RemoteReports.with(
                Reports.settled(1),
                List.of(
                        RemoteReports.cluster(1, 1, List.of(RemoteReports.id(2, 1), RemoteReports.id(1, 1))),
                        RemoteReports.cluster(2, 1, List.of(RemoteReports.id(1, 1), RemoteReports.id(2, 1))),
                        RemoteReports.cluster(3, 1, List.of("unknown", "gone"))),
                ConnectorReport.NONE);
        assertThat(boxes(loop)).hasSize(4);
        assertThat(ways(loop)).hasSize(3);
    }

    @Test
    void aLongNameIsShortenedAndInTheTitle() throws Exception {
        String id = "production-" + "<script>".repeat(200);
        TopologyReport report = RemoteReports.with(
                Reports.settled(1),
                List.of(new Cluster(
                        id, false, RemoteReports.cluster(1, 1, List.of()).instances(), List.of())),
                ConnectorReport.NONE);
        Element box = boxes(report).get(1);
        assertThat(name(box)).startsWith("production-").hasSizeLessThan(22);
        assertThat(box.getAttribute("title"))
                .startsWith("Cluster production-<script>")
                .hasSizeLessThan(400);
    }

    private static String name(Element box) {
        return box.getFirstChild().getTextContent();
    }

    private static List<Element> boxes(TopologyReport report) throws Exception {
        return Markup.withClass(Pages.overview(report), "dz-box");
    }

    /** Returns which box is to the right of which. */
    private static List<String> ways(TopologyReport report) throws Exception {
        return boxes(report).stream()
                .filter(box -> !box.getParentNode()
                        .getParentNode()
                        .getParentNode()
                        .getNodeName()
                        .equals("div"))
                .map(box -> name(box) + " to "
                        + name((Element) box.getParentNode()
                                .getParentNode()
                                .getParentNode()
                                .getFirstChild()))
                .toList();
    }
}
