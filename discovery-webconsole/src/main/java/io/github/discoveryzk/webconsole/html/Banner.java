// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.content.Line.line;
import static io.github.discoveryzk.webconsole.html.Attributes.attr;

import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.ExplainedState;
import io.github.discoveryzk.webconsole.content.Fact;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Look;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.section.RestartPlan;
import io.github.discoveryzk.webconsole.section.StatusSections;
import java.util.ArrayList;
import java.util.List;

/** The state at a glance, with the answers to the first questions of an operator. */
record Banner(TopologyReport report, RestartPlan restart) implements Picture {

    /** Returns that the view is not current, if it is not. */
    static List<Part> staleView(TopologyReport report) {
        return report.view().filter(view -> !view.current()).stream()
                .<Part>map(view -> new Section.Paragraph(
                        Style.ALERT,
                        line().text("View ")
                                .number(view.number())
                                .text(" is not current. This page shows the last known state.")))
                .toList();
    }

    @Override
    public void write(PageWriter page) {
        Html html = page.html();
        ExplainedState status = report.status();
        Look look = Look.of(status.state());
        boolean settled = status.state() == State.SETTLED;
        // A view that is current does not mean that nothing is to be done.
        String tone = settled && !Health.attention(report).isEmpty() ? "warn" : look.tone();
        Attributes attributes = attr("id", "dz-status")
                .and("class", "dz-status dz-" + tone)
                .and("data-state", status.state().name())
                .and("role", "status");
        html.element("div", attr("class", "dz-banner dz-" + tone), () -> {
            html.element("section", attributes, () -> {
                html.element("p", attr("class", "dz-state"), () -> {
                    page.sign(look);
                    html.element("strong", look.word());
                    if (!settled) {
                        page.line(since(line().text(" for ").elapsed(status.sinceMillis())));
                    }
                });
                Line since = settled ? since(line().text(", since ").time(status.sinceMillis())) : line();
                page.parts(List.of(new Section.Paragraph(Style.SENTENCE, StatusSections.meaning(report, since))));
                page.parts(staleView(report));
            });
            List<Fact> answers = new ArrayList<>(StatusSections.answers(report));
            // The sentence above has named the leader, and an objection, but that nothing is settled, says what
            // follows.
            answers.removeIf(each -> settled && each.name().equals("Leader")
                    || restart.objections().size() > (settled ? 0 : 1)
                            && each.name().startsWith("If "));
            answers.addAll(restart.facts(report));
            page.parts(List.of(new Section.Facts("dz-answers", answers)));
        });
    }

    private static Line since(Line time) {
        return line().styled(Style.SINCE, time);
    }
}
