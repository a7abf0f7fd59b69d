// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

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

/** The last events, transitions and property changes of this instance since its process was started. */
final class RecentSections {
    private static final int VALUE_LENGTH = 300;

    private final PageWriter page;
    private final Html html;

    RecentSections(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write(Recent recent) throws IOException {
        page.section("dz-events", "Last events of this instance", () -> events(recent.events()));
        page.section(
                "dz-property-changes",
                "Last property changes",
                () -> propertyChanges(
                        recent.propertyChanges(), List.of("When", "Instance", "Property", "Before", "After"), true));
    }

    /** Writes a table of changes that all concern one instance, and therefore does not name it. */
    void writePropertyChangesOfInstance(List<PropertyChange> changes) throws IOException {
        propertyChanges(changes, List.of("When", "Property", "Before", "After"), false);
    }

    private void propertyChanges(List<PropertyChange> changes, List<String> headings, boolean withInstance)
            throws IOException {
        if (changes.isEmpty()) {
            page.note("No property has changed since this process was started.");
            return;
        }
        page.table("", headings, () -> {
            for (PropertyChange change : changes) {
                html.element("tr", () -> {
                            page.timeCell("When", change.millis());
                            if (withInstance) {
                                page.cell("Instance", () -> page.instanceLink(change.instanceId()));
                            }
                            page.cell("Property", change.name());
                            page.cell("Before", () -> value(change.before()));
                            page.cell("After", () -> value(change.after()));
                        })
                        .line();
            }
        });
    }

    private void value(Optional<String> value) throws IOException {
        if (value.isPresent()) {
            html.foreign(Phrases.truncate(value.get(), VALUE_LENGTH));
        } else {
            html.element("em", "absent");
        }
    }

    private void events(List<Event> events) throws IOException {
        if (events.isEmpty()) {
            page.note("No event has been delivered to a listener yet.");
            return;
        }
        page.table("", List.of("When", "Event", "View", "What changed"), () -> {
            for (Event event : events) {
                html.element("tr", () -> {
                            page.timeCell("When", event.millis());
                            page.cell("Event", () -> html.element("code", event.type()));
                            page.numberCell("View", String.valueOf(event.viewNumber()));
                            page.wideCell("What changed", event.details());
                        })
                        .line();
            }
        });
    }

    void writeTransitions(List<Transition> transitions) throws IOException {
        html.element("div", attr("id", "dz-transitions"), () -> {
                    html.element("h3", "Last transitions of this instance");
                    if (transitions.isEmpty()) {
                        page.note("The state has not changed yet.");
                    } else {
                        page.table("", List.of("When", "To", "Explanation"), () -> {
                            for (Transition transition : transitions) {
                                transition(transition);
                            }
                        });
                    }
                })
                .line();
    }

    private void transition(Transition transition) throws IOException {
        StateDisplay to = StateDisplay.of(transition.to());
        html.element("tr", () -> {
                    page.timeCell("When", transition.millis());
                    html.element(
                            "td",
                            attr("data-label", "To").and("class", "dz-to dz-" + to.tone()),
                            () -> html.element("span", () -> {
                                page.shape(to.shape());
                                html.text(to.word());
                            }));
                    page.wideCell("Explanation", transition.sentence());
                })
                .line();
    }
}
