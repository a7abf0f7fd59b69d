// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Status;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** How things are, and what a human must look at. */
final class StatusSection {
    private final PageWriter sheet;
    private final Html html;

    StatusSection(PageWriter sheet) {
        this.sheet = sheet;
        this.html = sheet.html();
    }

    void write(TopologyReport report) throws IOException {
        Status status = report.status();
        boolean stable = status.state() == TopologyReport.State.SETTLED;
        begin(StateDisplay.of(status.state()), status.state().name());
        if (!stable) {
            html.open("span", "class", "dz-since", "aria-live", "off").text(" for ");
            sheet.lasting(status.sinceMillis());
            html.close();
        }
        html.close();
        html.open("p", "class", "dz-sentence").foreign(status.sentence());
        if (stable) {
            html.open("span", "class", "dz-since", "aria-live", "off").text(", since ");
            sheet.moment(status.sinceMillis());
            html.close();
        }
        if (status.countdown().isPresent()) {
            html.text("; ");
            sheet.countdown(status.countdown().get());
        }
        html.close();
        notCurrent(report.view());
        html.close().line();
    }

    void inactive() throws IOException {
        begin(StateDisplay.INACTIVE, "INACTIVE");
        html.close();
        html.element(
                "p",
                "The discovery service is not active on this instance, so there is no topology to show.",
                "class",
                "dz-sentence");
        html.close().line();
    }

    void problems(List<String> problems) throws IOException {
        if (problems.isEmpty()) {
            return;
        }
        html.open("section", "id", "dz-problems", "class", "dz-problems", "aria-labelledby", "dz-problems-title");
        html.open("h2", "id", "dz-problems-title");
        sheet.shape(StateDisplay.of(TopologyReport.State.SUSPENDED));
        html.text("Needs attention").close();
        html.open("ul", "class", "dz-list");
        for (String problem : problems) {
            html.open("li").foreign(problem).close();
        }
        html.close().close().line();
    }

    private void begin(StateDisplay state, String name) throws IOException {
        html.open(
                "section",
                "id",
                "dz-status",
                "class",
                "dz-status dz-" + state.tone(),
                "data-state",
                name,
                "role",
                "status");
        html.open("p", "class", "dz-state");
        sheet.shape(state);
        html.element("strong", state.word());
    }

    private void notCurrent(Optional<View> view) throws IOException {
        if (view.isPresent() && !view.get().current()) {
            html.element(
                    "p",
                    "View " + view.get().number() + " is not current. What is shown here is what was true last.",
                    "class",
                    "dz-stale-view");
        }
    }
}
