// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Status;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The state of this instance in a sentence, the answers to the first questions, and the problems to solve. */
final class StatusSection {
    private final PageWriter page;
    private final Html html;

    StatusSection(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write(TopologyReport report) throws IOException {
        Status status = report.status();
        StateDisplay display = StateDisplay.of(status.state());
        boolean settled = status.state() == TopologyReport.State.SETTLED;
        html.element("div", attr("class", "dz-banner dz-" + display.tone()), () -> {
                    html.element("section", attributes(display, status.state().name()), () -> {
                        html.element("p", attr("class", "dz-state"), () -> {
                            state(display);
                            if (!settled) {
                                since(() -> {
                                    html.text(" for ");
                                    page.elapsed(status.sinceMillis());
                                });
                            }
                        });
                        html.element("p", attr("class", "dz-sentence"), () -> sentence(status, settled));
                        writeStaleView(report);
                    });
                    new AnswersSection(page).write(report);
                })
                .line();
    }

    private void sentence(Status status, boolean settled) throws IOException {
        html.foreign(status.sentence());
        if (settled) {
            since(() -> {
                html.text(", since ");
                page.time(status.sinceMillis());
            });
        }
        if (status.countdown().isPresent()) {
            html.text("; ");
            page.countdown(status.countdown().get());
        }
    }

    private void since(Html.Content content) throws IOException {
        html.element("span", attr("class", "dz-since").and("aria-live", "off"), content);
    }

    void writeInactive() throws IOException {
        html.element(
                        "div",
                        attr("class", "dz-banner dz-" + StateDisplay.INACTIVE.tone()),
                        () -> html.element("section", attributes(StateDisplay.INACTIVE, "INACTIVE"), () -> {
                            html.element("p", attr("class", "dz-state"), () -> state(StateDisplay.INACTIVE));
                            html.element(
                                    "p",
                                    attr("class", "dz-sentence"),
                                    "The discovery service is not active on this instance, so there is no topology to show.");
                        }))
                .line();
    }

    void writeProblems(List<String> problems) throws IOException {
        if (problems.isEmpty()) {
            return;
        }
        Attributes attributes =
                attr("id", "dz-problems").and("class", "dz-problems").and("aria-labelledby", "dz-problems-title");
        html.element("section", attributes, () -> {
                    html.element("h2", attr("id", "dz-problems-title"), () -> {
                        page.shape(
                                StateDisplay.of(TopologyReport.State.SUSPENDED).shape());
                        html.text("Needs attention");
                    });
                    html.element("ul", attr("class", "dz-list"), () -> {
                        for (String problem : problems) {
                            html.element("li", () -> html.foreign(problem));
                        }
                    });
                })
                .line();
    }

    /** Writes that the view is not current, if it is not. */
    void writeStaleView(TopologyReport report) throws IOException {
        if (report.view().isPresent() && !report.view().get().current()) {
            html.element(
                    "p",
                    attr("class", "dz-stale-view"),
                    "View " + report.view().get().number() + " is not current. This page shows the last known state.");
        }
    }

    private static Attributes attributes(StateDisplay state, String name) {
        return attr("id", "dz-status")
                .and("class", "dz-status dz-" + state.tone())
                .and("data-state", name)
                .and("role", "status");
    }

    private void state(StateDisplay state) throws IOException {
        page.shape(state.shape());
        html.element("strong", state.word());
    }
}
