// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.drawing.TimelineLayout;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Pages;
import org.apache.sling.discovery.webconsole.testing.Records;
import org.apache.sling.discovery.webconsole.testing.Reports;
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
        TopologyReport named = Records.with(Reports.settled(1), "names", new InstanceNames(byId));
        TopologyReport report = Reports.with(named, new History(List.of(view(1, members, members)), List.of()));
        assertThat(Markup.first(Pages.history(report, Map.of()), "dz-lanes").getTextContent())
                .contains("author first-id", "author other-id")
                .doesNotContain("publish third-id");
    }

    @Test
    void theNewestViewsAreShownFirst() throws Exception {
        Document page = Pages.history(Reports.withHistory(3, 80), Map.of());
        List<String> rows = Markup.rows(Markup.byId(page, "dz-history"));
        assertThat(rows).hasSize(50);
        assertThat(rows.get(0)).startsWith("80").contains("2026-11-21 10:00:00", "left out: ", "30 s");
        assertThat(Markup.byId(page, "dz-extent").getTextContent()).contains("50 of 80 views", "Show all views");
    }

    @Test
    void aViewSaysWhoCameWhoWentAndHow() throws Exception {
        TopologyReport page = Reports.withHistory(3, 8);
        assertThat(row(page, 8).getTextContent()).contains("was evicted", "1 left: evicted", "40 ms", "token");
        assertThat(row(page, 7).getTextContent()).contains(Reports.id(1) + " joined", "1 joined");
        assertThat(row(page, 1).getTextContent()).contains("3 joined");
    }

    @Test
    void aLaneHasABarForEachLifeAndOneForEachLeadership() {
        TimelineLayout lanes =
                TimelineLayout.of(Reports.withHistory(3, 8).history().entries());
        assertThat(lanes.columns()).extracting(Entry::number).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(lanes.lanes()).extracting(TimelineLayout.Lane::id).hasSize(3).doesNotHaveDuplicates();
        assertThat(lanes.lanes().get(0))
                .isEqualTo(new TimelineLayout.Lane(
                        Reports.id(3),
                        List.of(new TimelineLayout.Span(0, 7, "m-3")),
                        List.of(new TimelineLayout.Span(5, 7, "6"))));
        for (TimelineLayout.Lane lane : lanes.lanes()) {
            for (TimelineLayout.Span lead : lane.leaderships()) {
                assertThat(lane.lives())
                        .as("leads only while it lives")
                        .anyMatch(life -> life.from() <= lead.from() && life.to() >= lead.to());
            }
        }
        assertThat(lanes.lanes().stream()
                        .flatMap(lane -> lane.leaderships().stream())
                        .mapToInt(lead -> lead.to() - lead.from() + 1)
                        .sum())
                .as("each view has one leader")
                .isEqualTo(8);
    }

    @Test
    void aLifeIsDrawnFromItsFirstViewToItsLast() throws Exception {
        Document page = Pages.history(Reports.withHistory(3, 8), Map.of());
        List<Element> lives = Markup.withClass(page, "dz-life").stream()
                .filter(bar -> bar.getElementsByTagName("title").getLength() == 1)
                .toList();
        TimelineLayout lanes =
                TimelineLayout.of(Reports.withHistory(3, 8).history().entries());
        assertThat(lives)
                .hasSize(lanes.lanes().stream()
                        .mapToInt(lane -> lane.lives().size())
                        .sum());
        assertThat(lives)
                .extracting(bar -> bar.getElementsByTagName("title").item(0).getTextContent())
                .anyMatch(title -> title.endsWith("views 1 to 3") || title.endsWith("view 1"));
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
    void anInstanceIsInvolvedInTheViewThatLeftItOut() throws InvalidParameter {
        Incarnation left = new Incarnation("m-2", Reports.id(2));
        Incarnation kept = new Incarnation("m-1", Reports.id(1));
        List<Entry> entries =
                List.of(view(3, List.of(kept), List.of(kept)), view(2, List.of(kept, left), List.of(kept)));
        assertThat(HistoryFilter.of(Map.of("instance", Reports.id(2))::get).select(entries, id -> id))
                .extracting(Entry::number)
                .containsExactly(2L);
    }

    private static Entry view(long number, List<Incarnation> before, List<Incarnation> members) {
        ViewDifference difference =
                ViewDifference.between(Optional.of(Reports.view(number - 1, before)), Reports.view(number, members));
        return new Entry(new HistoryEntry(difference, List.of(), number, 1), members);
    }

    @ParameterizedTest
    @CsvSource({"count, x", "count, 0", "count, 501", "view, x"})
    void aValueThatIsNotValidIsNamed(String parameter, String value) {
        assertThatExceptionOfType(InvalidParameter.class)
                .isThrownBy(() -> HistoryFilter.of(Map.of(parameter, value)::get))
                .satisfies(problem -> {
                    assertThat(problem.parameter()).isEqualTo(parameter);
                    assertThat(problem.value()).isEqualTo(value);
                });
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
    void theLeaderIsALink() throws Exception {
        assertThat(Markup.elements(row(Reports.withHistory(3, 8), 1), "a"))
                .extracting(link -> link.getAttribute("href"))
                .containsSubsequence(
                        "/system/console/topology?show=history&view=1", "/system/console/topology/" + Reports.id(1));
    }

    @Test
    void whoWasLeftOutIsToldOnce() throws Exception {
        String row = row(Reports.withHistory(3, 10), 10).getTextContent();
        assertThat(row).contains("1 left out").doesNotContain(";");
        assertThat(row.split("listener com.example.Jobs", -1)).hasSize(2);
    }

    @Test
    void whoIsAskedForHasALaneAlone() throws Exception {
        Document page = Pages.history(Reports.withHistory(6, 40), Map.of("instance", Reports.id(3)));
        assertThat(Markup.elements(Markup.first(page, "dz-lanes"), "a"))
                .extracting(lane -> lane.getAttribute("title"))
                .containsExactly(Reports.id(3));
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

    private static List<Long> shown(TopologyReport report, Map<String, String> parameters) throws InvalidParameter {
        return HistoryFilter.of(parameters::get).select(report.history().entries(), id -> id).stream()
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
