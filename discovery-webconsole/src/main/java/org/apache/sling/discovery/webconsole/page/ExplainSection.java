// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import java.util.List;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Connection;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;
import org.apache.sling.discovery.commons.report.TopologyReport.Outsider;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** Why things are as they are: state, view, connection, who is outside, and who is slow. */
final class ExplainSection {
    private final PageWriter sheet;
    private final Html html;

    ExplainSection(PageWriter sheet) {
        this.sheet = sheet;
        this.html = sheet.html();
    }

    void write(TopologyReport report) throws IOException {
        sheet.section("dz-explain", "Explanation");
        sheet.facts();
        state(report);
        html.element("dt", "This instance").open("dd");
        linkIfKnown(report, report.localInstanceId());
        html.close();
        sheet.fact("Cluster", report.address());
        view(report);
        connection(report);
        sheet.endFacts();
        leftOut(report);
        outsiders(report.outsiders());
        listeners(report.listeners());
        new RecentSections(sheet).transitions(report.recent().transitions());
        sheet.endSection();
    }

    void outsiders(List<Outsider> outsiders) throws IOException {
        if (outsiders.isEmpty()) {
            return;
        }
        heading("Alive, but not in the view", outsiders.size());
        sheet.table("dz-outsiders", "Instance", "Host, process", "Working directory", "Why");
        for (Outsider outsider : outsiders) {
            html.open("tr").open("th", "scope", "row");
            sheet.link(outsider.id());
            html.close();
            sheet.cell("Host, process").foreign(outsider.host()).text(" ");
            html.element("span", "pid " + Phrases.pid(outsider.pid()), "class", "dz-soft")
                    .close();
            sheet.cell("Working directory", outsider.home());
            sheet.wideCell("Why", outsider.reason());
            html.close().line();
        }
        sheet.endTable();
    }

    private void state(TopologyReport report) throws IOException {
        StateDisplay state = StateDisplay.of(report.state());
        html.element("dt", "State").open("dd").text(state.word() + " since ");
        sheet.moment(report.status().sinceMillis());
        html.close();
        html.element("dt", "What it means").open("dd").foreign(report.status().sentence());
        if (report.status().countdown().isPresent()) {
            html.text("; ");
            sheet.countdown(report.status().countdown().get());
        }
        html.close();
    }

    private void view(TopologyReport report) throws IOException {
        if (report.view().isEmpty()) {
            sheet.fact("View", "none yet");
            return;
        }
        View view = report.view().get();
        html.element("dt", "View").open("dd").text(view.number() + (view.current() ? "" : ", not current"));
        html.text(", held since ");
        sheet.moment(view.sinceMillis());
        html.close();
        sheet.fact("Why it came", view.cause());
        html.element("dt", "Leader").open("dd");
        linkIfKnown(report, view.leaderId());
        html.text(" since ");
        sheet.moment(view.leaderSinceMillis());
        html.text(", token " + view.token()).close();
    }

    private void connection(TopologyReport report) throws IOException {
        if (report.connection().isEmpty()) {
            sheet.fact("Session", "none: there is no session with the store");
            return;
        }
        Connection connection = report.connection().get();
        html.element("dt", "Session").open("dd").foreign(connection.session());
        html.text(", timeout " + Times.duration(connection.timeoutMillis()));
        html.text(connection.usable() ? ", connected" : ", not connected now");
        if (connection.roundTripMillis().isPresent()) {
            html.text(", last round trip "
                    + Times.duration(connection.roundTripMillis().getAsLong()));
        }
        if (connection.heardMillis().isPresent()) {
            html.text(", last answered request ");
            sheet.moment(connection.heardMillis().getAsLong());
        }
        html.close();
    }

    /** The history is only as new as the last page that asked for it, so it may tell of a view that is over. */
    private void leftOut(TopologyReport report) throws IOException {
        long held = report.view().map(View::number).orElse(0L);
        List<History.Entry> entries = report.history().entries();
        if (entries.isEmpty()
                || entries.get(0).leftOut().isEmpty()
                || entries.get(0).number() < held) {
            return;
        }
        History.Entry newest = entries.get(0);
        heading("Left out of view " + newest.number(), newest.leftOut().size());
        html.open("ul", "class", "dz-list");
        for (String each : newest.leftOut()) {
            html.open("li").foreign(each).close();
        }
        html.close().line();
    }

    private void listeners(List<Listener> listeners) throws IOException {
        heading("Listeners of this instance", listeners.size());
        if (listeners.isEmpty()) {
            sheet.nothing("No topology event listener is registered on this instance.");
            return;
        }
        sheet.table("dz-listeners", "Listener", "State");
        for (Listener listener : listeners) {
            html.open("tr", "class", listener.pending() > 0 ? "dz-busy-row" : "dz-other");
            html.open("th", "scope", "row").foreign(listener.name()).close();
            sheet.cell("State", Phrases.listener(listener));
            html.close().line();
        }
        sheet.endTable();
    }

    private void heading(String title, int count) throws IOException {
        html.open("h3").text(title).text(" ");
        html.element("span", String.valueOf(count), "class", "dz-count").close().line();
    }

    private void linkIfKnown(TopologyReport report, String id) throws IOException {
        if (report.hasInstance(id)) {
            sheet.link(id);
        } else {
            html.foreign(id);
        }
    }
}
