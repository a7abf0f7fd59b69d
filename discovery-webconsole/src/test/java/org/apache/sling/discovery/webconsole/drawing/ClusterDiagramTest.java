// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.webconsole.page.HtmlRenderer;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.RemoteReports;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ClusterDiagramTest {

    @Test
    void withoutAnotherClusterThereIsNoMap() throws Exception {
        assertThat(Markup.hasId(page(Reports.settled(3)), "dz-clusters")).isFalse();
        assertThat(Markup.hasId(page(RemoteReports.spokes(1)), "dz-clusters")).isTrue();
    }

    @Test
    void eachClusterLeadsToTheOneFromWhichItsAnnouncementCame() throws Exception {
        List<Element> boxes = boxes(RemoteReports.sample());
        Map<String, String> names =
                boxes.stream().collect(Collectors.toMap(box -> box.getAttribute("data-box"), ClusterDiagramTest::name));
        assertThat(ways(RemoteReports.sample(), "dz-way").stream()
                        .map(way -> names.get(way.getAttribute("data-from")) + " to "
                                + names.get(way.getAttribute("data-to"))))
                .containsExactlyInAnyOrder("c0000002 to 5d0f2f5e", "c0000003 to 5d0f2f5e", "c0000004 to c0000002");
        assertThat(boxes.get(0).getTextContent()).contains("this cluster, 3 instances");
        assertThat(boxes.get(1).getTextContent())
                .contains("c0000002", "3 instances, far-2-1", "announced through " + Reports.id(2) + ", far-2-1");
    }

    @Test
    void clustersOfOneStoreHaveAFrameAndNoArrow() throws Exception {
        Document page = page(RemoteReports.sample());
        assertThat(Markup.withClass(page, "dz-store"))
                .as("the frame and its key")
                .hasSize(2);
        assertThat(Markup.withClass(page(RemoteReports.spokes(3)), "dz-store")).isEmpty();
        assertThat(Markup.byId(page, "dz-connectors").getTextContent()).contains("clusters in one store");
    }

    @Test
    void aConnectorThatLeadsToNoClusterIsDrawnInItsState() throws Exception {
        assertThat(boxes(RemoteReports.sample()).stream()
                        .filter(box -> box.getAttribute("class").contains("dz-apart-box"))
                        .map(box -> box.getAttribute("class").replaceAll(".* ", "") + " " + name(box)))
                .containsExactly(
                        "dz-bad broken.example:8080/", "dz-busy new.example:8080/", "dz-off self.example:8080/");
        assertThat(ways(RemoteReports.sample(), "dz-way dz-unanswered")).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0", "3, 3, 0", "10, 10, 0", "13, 13, 0", "50, 13, 37", "1000, 13, 987"})
    void theMapIsBounded(int spokes, int drawn, int more) throws Exception {
        TopologyReport report = RemoteReports.spokes(spokes);
        List<Element> boxes = boxes(report);
        assertThat(boxes).hasSize(1 + drawn + (more > 0 ? 1 : 0));
        if (more > 0) {
            assertThat(name(boxes.get(boxes.size() - 1))).isEqualTo(more + " more clusters");
        }
        Element map = (Element) Markup.byId(page(report), "dz-clusters").getFirstChild();
        assertThat(Integer.parseInt(map.getAttribute("width"))).isLessThan(352);
        assertThat(Integer.parseInt(map.getAttribute("height"))).isLessThan(50 * boxes.size() + 20);
        assertThat(map.getAttribute("aria-label"))
                .startsWith("This cluster and " + spokes + (spokes == 1 ? " other cluster," : " other clusters,"));
    }

    @Test
    void noTwoBoxesAreInOnePlace() throws Exception {
        for (TopologyReport report : List.of(RemoteReports.sample(), manySiblings(), RemoteReports.spokes(50))) {
            assertThat(boxes(report).stream().map(box -> box.getAttribute("x") + " " + box.getAttribute("y")))
                    .doesNotHaveDuplicates();
        }
        assertThat(boxes(manySiblings()))
                .hasSize(16)
                .extracting(ClusterDiagramTest::name)
                .contains("1 more cluster", "26 more clusters");
    }

    private static TopologyReport manySiblings() {
        List<Cluster> all = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            boolean behind = i == 3;
            all.add(RemoteReports.cluster(
                    i, 1, behind ? List.of(RemoteReports.id(2, 1), RemoteReports.id(3, 1)) : List.of()));
        }
        return RemoteReports.with(Reports.settled(1), all, ConnectorReport.NONE);
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
        assertThat(ways(loop, "dz-way")).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "<script>", "x"})
    void aLongNameIsShortenedAndInTheTitle(String text) throws Exception {
        String id = "production-" + text.repeat(200);
        TopologyReport report = RemoteReports.with(
                Reports.settled(1),
                List.of(new Cluster(
                        id, false, RemoteReports.cluster(1, 1, List.of()).instances())),
                ConnectorReport.NONE);
        Element box = boxes(report).get(1);
        assertThat(name(box)).startsWith("production-").hasSizeLessThan(22);
        assertThat(Markup.elements(box, "title").get(0).getTextContent())
                .startsWith("Cluster production-" + text)
                .hasSizeLessThan(400);
    }

    private static String name(Element box) {
        return Markup.elements(box, "text").get(0).getTextContent();
    }

    private static List<Element> boxes(TopologyReport report) throws Exception {
        return Markup.withClass(page(report), "dz-map-box");
    }

    /** Returns the lines of the map, without those of its legend. */
    private static List<Element> ways(TopologyReport report, String styleClass) throws Exception {
        return Markup.elements(Markup.byId(page(report), "dz-clusters"), "path").stream()
                .filter(path -> path.getAttribute("class").equals(styleClass))
                .toList();
    }

    private static Document page(TopologyReport report) throws Exception {
        StringBuilder out = new StringBuilder();
        new HtmlRenderer("/system/console", ZoneOffset.UTC).overview(report, out);
        return Markup.parse(out);
    }
}
