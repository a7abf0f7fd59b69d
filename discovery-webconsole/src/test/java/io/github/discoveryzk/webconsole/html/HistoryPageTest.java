// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.report.History;
import io.github.discoveryzk.report.History.Entry;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.query.HistoryFilter;
import io.github.discoveryzk.webconsole.testing.Markup;
import io.github.discoveryzk.webconsole.testing.Pages;
import io.github.discoveryzk.webconsole.testing.Records;
import io.github.discoveryzk.webconsole.testing.Reports;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class HistoryPageTest {
    private static final int MEGABYTE = 1_000_000;

    @Test
    void equalNamesAreToldApart() throws Exception {
        Map<String, String> byId = Map.of("first-id", "author", "other-id", "author", "third-id", "publish");
        List<Incarnation> members =
                byId.keySet().stream().map(id -> new Incarnation("m-" + id, id)).toList();
        TopologyReport named = Records.with(Reports.settled(1), "names", InstanceNames.of(byId));
        TopologyReport report = Reports.with(named, new History(List.of(view(1, members, members)), List.of()));
        assertThat(Markup.first(Pages.history(report, Map.of()), "dz-lanes").getTextContent())
                .contains("author first-id", "author other-id");
    }

    @Test
    void theNewestViewsAreShownFirst() throws Exception {
        Document page = Pages.history(Reports.withHistory(3, 80), Map.of());
        List<String> rows = Markup.rows(Markup.byId(page, "dz-history"));
        assertThat(rows).hasSize(50);
        assertThat(rows.get(0)).startsWith("80").contains("2026-11-21 10:00:00");
        assertThat(Markup.first(page, "dz-extent").getTextContent()).contains("50 of 80 views", "Show all views");
        assertThat(Markup.hrefs(page))
                .containsSubsequence(
                        "/system/console/topology?show=history&view=80", "/system/console/topology/" + Reports.id(3));
    }

    @Test
    void whatHappenedStandsAboveTheViews() throws Exception {
        Document page = Pages.history(Reports.withHistory(3, 10), Map.of());
        assertThat(Markup.byId(page, "dz-episodes").getTextContent())
                .contains("left and joined repeatedly, 1 change of leader", "view 2 to 10");
    }

    @ParameterizedTest
    @CsvSource({
        "8, was evicted",
        "8, 40 ms",
        "8, token",
        "7, a3f0c1d2-0000-4000-8000-000000000001 joined",
        "10, excluded: ",
        "10, 30 s"
    })
    void aViewSaysWhoCameWhoWentAndHow(int view, String words) throws Exception {
        assertThat(row(Reports.withHistory(3, 10), view).getTextContent()).containsOnlyOnce(words);
    }

    @Test
    void aRowHasACellForEachLifeAndEachLeadership() throws Exception {
        Document page = Pages.history(Reports.withHistory(3, 8), Map.of());
        List<Element> rows = Markup.elements(Markup.first(page, "dz-lanes"), "tr");
        assertThat(rows).hasSize(3).allSatisfy(row -> assertThat(Markup.elements(row, "td").stream()
                        .mapToInt(cell -> Integer.parseInt(cell.getAttribute("colspan")))
                        .sum())
                .as("columns")
                .isEqualTo(8));
        assertThat(Markup.elements(rows.get(0), "td"))
                .extracting(cell -> cell.getAttribute("title"))
                .containsExactly("node m-3, views 1 to 5", "leader with token 6, node m-3, views 6 to 8");
        assertThat(Markup.withClass(page, "dz-lead").stream()
                        .filter(cell -> cell.hasAttribute("colspan"))
                        .mapToInt(cell -> Integer.parseInt(cell.getAttribute("colspan")))
                        .sum())
                .as("each view has one leader")
                .isEqualTo(8);
    }

    @Test
    void aColumnHasTheDurationOfItsChange() throws Exception {
        Document page = Pages.history(Reports.withHistory(3, 10), Map.of());
        List<Element> cells = Markup.elements(Markup.first(page, "dz-durations"), "td");
        assertThat(cells).hasSize(10);
        assertThat(cells.get(9).getAttribute("title")).isEqualTo("View 10: changing for 30 s");
        assertThat(Markup.elements(cells.get(9), "i").get(0).getAttribute("class"))
                .isEqualTo("dz-changing dz-vain dz-h8");
        assertThat(Markup.elements(cells.get(7), "i").get(0).getAttribute("class"))
                .isEqualTo("dz-changing dz-h1");
    }

    @Test
    void theAddressAsksForLess() throws Exception {
        TopologyReport report = Reports.withHistory(3, 80);
        assertThat(shown(report, Map.of("count", "3"))).containsExactly(80L, 79L, 78L);
        assertThat(shown(report, Map.of("instance", "nobody"))).isEmpty();
        assertThat(shown(report, Map.of("instance", Reports.id(3), "count", "500")))
                .isNotEmpty()
                .hasSizeLessThan(80);
        assertThat(shown(report, Map.of("instance", "", "count", ""))).hasSize(50);
        assertThat(shown(report, Map.of("count", "500"))).hasSize(80);
    }

    @Test
    void anInstanceIsInvolvedInTheViewThatLeftItOut() {
        Incarnation left = new Incarnation("m-2", Reports.id(2));
        Incarnation kept = new Incarnation("m-1", Reports.id(1));
        List<Entry> entries =
                List.of(view(3, List.of(kept), List.of(kept)), view(2, List.of(kept, left), List.of(kept)));
        assertThat(HistoryFilter.of(Map.of("instance", Reports.id(2))).select(entries))
                .extracting(Entry::number)
                .containsExactly(2L);
    }

    private static Entry view(long number, List<Incarnation> before, List<Incarnation> members) {
        ViewDifference difference =
                ViewDifference.between(Optional.of(Reports.view(number - 1, before)), Reports.view(number, members));
        return new Entry(new HistoryEntry(difference, List.of(), number, 1), members);
    }

    @Test
    void aViewAloneHasAllThatIsKnown() throws Exception {
        Document page = Pages.history(Reports.withHistory(3, 8), Map.of("view", "8"));
        assertThat(Markup.text(page)).contains("View 8", "was evicted", "40 ms", "Members in their order");
        assertThat(Markup.hrefs(page)).contains("/system/console/topology?show=history&view=7");
        assertThat(Markup.text(Pages.history(Reports.withHistory(3, 8), Map.of("view", "999"))))
                .contains("No view 999 in the history");
    }

    @Test
    void manyInstancesAndViewsMakeAPageThatCanBeUsed() throws Exception {
        String usual = Pages.rawHistory(Reports.withHistory(200, 500), Map.of());
        String all = Pages.rawHistory(Reports.withHistory(200, 500), Map.of("count", "500"));
        assertThat(usual.length()).isLessThan(MEGABYTE / 2);
        assertThat(all.length()).isLessThan(MEGABYTE);
        assertThat(Markup.text(Markup.parse(usual))).contains("Not drawn: ");
    }

    @Test
    void whatCannotBeReadIsSaid() throws Exception {
        TopologyReport report =
                Reports.with(Reports.settled(1), new History(List.of(), List.of("The history cannot be read: x.")));
        assertThat(Markup.text(Pages.history(report, Map.of())))
                .contains("The history cannot be read: x.", "The history has no views yet");
    }

    private static List<Long> shown(TopologyReport report, Map<String, String> parameters) {
        return HistoryFilter.of(parameters).select(report.history().entries()).stream()
                .map(Entry::number)
                .toList();
    }

    private static Element row(TopologyReport report, int view) throws Exception {
        return Markup.elements(Pages.history(report, Map.of()).getDocumentElement(), "tr").stream()
                .filter(row -> row.getAttribute("data-view").equals(String.valueOf(view)))
                .findFirst()
                .orElseThrow();
    }
}
