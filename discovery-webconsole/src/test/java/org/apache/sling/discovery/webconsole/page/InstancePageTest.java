// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Pages;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class InstancePageTest {
    @Test
    void whatChangedLastIsThatOfTheInstance() throws Exception {
        Document one = Pages.instance(Reports.settled(3), Reports.id(1));
        assertThat(Markup.rows(Markup.byId(one, "dz-property-changes")))
                .singleElement()
                .asString()
                .contains("color", "red", "blue", "1 min ago");
        Document two = Pages.instance(Reports.settled(3), Reports.id(2));
        assertThat(Markup.byId(two, "dz-property-changes").getTextContent()).contains("No property has changed");
    }

    @Test
    void thePastIsToldAlsoOfWhoHasGone() throws Exception {
        TopologyReport gone =
                Reports.with(Reports.settled(2), Reports.withHistory(3, 8).history());
        Document page = Pages.instance(gone, Reports.id(3));
        assertThat(Markup.text(page)).contains("No instance " + Reports.id(3) + " in the view");
        assertThat(Markup.byId(page, "dz-past").getTextContent()).contains("View 1,");
    }

    @Test
    void theLocalOneCanStandDownAndOthersCanBeEvicted() throws Exception {
        Document local = asOperator(Reports.settled(3), Reports.id(2));
        assertThat(fields(Markup.byId(local, "dz-stand-down")))
                .isEqualTo(Map.of("action", "standdown", "token", "a-token", "instance", Reports.id(2)));
        assertThat(Markup.hasId(local, "dz-evict")).isFalse();
        Document other = asOperator(Reports.settled(3), Reports.id(1));
        assertThat(fields(Markup.byId(other, "dz-evict")))
                .isEqualTo(Map.of(
                        "action", "evict", "token", "a-token", "instance", Reports.id(1), "target", "m-0000000001"));
        assertThat(Markup.hasId(other, "dz-stand-down")).isFalse();
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void formsAreOfferedOnlyWhereTheyCanAct(State state) throws Exception {
        TopologyReport report = Reports.in(state, "x");
        assertThat(Markup.hasId(asOperator(report, Reports.id(2)), "dz-stand-down"))
                .isEqualTo(Set.of(State.SETTLED, State.CHANGING).contains(state));
        assertThat(Markup.hasId(asOperator(report, Reports.id(1)), "dz-evict"))
                .isEqualTo(Set.of(State.SETTLED, State.CHANGING, State.JOINING, State.REFUSED)
                        .contains(state));
    }

    @Test
    void whatStandingDownLeadsToIsSaidBefore() throws Exception {
        Document page = Markup.parse(Pages.renderer(Pages.OPERATOR).overview(Reports.changing()));
        assertThat(Markup.byId(page, "dz-stand-down").getTextContent())
                .contains("if this instance stops, publish-1 (a3f0c1d2) stays the leader");
    }

    @Test
    void whatWasDoneIsSaidOnTop() throws Exception {
        Document page = asOperator(Reports.settled(3), Reports.id(2));
        assertThat(Markup.byId(page, "dz-notice").getTextContent()).isEqualTo("What was done.");
    }

    @Test
    void aPublishedConsoleIsALinkThatTellsNothing() throws Exception {
        Document page = Pages.instance(
                Reports.alone(Map.of("org.apache.sling.instance.endpoints", "http://host.example:8080/system/console")),
                Reports.id(1));
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

    private static Document asOperator(TopologyReport report, String id) throws Exception {
        return Markup.parse(Pages.renderer(Pages.OPERATOR).instance(report, id));
    }
}
