// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.html.Attributes.attr;
import static io.github.discoveryzk.webconsole.testing.Markup.elements;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.testing.Markup;
import io.github.discoveryzk.webconsole.testing.Pages;
import io.github.discoveryzk.webconsole.testing.RemoteReports;
import io.github.discoveryzk.webconsole.testing.Reports;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Texts of unknown origin stay texts, and links stay on this server. */
class HostileTextTest {
    private static final String OWN =
            "/system/console/topology(/[A-Za-z0-9_-]+|\\?(show|instance)=[A-Za-z0-9_.%-]*(&(view=[0-9]+|instance=[A-Za-z0-9_.%+-]*))?)?";

    static List<String> hostile() {
        return List.of(
                "<script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "' onmouseover='alert(1)",
                "]]>--></div></table>",
                "&lt;script&gt;&#60;",
                "${head.title}",
                "javascript:alert(1)",
                "../../bundles",
                "?a=b#c&d",
                "a.b",
                "res",
                "\u202etxt.exe\u202c",
                "👑🏳️‍🌈",
                "\0\u001b[31m\r\n\ud800",
                "x".repeat(100_000));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void noValueBecomesMarkup(String value) throws Exception {
        for (List<TopologyReport> each : List.of(
                List.of(Reports.hostile(value), Reports.hostile("harmless")),
                List.of(RemoteReports.hostile(value), RemoteReports.hostile("harmless")))) {
            Document page = Pages.overview(each.get(0));
            assertThat(Markup.names(page)).isEqualTo(Markup.names(Pages.overview(each.get(1))));
            assertThat(Markup.hrefs(page)).allMatch(href -> href.matches(OWN));
            Document local = Pages.local(each.get(0));
            assertThat(Markup.names(local)).isEqualTo(Markup.names(Pages.local(each.get(1))));
            assertThat(Markup.hrefs(local)).allMatch(href -> href.matches(OWN));
            assertThat(Markup.names(Pages.connectors(each.get(0))))
                    .isEqualTo(Markup.names(Pages.connectors(each.get(1))));
            assertThat(Pages.source(Pages.overviewPage(each.get(0)))).doesNotContain("${", "\u202e", "\0", "\u001b");
        }
        assertThat(Markup.names(Pages.history(Reports.hostile(value), Map.of())))
                .isEqualTo(Markup.names(Pages.history(Reports.hostile("harmless"), Map.of())));
        String uncut = value.substring(0, Math.min(400, value.length()));
        assertThat(Markup.names(Pages.tree(Reports.hostileTree(uncut))))
                .isEqualTo(Markup.names(Pages.tree(Reports.hostileTree("harmless"))));
        Pages.instance(Reports.hostile(value), value);
        Pages.instance(Reports.settled(1), value);
        Pages.instance(RemoteReports.hostile(value), value + "-far");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t"})
    void whatIsBlankIsSaidToBeSo(String blank) throws Exception {
        TopologyReport report = Reports.hostile(blank);
        assertThat(Markup.rows(Markup.byId(Pages.overview(report), "dz-instances")))
                .singleElement()
                .asString()
                .contains("empty");
        assertThat(Markup.rows(Markup.byId(Pages.instance(report, blank), "dz-properties")))
                .containsExactly("emptyempty");
    }

    @Test
    void onlyTextsOfPeersAreCut() throws Exception {
        String text = "x".repeat(100_000);
        assertThat(Markup.text(Pages.instance(Reports.hostile(text), text))).contains(text);
        int whole = Markup.text(Pages.overview(RemoteReports.hostile(text))).length();
        int without = Markup.text(
                        Pages.overview(RemoteReports.with(Reports.hostile(text), List.of(), ConnectorReport.NONE)))
                .length();
        assertThat(whole - without)
                .as("characters for the other cluster and the connectors")
                .isLessThan(10_000);
    }

    @Test
    void thePageRunsNoInlineScriptAndLoadsNothingFromElsewhere() throws Exception {
        List<Element> scripts = elements(Pages.overview(Reports.settled(3)).getDocumentElement(), "script");
        assertThat(scripts)
                .extracting(script -> script.getAttribute("src"))
                .containsExactly("/system/console/topology/res/topology.js");
        assertThat(scripts).allMatch(script -> script.getTextContent().isEmpty());
        assertThat(Pages.source(Pages.overviewPage(Reports.settled(3))))
                .doesNotContain("http:", "https:", "style=")
                .doesNotContainPattern("<[^>]* on[a-z]+=");
    }

    @Test
    void aPublishedConsoleIsALinkThatTellsNothing() throws Exception {
        Document page = Pages.instance(
                Reports.alone(Map.of("org.apache.sling.instance.endpoints", "http://host.example:8080/system/console")),
                Reports.id(1));
        assertThat(elements(page.getDocumentElement(), "a"))
                .filteredOn(a -> a.getAttribute("href").startsWith("http"))
                .first()
                .satisfies(link -> {
                    assertThat(link.getAttribute("href")).isEqualTo("http://host.example:8080/system/console/topology");
                    assertThat(link.getAttribute("rel")).isEqualTo("noopener noreferrer");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "http://h:8080, /system/console, http://h:8080/system/console/topology",
        "http://h:8080/, /system/console, http://h:8080/system/console/topology",
        "https://h:8080/context/, /context/admin/desk, https://h:8080/context/admin/desk/topology",
        "http://[::1]:1/?a#b, /system/console, http://[::1]:1/system/console/topology",
    })
    void thePageOfAnotherInstanceIsBelowItsEndpoint(String endpoint, String console, String address) {
        assertThat(Addresses.elsewhere(endpoint, console)).isEqualTo(address);
    }

    @Test
    void textAndAttributesAreEscapedAndNamesAreNames() {
        Html html = new Html();
        html.element("ul", () -> html.element("b", attr("title", "\"><script>"), "<&>"));
        assertThat(html).hasToString("<ul><b title=\"&quot;&gt;&lt;script&gt;\">&lt;&amp;&gt;</b></ul>\n");
        assertThatIllegalArgumentException().isThrownBy(() -> html.element("a b", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> html.element("a", attr("x=1 y", ""), ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "//elsewhere.example",
                "/\\elsewhere.example",
                "http://elsewhere.example",
                ""
            })
    void addressesStayOnThisServer(String address) {
        assertThatIllegalArgumentException().isThrownBy(() -> attr("href", address));
    }
}
