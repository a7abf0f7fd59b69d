// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Connection;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The reasons for the state of this instance: its view, its session, outsiders and slow listeners. */
final class ExplainSection {
    private final PageWriter page;
    private final Html html;

    ExplainSection(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write(TopologyReport report) throws IOException {
        page.section("dz-explain", "Explanation", () -> {
            page.facts(() -> {
                state(report);
                if (report.change().isPresent() && report.view().isPresent()) {
                    page.fact("Why", report.change().get().cause());
                }
                page.fact("This instance", () -> linkIfKnown(report, report.localInstanceId()));
                page.fact("Cluster", report.address());
                view(report);
                connection(report);
            });
            leftOut(report);
            listeners(report.listeners());
            new RecentSections(page).writeTransitions(report.recent().transitions());
        });
    }

    private void state(TopologyReport report) throws IOException {
        page.fact("State", () -> {
            html.text(StateDisplay.of(report.state()).word() + " since ");
            page.time(report.status().sinceMillis());
        });
        page.fact("What it means", () -> {
            html.foreign(report.status().sentence());
            if (report.status().countdown().isPresent()) {
                html.text("; ");
                page.countdown(report.status().countdown().get());
            }
        });
    }

    private void view(TopologyReport report) throws IOException {
        if (report.view().isEmpty()) {
            page.fact("View", "none yet");
            return;
        }
        View view = report.view().get();
        page.fact("View", () -> {
            html.text(view.number() + (view.current() ? "" : ", not current") + ", held since ");
            page.time(view.sinceMillis());
        });
        page.fact("Why that view came", view.cause());
        page.fact(view.current() ? "Leader" : "Last leader", () -> {
            linkIfKnown(report, view.leaderId());
            html.text(" since ");
            page.time(view.leaderSinceMillis());
            html.text(", token " + view.token());
        });
    }

    private void connection(TopologyReport report) throws IOException {
        if (report.connection().isEmpty()) {
            page.fact("Session", "no session with the store");
            return;
        }
        Connection connection = report.connection().get();
        page.fact("Session", () -> {
            html.foreign(connection.session());
            html.text(", timeout " + Times.duration(connection.timeoutMillis()));
            html.text(connection.usable() ? ", connected" : ", not connected now");
            if (connection.roundTripMillis().isPresent()) {
                html.text(", last round trip "
                        + Times.duration(connection.roundTripMillis().getAsLong()));
            }
            if (connection.heardMillis().isPresent()) {
                html.text(", last completed request ");
                page.time(connection.heardMillis().getAsLong());
            }
        });
    }

    /** The history is only as new as the last page that read it, so its newest entry may be older than the view. */
    private void leftOut(TopologyReport report) throws IOException {
        long held = report.view().map(View::number).orElse(0L);
        List<History.Entry> entries = report.history().entries();
        if (entries.isEmpty()
                || entries.get(0).leftOut().isEmpty()
                || entries.get(0).number() < held) {
            return;
        }
        History.Entry newest = entries.get(0);
        page.subheading("Left out of view " + newest.number(), newest.leftOut().size());
        html.element("ul", attr("class", "dz-list"), () -> {
                    for (String each : newest.leftOut()) {
                        html.element("li", () -> html.foreign(each));
                    }
                })
                .line();
    }

    private void listeners(List<Listener> listeners) throws IOException {
        page.subheading("Listeners of this instance", listeners.size());
        if (listeners.isEmpty()) {
            page.note("No topology event listener is registered on this instance.");
            return;
        }
        page.table("dz-listeners", List.of("Listener", "State"), () -> {
            for (Listener listener : listeners) {
                html.element("tr", attr("class", listener.pending() > 0 ? "dz-busy-row" : "dz-other"), () -> {
                            html.element("th", attr("scope", "row"), () -> html.foreign(listener.name()));
                            page.cell("State", Phrases.listener(listener));
                        })
                        .line();
            }
        });
    }

    private void linkIfKnown(TopologyReport report, String id) throws IOException {
        if (report.hasInstance(id)) {
            page.instanceLink(id);
        } else {
            html.foreign(id);
        }
    }
}
