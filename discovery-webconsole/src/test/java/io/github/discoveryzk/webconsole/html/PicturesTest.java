// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.testing.Markup;
import io.github.discoveryzk.webconsole.testing.Pages;
import io.github.discoveryzk.webconsole.testing.RemoteReports;
import io.github.discoveryzk.webconsole.testing.Reports;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The picture of the topology. */
class PicturesTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 20, 50})
    void eachInstanceIsABoxInItsOrder(int size) throws Exception {
        List<Element> nodes = nodes(Reports.settled(size));
        assertThat(nodes).hasSize(size);
        for (int i = 0; i < size; i++) {
            assertThat(nodes.get(i).getAttribute("data-id")).isEqualTo(Reports.id(i + 1));
            assertThat(nodes.get(i).getAttribute("href")).isEqualTo("/system/console/topology/" + Reports.id(i + 1));
            assertThat(nodes.get(i).getTextContent()).startsWith((i + 1) + " ");
        }
    }

    @Test
    void ofManyThoseAreDrawnThatDiffer() throws Exception {
        assertThat(nodes(Reports.settled(200))).hasSize(50);
        assertThat(Markup.byId(Pages.overview(Reports.settled(200)), "dz-picture")
                        .getTextContent())
                .contains("200 instances", "Not drawn: 150 further instances");
        assertThat(nodes(Reports.awaiting(60))).hasSize(60);
    }

    @Test
    void theFirstIsCrownedAndThisInstanceIsMarked() throws Exception {
        List<Element> nodes = nodes(Reports.settled(3));
        assertThat(nodes).extracting(PicturesTest::crown).containsExactly("dz-crowned", "", "");
        assertThat(nodes)
                .extracting(node -> node.getTextContent().contains("this instance"))
                .containsExactly(false, true, false);
        Element former = nodes(Reports.changing()).get(0);
        assertThat(crown(former)).isEqualTo("dz-crowned dz-former");
    }

    private static String crown(Element node) {
        return Markup.elements(node, "svg").stream()
                .map(drawing -> drawing.getAttribute("class"))
                .filter(styleClass -> styleClass.contains("dz-crowned"))
                .findFirst()
                .orElse("");
    }

    @Test
    void eachStateHasItsColourItsSignAndItsWord() throws Exception {
        List<Element> nodes = nodes(Reports.changing());
        assertThat(nodes)
                .extracting(node -> node.getAttribute("data-state"))
                .containsExactly("GONE", "ACKNOWLEDGED", "AWAITED", "UNKNOWN");
        assertThat(nodes)
                .extracting(node -> node.getAttribute("class"))
                .containsExactly(
                        "dz-node dz-off dz-dashed",
                        "dz-node dz-ready dz-here",
                        "dz-node dz-busy",
                        "dz-node dz-off dz-dashed");
        assertThat(nodes.get(0).getTextContent()).contains("author-1", "gone", "its session ended", "was leader");
        assertThat(nodes.get(1).getTextContent()).contains("author-2", "acknowledged");
        assertThat(nodes.get(2).getTextContent()).contains("publish-1", "awaited", "Jobs of bundle com.example.jobs");
        assertThat(nodes.get(3).getTextContent()).contains("publish-2", "unknown");
        assertThat(nodes.stream().map(node -> {
                    List<Element> outlines = Markup.elements(node, "path");
                    return outlines.get(outlines.size() - 1).getAttribute("d");
                }))
                .doesNotHaveDuplicates();
    }

    @Test
    void whoIsOutsideTheViewStandsApart() throws Exception {
        Element apart = Markup.byId(Pages.overview(Reports.changing()), "dz-apart");
        assertThat(Markup.elements(apart, "a"))
                .extracting(node -> node.getAttribute("data-state"))
                .containsExactly("JOINING", "REFUSED", "EXCLUDED", "GONE");
        assertThat(apart.getTextContent()).contains("excluded", "Mail of bundle com.example.mail");
        Element refused = Markup.byId(Pages.overview(Reports.before(State.REFUSED, "Refused.")), "dz-apart");
        assertThat(Markup.elements(refused, "a").get(0).getAttribute("title")).contains("already runs on host-1");
    }

    @Test
    void whoIsRefusedSeesTheClusterWell() throws Exception {
        Document page = Pages.overview(Reports.withOutsiders(
                Reports.before(State.REFUSED, "Refused."),
                List.of(
                        Reports.outsider(1, false, status(InstanceState.MOVED_ON)),
                        Reports.outsider(2, false, status(InstanceState.MOVED_ON)),
                        Reports.outsider(2, true, status(InstanceState.REFUSED)))));
        assertThat(Markup.elements(Markup.byId(page, "dz-others"), "a"))
                .extracting(node -> node.getAttribute("class"))
                .containsExactly("dz-node dz-good", "dz-node dz-good");
        assertThat(Markup.elements(Markup.byId(page, "dz-apart"), "a"))
                .extracting(node -> node.getAttribute("class"))
                .containsExactly("dz-node dz-bad dz-here");
    }

    @Test
    void whoIsExcludedSeesMembersOfTheNewerViewWell() throws Exception {
        Document page = Pages.overview(Reports.withOutsiders(
                Reports.in(State.EXCLUDED, "Excluded."),
                List.of(Reports.outsider(9, false, status(InstanceState.MOVED_ON)))));
        assertThat(Markup.byId(page, "dz-others").getTextContent()).startsWith("Members of the view");
        assertThat(Markup.elements(Markup.byId(page, "dz-others"), "a")).hasSize(1);
        assertThat(Markup.hasId(page, "dz-apart")).isFalse();
    }

    @Test
    void aClusterThatHasLeftAsAWholeDoesNotFillThePicture() throws Exception {
        TopologyReport report = Reports.withOutsiders(
                Reports.settled(1),
                IntStream.rangeClosed(2, 200)
                        .mapToObj(i -> Reports.outsider(i, false, status(InstanceState.JOINING)))
                        .toList());
        Element apart = Markup.byId(Pages.overview(report), "dz-apart");
        assertThat(Markup.elements(apart, "a")).hasSize(16);
        assertThat(apart.getTextContent()).contains("Not drawn: 183 further instances.");
    }

    private static InstanceStatus status(InstanceState state) {
        return InstanceStatus.of(state, OptionalLong.of(Reports.NOW));
    }

    @Test
    void aLongNameIsShortenedAndWholeInTheTitle() throws Exception {
        Element node =
                nodes(Reports.hostile("begin" + "x".repeat(1_000) + "end")).get(0);
        assertThat(Markup.elements(node, "span").get(2).getTextContent())
                .hasSizeLessThan(20)
                .startsWith("begin")
                .contains("…")
                .endsWith("end");
        assertThat(node.getAttribute("title")).startsWith("begin" + "x".repeat(1_000) + "end");
        Element box = clusters(RemoteReports.spokes(13)).get(12);
        assertThat(box.getTextContent().strip()).startsWith("production-").hasSizeLessThan(160);
        assertThat(box.getAttribute("title"))
                .startsWith("Cluster production-long-")
                .hasSizeLessThan(400);
    }

    @Test
    void eachOtherClusterIsABoxWithTheWayOfItsAnnouncement() throws Exception {
        assertThat(clusters(RemoteReports.sample()))
                .extracting(box -> box.getTextContent().strip())
                .containsExactly(
                        "c0000001 2 instances leader far-1-1, in the same store",
                        "c0000002 3 instances leader far-2-1, through " + Reports.id(2) + " \u2190 far-2-1",
                        "c0000003 1 instance leader far-3-1, through " + Reports.id(1) + " \u2190 far-3-1",
                        "c0000004 6 instances leader far-4-1, through " + Reports.id(2)
                                + " \u2190 far-2-1 \u2190 far-4-1");
        assertThat(Markup.hasId(Pages.overview(Reports.settled(3)), "dz-clusters"))
                .isFalse();
        assertThat(clusters(RemoteReports.spokes(50))).hasSize(16);
        assertThat(Markup.text(Pages.overview(RemoteReports.spokes(50)))).contains("Not drawn: 34 further clusters.");
    }

    private static List<Element> clusters(TopologyReport report) throws Exception {
        return Markup.elements(Markup.byId(Pages.overview(report), "dz-clusters"), "a");
    }

    private static List<Element> nodes(TopologyReport report) throws Exception {
        return Markup.elements(Markup.first(Pages.overview(report), "dz-group"), "a");
    }
}
