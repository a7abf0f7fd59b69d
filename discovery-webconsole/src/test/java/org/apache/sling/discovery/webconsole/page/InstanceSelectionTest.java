// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class InstanceSelectionTest {

    @Test
    void theTableIsSortedByAColumnAndBack() throws Exception {
        assertThat(ids(Map.of())).startsWith(Reports.id(1), Reports.id(2));
        assertThat(ids(Map.of("sort", "-position"))).startsWith(Reports.id(12), Reports.id(11));
        assertThat(ids(Map.of("sort", "host")))
                .as("host-1, host-10, host-11, host-12, host-2")
                .startsWith(Reports.id(1), Reports.id(10), Reports.id(11), Reports.id(12), Reports.id(2));
        assertThat(ids(Map.of("sort", "joined"))).startsWith(Reports.id(12), Reports.id(11));
        assertThat(ids(Map.of("sort", "-joined"))).startsWith(Reports.id(1), Reports.id(2));
    }

    @Test
    void theTableIsSearched() throws Exception {
        assertThat(ids(Map.of("q", "HOST-11"))).containsExactly(Reports.id(11));
        assertThat(ids(Map.of("q", "4712"))).containsExactly(Reports.id(2));
        assertThat(ids(Map.of("q", "0012"))).containsExactly(Reports.id(12));
        Document page = page(Map.of("q", "host-11"));
        assertThat(Markup.byId(page, "dz-instances").getTextContent()).contains("1 of 12 match.");
        assertThat(Markup.byId(page, "dz-find").getAttribute("value")).isEqualTo("host-11");
        assertThat(ids(Map.of("q", "nothing"))).isEmpty();
    }

    @Test
    void aHeadingSortsAndKeepsTheSearch() throws Exception {
        Document page = page(Map.of("q", "a b", "sort", "host"));
        List<Element> headings = Markup.elements(Markup.byId(page, "dz-instances"), "th");
        Element host = headings.stream()
                .filter(heading -> heading.getTextContent().equals("Host, process"))
                .findFirst()
                .orElseThrow();
        assertThat(host.getAttribute("aria-sort")).isEqualTo("ascending");
        assertThat(Markup.elements(host, "a").get(0).getAttribute("href"))
                .isEqualTo("/system/console/topology?q=a%20b&sort=-host#dz-instances");
    }

    @Test
    void anUnknownColumnIsAnError() {
        assertThatExceptionOfType(InvalidParameter.class)
                .isThrownBy(() -> InstanceSelection.of(Map.of("sort", "size")::get))
                .withMessageContaining("the table has no such column");
    }

    @Test
    void aSmallTableHasNoForm() throws Exception {
        StringBuilder out = new StringBuilder();
        new HtmlRenderer("/system/console", ZoneOffset.UTC).overview(Reports.settled(3), out);
        assertThat(out.toString()).doesNotContain("dz-find\"");
    }

    private static List<String> ids(Map<String, String> parameters) throws Exception {
        Element section = Markup.byId(page(parameters), "dz-instances");
        return Markup.elements(section, "tr").stream()
                .filter(row -> row.hasAttribute("data-id"))
                .map(row -> row.getAttribute("data-id"))
                .toList();
    }

    private static Document page(Map<String, String> parameters) throws Exception {
        StringBuilder out = new StringBuilder();
        new HtmlRenderer("/system/console", ZoneOffset.UTC)
                .overview(Reports.settled(12), InstanceSelection.of(parameters::get), out);
        return Markup.parse(out);
    }
}
