// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ComparisonPageTest {

    @Test
    void rowsThatDifferAreMarked() throws Exception {
        Document page = page(Reports.id(1), Reports.id(2), false);
        List<String> marked = Markup.withClass(page, "dz-differs").stream()
                .map(Element::getTextContent)
                .toList();
        assertThat(marked)
                .containsExactly("color differsredblue", "only.left differs1absent", "only.right differsabsentempty");
        assertThat(Markup.rows(Markup.byId(page, "dz-comparison"))).hasSize(4).contains("sizelargelarge");
        assertThat(Markup.text(page)).contains("3 of 4 properties differ");
    }

    @Test
    void equalOnesAreLeftOutOnDemand() throws Exception {
        Document page = page(Reports.id(1), Reports.id(2), true);
        assertThat(Markup.rows(Markup.byId(page, "dz-comparison"))).hasSize(3);
        assertThat(Markup.text(page(Reports.id(1), Reports.id(1), true))).contains("All 3 properties are equal");
    }

    @Test
    void theSecondIsChosenOnThePage() throws Exception {
        Document page = page(Reports.id(1), "", false);
        assertThat(Markup.text(page)).contains("Choose two instances.");
        assertThat(Markup.elements(Markup.byId(page, "dz-in-compare"), "option"))
                .filteredOn(option -> option.hasAttribute("selected"))
                .extracting(option -> option.getAttribute("value"))
                .containsExactly(Reports.id(1));
        assertThat(Markup.text(page(Reports.id(1), "nobody", false))).contains("The view has no instance nobody.");
    }

    private static Document page(String first, String second, boolean onlyDifferences) throws Exception {
        TopologyReport settled = Reports.settled(2);
        Cluster cluster = new Cluster(
                "c",
                true,
                List.of(
                        Reports.instance(1, false, Map.of("color", "red", "size", "large", "only.left", "1")),
                        Reports.instance(2, true, Map.of("color", "blue", "size", "large", "only.right", ""))));
        StringBuilder out = new StringBuilder();
        new HtmlRenderer("/system/console", ZoneOffset.UTC)
                .comparison(settled.with(List.of(cluster), History.UNREAD), first, second, onlyDifferences, out);
        return Markup.parse(out);
    }
}
