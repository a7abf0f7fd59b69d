// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import java.util.List;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.page.HtmlRenderer;
import org.apache.sling.discovery.webconsole.testing.Markup;
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
        assertThat(nodes.get(0).getAttribute("aria-label")).endsWith("1 of 3, leader");
        assertThat(nodes.get(1).getAttribute("aria-label")).endsWith("2 of 3, member, this instance");
    }

    @Test
    void whatIsNotCurrentHasAnotherColourAnotherShapeAndSaysSo() throws Exception {
        Element current = nodes(Reports.settled(3)).get(2);
        Element changing =
                nodes(Reports.in(TopologyReport.State.CHANGING, "Waiting.")).get(2);
        assertThat(current.getAttribute("class")).contains("dz-good");
        assertThat(changing.getAttribute("class")).contains("dz-busy");
        assertThat(shape(changing)).isNotEqualTo(shape(current));
        assertThat(changing.getAttribute("aria-label")).endsWith("not current");
    }

    @Test
    void outsidersStandApart() throws Exception {
        Document page = page(Reports.before(TopologyReport.State.REFUSED, "Refused."));
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
        assertThat(node.getAttribute("title")).hasSize(1_008);
    }

    private static String shape(Element node) {
        return Markup.elements(node, "path").get(0).getAttribute("d");
    }

    private static boolean has(Element node, String styleClass) {
        return Markup.elements(node, "path").stream()
                .anyMatch(path -> path.getAttribute("class").equals(styleClass));
    }

    private static List<Element> nodes(TopologyReport report) throws Exception {
        return Markup.withClass(page(report), "dz-node").stream()
                .filter(node -> !node.getAttribute("data-role").equals("outsider"))
                .toList();
    }

    private static Document page(TopologyReport report) throws Exception {
        StringBuilder out = new StringBuilder();
        new HtmlRenderer("/system/console", ZoneOffset.UTC).overview(report, out);
        return Markup.parse(out);
    }
}
