// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.History.Participant;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.drawing.Timeline;
import org.apache.sling.discovery.webconsole.drawing.TimelineLayout;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class HistoryPageTest {
    private static final int MEGABYTE = 1_000_000;
    private static final Times TIMES = new Times(Reports.NOW, ZoneOffset.UTC);

    @Test
    void equalNamesAreToldApart() throws Exception {
        Map<String, String> byId = Map.of("first-id", "author", "other-id", "author", "third-id", "publish");
        StringWriter out = new StringWriter();
        PageWriter page = new PageWriter(new Html(out), TIMES, new Addresses("/console"), new InstanceNames(byId));
        List<Participant> members =
                byId.keySet().stream().map(id -> new Participant(id, "m-" + id)).toList();

        new Timeline(page).write(List.of(view(1, members, List.of())), id -> true);
        assertThat(out.toString())
                .contains(">first-id</bdi>", ">other-id</bdi>")
                .doesNotContain(">third-id</bdi>");

        out.getBuffer().setLength(0);
        page.shortInstanceLink("first-id");
        page.shortInstanceLink("third-id");
        assertThat(out.toString()).contains(">first-id</bdi>").doesNotContain(">third-id</bdi>");
    }

    @Test
    void theNewestViewsAreShownFirst() throws Exception {
        Document page = page(Reports.withHistory(3, 80), Map.of());
        List<String> rows = Markup.rows(Markup.byId(page, "dz-history"));
        assertThat(rows).hasSize(50);
        assertThat(rows.get(0))
                .startsWith("80")
                .contains("2026-11-21 10:00:00", "left out: listener com.example.Jobs", "30 s");
        assertThat(Markup.byId(page, "dz-extent").getTextContent()).contains("50 of 80 views", "not shown");
    }

    @Test
    void aViewSaysWhoCameWhoWentAndHow() throws Exception {
        Document page = page(Reports.withHistory(3, 8), Map.of());
        assertThat(Markup.byId(page, "view-8").getTextContent())
                .contains("was evicted", "1 left: evicted", "40 ms", "token");
        assertThat(Markup.byId(page, "view-7").getTextContent()).contains(Reports.id(1) + " joined", "1 joined");
        assertThat(Markup.byId(page, "view-1").getTextContent()).contains("3 joined");
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
        Document page = page(Reports.withHistory(3, 8), Map.of());
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
    void theFormAsksForLess() throws Exception {
        TopologyReport report = Reports.withHistory(3, 80);
        assertThat(shown(report, Map.of("kind", "left-out", "count", "5"))).containsExactly(80L, 75L, 70L, 65L, 60L);
        assertThat(shown(report, Map.of("first", "10", "count", "3"))).containsExactly(12L, 11L, 10L);
        assertThat(shown(report, Map.of("kind", "decided", "count", "2"))).containsExactly(80L, 76L);
        assertThat(shown(report, Map.of("instance", "nobody"))).isEmpty();
        assertThat(shown(report, Map.of("instance", Reports.id(3), "count", "500")))
                .isNotEmpty()
                .hasSizeLessThan(80);
        assertThat(shown(report, Map.of("kind", "", "from", "", "count", ""))).hasSize(50);
        assertThat(shown(report, Map.of("count", "500"))).hasSize(80);
    }

    @Test
    void anInstanceIsInvolvedInTheViewThatLeftItOut() throws InvalidParameter {
        Participant left = new Participant(Reports.id(2), "m-2");
        Participant kept = new Participant(Reports.id(1), "m-1");
        List<Entry> entries = List.of(
                view(3, List.of(kept), List.of()),
                view(2, List.of(kept), List.of("instance 2")),
                view(1, List.of(kept, left), List.of()));
        assertThat(HistoryFilter.of(Map.of("instance", Reports.id(2))::get, TIMES)
                        .select(entries, id -> id))
                .extracting(Entry::number)
                .containsExactly(2L);
    }

    private static Entry view(long number, List<Participant> members, List<String> leftOut) {
        return new Entry(
                number,
                number - 1,
                1,
                1,
                number,
                1,
                "",
                members.isEmpty() ? "" : members.get(0).id(),
                members.size(),
                members,
                List.of(),
                List.of(),
                leftOut,
                "",
                Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "kind, nonsense",
        "first, -1",
        "first, abc",
        "count, x",
        "count, 0",
        "count, 501",
        "from, abc",
        "from, 10",
        "to, 2026-13-01T00:00",
        "last, 1 year",
        "last, 0h",
        "zone, Nowhere/City",
        "axis, z",
        "view, x"
    })
    void aValueThatIsNotValidIsNamed(String parameter, String value) {
        assertThatExceptionOfType(InvalidParameter.class)
                .isThrownBy(() -> HistoryFilter.of(Map.of(parameter, value)::get, TIMES))
                .satisfies(problem -> {
                    assertThat(problem.parameter()).isEqualTo(parameter);
                    assertThat(problem.value()).isEqualTo(value);
                });
    }

    /** View 80 was published at 10:00 UTC, and each earlier one a minute before the next. */
    @Test
    void viewsAreSelectedByTheTimeOfTheirPublication() throws Exception {
        TopologyReport report = Reports.withHistory(3, 80);
        assertThat(shown(report, Map.of("from", "2026-11-21T09:58"))).containsExactly(80L, 79L, 78L);
        assertThat(shown(report, Map.of("from", "2026-11-21 09:58", "to", "2026-11-21T09:59:00.000")))
                .containsExactly(79L, 78L);
        assertThat(shown(report, Map.of("from", "2026-11-21T18:59", "zone", "Asia/Tokyo")))
                .containsExactly(80L, 79L);
        assertThat(shown(report, Map.of("from", "2026-11-21T10:59:00+01:00"))).containsExactly(80L, 79L);
        assertThat(shown(report, Map.of("last", "2min"))).containsExactly(80L, 79L, 78L);
        assertThat(shown(report, Map.of("last", "1h", "count", "500"))).hasSize(61);
        assertThat(shown(report, Map.of("to", "2026-11-20"))).isEmpty();
    }

    @Test
    void theFormHasTheTimesInTheirZone() throws Exception {
        Document page = page(
                Reports.withHistory(3, 80), Map.of("from", "2026-11-21T18:59", "zone", "Asia/Tokyo", "last", "1h"));
        assertThat(Markup.byId(page, "dz-in-from").getAttribute("value")).isEqualTo("2026-11-21T18:59:00.000");
        assertThat(Markup.byId(page, "dz-in-from").getAttribute("data-millis"))
                .isEqualTo(String.valueOf(Reports.NOW - 60_000));
        assertThat(Markup.byId(page, "view-80").getTextContent()).contains("2026-11-21 19:00:00.000 +09:00");
        assertThat(Markup.first(page, "dz-footer").getTextContent()).contains("Asia/Tokyo of the server");
    }

    @Test
    void aViewAloneHasAllThatIsKnown() throws Exception {
        Document page = page(Reports.withHistory(3, 8), Map.of("view", "8"));
        assertThat(Markup.text(page)).contains("View 8", "was evicted", "40 ms", "Members in their order");
        assertThat(Markup.hrefs(page)).contains("/system/console/topology?show=history&view=7");
        assertThat(Markup.text(page(Reports.withHistory(3, 8), Map.of("view", "999"))))
                .contains("No view 999 in the history");
    }

    @Test
    void theLeaderIsALink() throws Exception {
        Document page = page(Reports.withHistory(3, 8), Map.of());
        assertThat(Markup.elements(Markup.byId(page, "view-1"), "a"))
                .extracting(link -> link.getAttribute("href"))
                .containsSubsequence(
                        "/system/console/topology?show=history&view=1", "/system/console/topology/" + Reports.id(1));
    }

    @Test
    void theSelectedViewsAreSummedUp() throws Exception {
        Element sums = Markup.byId(page(Reports.withHistory(3, 80), Map.of("count", "10")), "dz-sums");
        assertThat(sums.getTextContent())
                .contains("10 changes", "40 ms median settling time, longest 30 s", "leader move");
        assertThat(Markup.elements(sums, "svg")).hasSize(3).allMatch(chart -> !chart.getAttribute("aria-label")
                .isEmpty());
        assertThat(Markup.elements(Markup.elements(sums, "svg").get(2), "rect")).hasSize(10);
        assertThat(Markup.elements(sums, "a"))
                .extracting(link -> link.getAttribute("href"))
                .containsExactly("/system/console/topology?show=history&view=80");
    }

    @Test
    void anOutageOfTheStoreHasARowOfItsOwnStyle() throws Exception {
        Entry entry = Reports.withHistory(3, 1).history().entries().get(0);
        Entry outage = new Entry(
                entry.number(),
                entry.previous(),
                entry.token(),
                entry.leaderSinceMillis(),
                entry.publishedMillis(),
                entry.changingMillis(),
                entry.publisher(),
                entry.leader(),
                entry.size(),
                entry.members(),
                entry.joined(),
                entry.left(),
                entry.leftOut(),
                entry.cause(),
                Optional.of("all 3 sessions of view 0 ended within 2 s: ZooKeeper?"));
        Document page = page(Reports.with(Reports.settled(3), new History(List.of(outage), List.of())), Map.of());
        assertThat(Markup.byId(page, "view-1").getAttribute("class")).isEqualTo("dz-outage-row");
        assertThat(Markup.byId(page, "view-1").getTextContent())
                .contains("outage of the store?", "all 3 sessions of view 0 ended within 2 s: ZooKeeper?");
        assertThat(Markup.withClass(page, "dz-outage"))
                .as("in the chart, the drawing and the legend")
                .hasSize(3);
    }

    @Test
    void whatWasSelectedIsExported() throws Exception {
        Document page = page(Reports.withHistory(3, 80), Map.of("kind", "left", "last", "1h", "count", "5"));
        assertThat(Markup.elements(Markup.byId(page, "dz-exports"), "a"))
                .extracting(link -> link.getAttribute("href"))
                .containsExactly(
                        "/system/console/topology.csv?kind=left&last=1h&count=5",
                        "/system/console/topology.json?since=71");
    }

    @Test
    void whoWasLeftOutIsToldOnce() throws Exception {
        String row =
                Markup.byId(page(Reports.withHistory(3, 5), Map.of()), "view-5").getTextContent();
        assertThat(row).contains("1 left out").doesNotContain(";");
        assertThat(row.split("listener com.example.Jobs", -1)).hasSize(2);
    }

    @Test
    void whoIsAskedForHasALaneAlone() throws Exception {
        Document page = page(Reports.withHistory(6, 40), Map.of("instance", Reports.id(3)));
        assertThat(Markup.elements(Markup.first(page, "dz-lanes"), "a"))
                .extracting(lane -> lane.getAttribute("title"))
                .containsExactly(Reports.id(3));
    }

    @Test
    void theFormKeepsWhatItAskedFor() throws Exception {
        Document page = page(Reports.withHistory(3, 8), Map.of("kind", "left", "instance", "a\"b", "count", "7"));
        assertThat(Markup.byId(page, "dz-in-instance").getAttribute("value")).isEqualTo("a\"b");
        assertThat(Markup.byId(page, "dz-in-count").getAttribute("value")).isEqualTo("7");
        assertThat(Markup.elements(Markup.byId(page, "dz-in-kind"), "option"))
                .filteredOn(option -> option.hasAttribute("selected"))
                .extracting(option -> option.getAttribute("value"))
                .containsExactly("left");
    }

    @Test
    void manyInstancesAndViewsMakeAPageThatCanBeUsed() throws Exception {
        String usual = raw(Reports.withHistory(200, 500), HistoryFilter.NONE);
        String all = raw(Reports.withHistory(200, 500), HistoryFilter.of(Map.of("count", "500")::get, TIMES));
        assertThat(usual.length()).isLessThan(MEGABYTE / 2);
        assertThat(all.length()).isLessThan(MEGABYTE);
        assertThat(Markup.text(Markup.parse(usual))).contains("Not drawn: ");
    }

    @Test
    void whatCannotBeReadIsSaid() throws Exception {
        TopologyReport report =
                Reports.with(Reports.settled(1), new History(List.of(), List.of("The history cannot be read: x.")));
        assertThat(Markup.text(page(report, Map.of())))
                .contains("The history cannot be read: x.", "The history has no views yet");
    }

    private static List<Long> shown(TopologyReport report, Map<String, String> parameters) throws InvalidParameter {
        return HistoryFilter.of(parameters::get, TIMES).select(report.history().entries(), id -> id).stream()
                .map(Entry::number)
                .toList();
    }

    private static Document page(TopologyReport report, Map<String, String> parameters) throws Exception {
        return Markup.parse(raw(report, HistoryFilter.of(parameters::get, TIMES)));
    }

    private static String raw(TopologyReport report, HistoryFilter filter) throws IOException {
        StringBuilder out = new StringBuilder();
        new HtmlRenderer("/system/console", ZoneOffset.UTC).history(report, filter, out);
        return out.toString();
    }
}
