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
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class HistoryPageTest {

    /** Positions have three digits after the point. */
    private static final Offset<Double> BY_ROUNDING = Offset.offset(0.003);

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
                .contains("left and joined repeatedly; ", " evicted; ", ", 1 change of leader", "views 2 to 10");
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
    void aRowHasABarForEachLifeAndEachLeadership() throws Exception {
        Document page = Pages.history(Reports.withHistory(3, 8), Map.of());
        List<Element> rows = Markup.elements(Markup.first(page, "dz-lanes"), "tr");
        assertThat(rows).hasSize(3);
        assertThat(Markup.elements(rows.get(0), "title"))
                .extracting(Element::getTextContent)
                .containsExactly("node m-3, views 1 to 5", "leader with token 6, node m-3, views 6 to 8");
        assertThat(bars(rows.get(0)))
                .as("one begins where the other ends")
                .satisfies(bars -> assertThat(end(bars.get(0))).isEqualTo(start(bars.get(1)), BY_ROUNDING));
        assertThat(rows.stream()
                        .flatMap(row -> bars(row).stream())
                        .filter(bar -> bar.getAttribute("class").equals("dz-lead"))
                        .mapToDouble(bar -> end(bar) - start(bar))
                        .sum())
                .as("what a leader leads, the rest is before the first view")
                .isEqualTo(100 - start(bars(rows.get(0)).get(0)), BY_ROUNDING);
    }

    @Test
    void theAxisIsTime() throws Exception {
        TopologyReport report = Reports.withHistory(3, 10);
        List<Entry> entries = report.history().entries();
        List<Element> bars = Markup.elements(Markup.first(Pages.history(report, Map.of()), "dz-changes"), "rect");
        List<Element> changes = bars.stream()
                .filter(bar -> bar.getAttribute("class").startsWith("dz-changing"))
                .toList();
        assertThat(changes).hasSize(10);
        double percentOfMillisecond =
                (end(changes.get(8)) - end(changes.get(3))) / (published(entries, 1) - published(entries, 6));
        assertThat(start(changes.get(0))).isEqualTo(0, BY_ROUNDING);
        assertThat(end(changes.get(9)) - start(changes.get(9)))
                .as("a change of 30 s")
                .isEqualTo(30_000 * percentOfMillisecond, BY_ROUNDING);
        assertThat(changes.get(9).getTextContent()).isEqualTo("10: changing for 30 s");
        assertThat(changes.get(9).getAttribute("class")).isEqualTo("dz-changing dz-vain");
        assertThat(height(changes.get(9))).isGreaterThan(height(changes.get(7)));
        assertThat(bars.stream().filter(bar -> bar.getAttribute("class").equals("dz-moved")))
                .extracting(Element::getTextContent)
                .containsExactly("the leader moved: token 6");
    }

    @Test
    void anEpisodeLeadsToItsViews() throws Exception {
        TopologyReport report = Reports.withHistory(3, 80);
        assertThat(shown(report, Map.of("from", "7", "to", "9"))).containsExactly(9L, 8L, 7L);
        assertThat(Markup.hrefs(Pages.history(report, Map.of())))
                .anyMatch(each -> each.matches("/system/console/topology\\?show=history&from=[0-9]+&to=80"));
    }

    private static long published(List<Entry> entries, int index) {
        return entries.get(index).stored().publishedMillis();
    }

    private static List<Element> bars(Element row) {
        return Markup.elements(row, "rect");
    }

    private static int height(Element bar) {
        return Integer.parseInt(bar.getAttribute("height"));
    }

    private static double start(Element bar) {
        return Double.parseDouble(bar.getAttribute("x").replace("%", ""));
    }

    private static double end(Element bar) {
        return start(bar) + Double.parseDouble(bar.getAttribute("width").replace("%", ""));
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
