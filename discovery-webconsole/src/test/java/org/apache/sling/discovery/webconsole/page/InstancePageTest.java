// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class InstancePageTest {
    private static final PageContext OPERATOR = new PageContext(Optional.of("a-token"), Optional.of("What was done."));

    @Test
    void whatChangedLastIsThatOfTheInstance() throws Exception {
        Document one = page(Reports.settled(3), Reports.id(1), PageContext.READ_ONLY);
        assertThat(Markup.rows(Markup.byId(one, "dz-property-changes")))
                .singleElement()
                .asString()
                .contains("color", "red", "blue", "1 min ago");
        Document two = page(Reports.settled(3), Reports.id(2), PageContext.READ_ONLY);
        assertThat(Markup.byId(two, "dz-property-changes").getTextContent()).contains("No property has changed");
    }

    @Test
    void thePastIsToldAlsoOfWhoHasGone() throws Exception {
        TopologyReport gone =
                Reports.with(Reports.settled(2), Reports.withHistory(3, 8).history());
        Document page = page(gone, Reports.id(3), PageContext.READ_ONLY);
        assertThat(Markup.text(page)).contains("No instance " + Reports.id(3) + " in the view");
        assertThat(Markup.byId(page, "dz-past").getTextContent()).contains("View 1,");
    }

    @Test
    void theLocalOneCanStandDownAndOthersCanBeEvicted() throws Exception {
        Document local = page(Reports.settled(3), Reports.id(2), OPERATOR);
        assertThat(fields(Markup.byId(local, "dz-stand-down")))
                .isEqualTo(Map.of("action", "standdown", "token", "a-token", "instance", Reports.id(2)));
        assertThat(Markup.hasId(local, "dz-evict")).isFalse();
        Document other = page(Reports.settled(3), Reports.id(1), OPERATOR);
        assertThat(fields(Markup.byId(other, "dz-evict")))
                .isEqualTo(Map.of(
                        "action", "evict", "token", "a-token", "instance", Reports.id(1), "target", "m-0000000001"));
        assertThat(Markup.hasId(other, "dz-stand-down")).isFalse();
    }

    @Test
    void whatWasDoneIsSaidOnTop() throws Exception {
        Document page = page(Reports.settled(3), Reports.id(2), OPERATOR);
        assertThat(Markup.byId(page, "dz-notice").getTextContent()).isEqualTo("What was done.");
    }

    @Test
    void aPublishedConsoleIsALinkThatTellsNothing() throws Exception {
        Document page = page(Reports.hostile("host.example:8080/system/console"), "host.example:8080/system/console");
        Element link = Markup.elements(page.getDocumentElement(), "a").stream()
                .filter(a -> a.getAttribute("href").startsWith("http"))
                .findFirst()
                .orElseThrow();
        assertThat(link.getAttribute("href")).isEqualTo("http://host.example:8080/system/console/topology");
        assertThat(link.getAttribute("rel")).isEqualTo("noopener noreferrer");
    }

    private static Map<String, String> fields(Element form) {
        return Markup.elements(form, "input").stream()
                .collect(Collectors.toMap(input -> input.getAttribute("name"), input -> input.getAttribute("value")));
    }

    private static Document page(TopologyReport report, String id) throws Exception {
        return page(report, id, PageContext.READ_ONLY);
    }

    private static Document page(TopologyReport report, String id, PageContext visit) throws Exception {
        StringBuilder out = new StringBuilder();
        new HtmlRenderer("/system/console", ZoneOffset.UTC, visit).instance(report, id, out);
        return Markup.parse(out);
    }
}
