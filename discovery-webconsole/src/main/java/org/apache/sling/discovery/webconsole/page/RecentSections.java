// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.TopologyReport.Event;
import org.apache.sling.discovery.commons.report.TopologyReport.PropertyChange;
import org.apache.sling.discovery.commons.report.TopologyReport.Recent;
import org.apache.sling.discovery.commons.report.TopologyReport.Transition;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** What happened to this instance since its process was started. */
final class RecentSections {
    private static final int VALUE_LENGTH = 300;

    private final PageWriter sheet;
    private final Html html;

    RecentSections(PageWriter sheet) {
        this.sheet = sheet;
        this.html = sheet.html();
    }

    void write(Recent recent) throws IOException {
        events(recent.events());
        sheet.section("dz-property-changes", "Last property changes");
        propertyChanges(recent.propertyChanges(), true);
        sheet.endSection();
    }

    /** The table alone. */
    void propertyChanges(List<PropertyChange> changes, boolean withInstance) throws IOException {
        if (changes.isEmpty()) {
            sheet.nothing("No property has changed since this process was started.");
            return;
        }
        if (withInstance) {
            sheet.table("", "When", "Instance", "Property", "Before", "After");
        } else {
            sheet.table("", "When", "Property", "Before", "After");
        }
        for (PropertyChange change : changes) {
            html.open("tr");
            sheet.when("When", change.millis());
            if (withInstance) {
                sheet.cell("Instance");
                sheet.link(change.instanceId());
                html.close();
            }
            sheet.cell("Property", change.name());
            value("Before", change.before());
            value("After", change.after());
            html.close().line();
        }
        sheet.endTable();
    }

    private void value(String label, Optional<String> value) throws IOException {
        sheet.cell(label);
        if (value.isPresent()) {
            html.foreign(Phrases.cut(value.get(), VALUE_LENGTH));
        } else {
            html.element("em", "not there");
        }
        html.close();
    }

    private void events(List<Event> events) throws IOException {
        sheet.section("dz-events", "Last events of this instance");
        if (events.isEmpty()) {
            sheet.nothing("Listeners have been told nothing yet.");
        } else {
            sheet.table("", "When", "Event", "View", "What changed");
            for (Event event : events) {
                html.open("tr");
                sheet.when("When", event.millis());
                sheet.cell("Event").element("code", event.type()).close();
                sheet.number("View", String.valueOf(event.viewNumber()));
                sheet.wideCell("What changed", event.details());
                html.close().line();
            }
            sheet.endTable();
        }
        sheet.endSection();
    }

    void transitions(List<Transition> transitions) throws IOException {
        html.open("div", "id", "dz-transitions").element("h3", "Last transitions of this instance");
        if (transitions.isEmpty()) {
            sheet.nothing("The state has not changed yet.");
        } else {
            sheet.table("", "When", "To", "Explanation");
            for (Transition transition : transitions) {
                StateDisplay to = StateDisplay.of(transition.to());
                html.open("tr");
                sheet.when("When", transition.millis());
                html.open("td", "data-label", "To", "class", "dz-to dz-" + to.tone())
                        .open("span");
                sheet.shape(to);
                html.text(to.word()).close().close();
                sheet.wideCell("Explanation", transition.sentence());
                html.close().line();
            }
            sheet.endTable();
        }
        sheet.endSection();
    }
}
