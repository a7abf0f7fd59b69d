// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.Reporter.Restart;
import io.github.discoveryzk.report.Startup;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.section.AddedSections;
import io.github.discoveryzk.webconsole.section.RestartPlan;
import io.github.discoveryzk.webconsole.testing.Markup;
import io.github.discoveryzk.webconsole.testing.Pages;
import io.github.discoveryzk.webconsole.testing.Reports;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Each sentence above the picture, in each state. The file {@code first-screen.txt} has been read by a person. */
class FirstScreenTest {
    private static final RestartPlan GO_ON = new RestartPlan(
            Startup.OVER,
            List.of(),
            List.of(
                    new Restart(Reports.id(3), ""),
                    new Restart(Reports.id(2), "its ZooKeeper server leads the ensemble"),
                    new Restart(Reports.id(1), "it leads the cluster")));
    private static final RestartPlan WAIT = new RestartPlan(
            new Startup(Startup.Stage.STARTING, "The server at b:2181 does not serve."),
            List.of("The server at c:2181 is down.", "Keys that this instance hands over: 1, such as k."),
            List.of(new Restart(Reports.id(1), "")));

    @Test
    void eachSentenceIsTrue() throws Exception {
        Map<String, TopologyReport> reports = new LinkedHashMap<>();
        for (State state : State.values()) {
            reports.put(state + " with a view", Reports.in(state, "What is being waited for."));
            reports.put(state + " without a view", Reports.before(state, "What is being waited for."));
        }
        reports.put("a change", Reports.changing());
        reports.put("alone", Reports.alone(Map.of()));
        reports.put("in need of attention", Reports.with(Reports.settled(3), Reports.access(1, "read")));
        StringBuilder screens = new StringBuilder();
        for (Map.Entry<String, TopologyReport> each : reports.entrySet()) {
            screens.append("== ")
                    .append(each.getKey())
                    .append('\n')
                    .append(screen(each.getValue(), plan(each.getValue())));
        }
        screens.append("== not started, not to be stopped\n").append(screen(Reports.settled(3), WAIT));
        List<Restart> gone =
                List.of(new Restart("gone", Restart.GONE), GO_ON.order().get(0));
        RestartPlan missing = new RestartPlan(Startup.OVER, List.of("A server is missing."), gone);
        screens.append("== what is gone comes before all that must wait\n").append(screen(Reports.settled(3), missing));
        RestartPlan rest =
                new RestartPlan(Startup.OVER, List.of(), GO_ON.order().subList(2, 3));
        screens.append("== a restart that goes on\n").append(screen(Reports.settled(3), rest));
        RestartPlan over = new RestartPlan(
                Startup.OVER,
                List.of(),
                GO_ON.order().stream()
                        .map(each -> new Restart(each.instanceId(), Restart.DONE))
                        .toList());
        screens.append("== a restart that is over\n").append(screen(Reports.settled(3), over));
        String expected = new String(
                FirstScreenTest.class.getResourceAsStream("/first-screen.txt").readAllBytes(), StandardCharsets.UTF_8);
        assertThat(screens.toString()).isEqualTo(expected);
    }

    /** Objects as the instance does in these states; it is asked after the report, so its sentence may be a newer one. */
    private static RestartPlan plan(TopologyReport report) {
        Startup startup =
                report.state() == State.REFUSED ? new Startup(Startup.Stage.STARTING, report.sentence()) : Startup.OVER;
        List<String> objections =
                switch (report.state()) {
                    case SETTLED, REFUSED, QUARANTINED, EXCLUDED -> List.of();
                    case CONNECTING, JOINING, CHANGING, SUSPENDED, CUT_OFF, STOPPED -> List.of(
                            "No view is settled here: a newer sentence");
                };
        return new RestartPlan(startup, objections, GO_ON.order());
    }

    private static String screen(TopologyReport report, RestartPlan plan) throws Exception {
        Document page = Markup.parse(Pages.source(OverviewPage.of(report, plan, AddedSections.of(List.of()))));
        Element status = Markup.byId(page, "dz-status");
        StringBuilder lines =
                new StringBuilder(status.getAttribute("class").replace("dz-status dz-", "in the colour ") + "\n");
        for (Element line : Markup.elements(status, "p")) {
            lines.append(line.getTextContent().strip()).append('\n');
        }
        List<Element> names = Markup.elements(Markup.byId(page, "dz-answers"), "dt");
        List<Element> answers = Markup.elements(Markup.byId(page, "dz-answers"), "dd");
        for (int i = 0; i < names.size(); i++) {
            lines.append("  ")
                    .append(names.get(i).getTextContent())
                    .append(": ")
                    .append(answers.get(i).getTextContent())
                    .append('\n');
        }
        return lines.toString()
                .replace("a3f0c1d2-0000-4000-8000-00000000000", "#")
                .replace("a3f0c1d2", "#");
    }
}
