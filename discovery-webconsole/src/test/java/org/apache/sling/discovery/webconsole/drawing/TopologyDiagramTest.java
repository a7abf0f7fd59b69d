// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Pages;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class TopologyDiagramTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 20, 50, 200})
    void eachInstanceIsANodeInItsOrder(int size) throws Exception {
        List<Element> nodes = nodes(Reports.settled(size));
        assertThat(nodes).hasSize(size);
        for (int i = 0; i < size; i++) {
            assertThat(nodes.get(i).getAttribute("data-id")).isEqualTo(Reports.id(i + 1));
            assertThat(nodes.get(i).getAttribute("href")).isEqualTo("/system/console/topology/" + Reports.id(i + 1));
            assertThat(nodes.get(i).getElementsByTagName("text").item(0).getTextContent())
                    .isEqualTo(String.valueOf(i + 1));
        }
    }

    @Test
    void theFirstIsCrownedAndThisInstanceIsMarked() throws Exception {
        List<Element> nodes = nodes(Reports.settled(3));
        assertThat(nodes)
                .extracting(node -> node.getAttribute("data-role"))
                .containsExactly("leader", "member", "member");
        assertThat(nodes)
                .extracting(node -> has(node, "dz-crowned"))
                .as("crowned")
                .containsExactly(true, false, false);
        assertThat(nodes).extracting(node -> has(node, "dz-ring")).as("ringed").containsExactly(false, true, false);
        assertThat(nodes.get(0).getTextContent()).endsWith(", 1 of 3, leader");
        assertThat(nodes.get(1).getTextContent()).contains("this instance").endsWith(", 2 of 3");
    }

    @Test
    void eachStateHasItsColourItsShapeAndItsWord() throws Exception {
        List<Element> nodes = nodes(Reports.changing());
        assertThat(nodes)
                .extracting(node -> node.getAttribute("data-state"))
                .containsExactly("GONE", "ACKNOWLEDGED", "AWAITED", "UNKNOWN");
        assertThat(nodes)
                .extracting(node -> node.getAttribute("class"))
                .containsExactly("dz-node dz-off", "dz-node dz-ready dz-here", "dz-node dz-busy", "dz-node dz-off");
        assertThat(nodes.get(0).getTextContent()).contains("author-1", "gone", "its session ended", "was leader");
        assertThat(nodes.get(1).getTextContent()).contains("author-2", "acknowledged");
        assertThat(nodes.get(2).getTextContent()).contains("publish-1", "awaited", "Jobs of bundle com.example.jobs");
        assertThat(nodes.get(3).getTextContent()).contains("publish-2", "unknown");
        assertThat(nodes.stream().map(TopologyDiagramTest::outlines)).doesNotHaveDuplicates();
        assertThat(outlines(nodes(Reports.settled(3)).get(2))).isNotIn(outlines(nodes.get(1)));
    }

    @Test
    void aCrownThatIsNotHeldIsAnotherOne() throws Exception {
        List<Element> nodes = nodes(Reports.changing());
        assertThat(nodes.get(0).getAttribute("data-role")).isEqualTo("was-leader");
        assertThat(has(nodes.get(0), "dz-crowned")).isFalse();
        assertThat(has(nodes.get(0), "dz-crowned dz-former")).isTrue();
    }

    @Test
    void ghostsAndTheLeftOutStandApart() throws Exception {
        Element apart = Markup.byId(Pages.overview(Reports.changing()), "dz-apart");
        assertThat(Markup.elements(apart, "a"))
                .extracting(node -> node.getAttribute("data-state"))
                .containsExactly("JOINING", "REFUSED", "LEFT_OUT", "GONE");
        assertThat(apart.getTextContent()).contains("left out", "Mail of bundle com.example.mail");
    }

    @Test
    void whoIsRefusedSeesTheClusterWell() throws Exception {
        TopologyReport before = Reports.before(TopologyReport.State.REFUSED, "Refused.");
        TopologyReport refused = Reports.withOutsiders(
                before,
                List.of(
                        Reports.outsider(1, false, status(InstanceState.MOVED_ON)),
                        Reports.outsider(2, false, status(InstanceState.MOVED_ON)),
                        Reports.outsider(2, true, status(InstanceState.REFUSED))));
        Document page = Pages.overview(refused);
        assertThat(Markup.elements(Markup.byId(page, "dz-others"), "a"))
                .extracting(node -> node.getAttribute("class"))
                .containsExactly("dz-node dz-good", "dz-node dz-good");
        Element apart = Markup.byId(page, "dz-apart");
        assertThat(Markup.elements(apart, "a"))
                .extracting(node -> node.getAttribute("class"))
                .containsExactly("dz-node dz-bad dz-here");
        assertThat(apart.getTextContent()).contains("refused", "this instance");
    }

    @Test
    void aClusterThatHasLeftAsAWholeDoesNotFillThePicture() throws Exception {
        TopologyReport report = Reports.withOutsiders(
                Reports.settled(1),
                IntStream.rangeClosed(2, 200)
                        .mapToObj(i -> Reports.outsider(i, false, status(InstanceState.JOINING)))
                        .toList());
        Element apart = Markup.byId(Pages.overview(report), "dz-apart");
        assertThat(Markup.elements(apart, "a")).hasSize(16);
        assertThat(apart.getTextContent()).contains("Not drawn: 183 further instances.");
    }

    private static InstanceStatus status(InstanceState state) {
        return InstanceStatus.of(state, OptionalLong.of(Reports.NOW));
    }

    @Test
    void outsidersStandApart() throws Exception {
        Document page = Pages.overview(Reports.before(TopologyReport.State.REFUSED, "Refused."));
        Element apart = Markup.byId(page, "dz-apart");
        Element node = Markup.elements(apart, "a").get(0);
        assertThat(node.getAttribute("data-role")).isEqualTo("outsider");
        assertThat(node.getAttribute("title")).contains("already runs on host-1");
    }

    @Test
    void aLongNameIsShortenedAndWholeInTheTitle() throws Exception {
        Element node =
                nodes(Reports.hostile("begin" + "x".repeat(1_000) + "end")).get(0);
        assertThat(Markup.elements(node, "bdi").get(0).getTextContent())
                .hasSizeLessThan(20)
                .startsWith("begin")
                .contains("…")
                .endsWith("end");
        assertThat(node.getAttribute("title")).startsWith("begin" + "x".repeat(1_000) + "end");
    }

    private static List<String> outlines(Element node) {
        return Markup.elements(node, "path").stream()
                .filter(path -> !path.getAttribute("class").equals("dz-ring"))
                .map(path -> path.getAttribute("d") + path.getAttribute("class"))
                .toList();
    }

    private static boolean has(Element node, String styleClass) {
        return Markup.elements(node, "path").stream()
                .anyMatch(path -> path.getAttribute("class").equals(styleClass));
    }

    private static List<Element> nodes(TopologyReport report) throws Exception {
        return Markup.elements(Markup.first(Pages.overview(report), "dz-group"), "a");
    }
}
