// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.section;

import static org.apache.sling.discovery.webconsole.content.Line.line;

import java.util.List;
import org.apache.sling.discovery.commons.report.Recent.Event;
import org.apache.sling.discovery.commons.report.TopologyReport.Status;
import org.apache.sling.discovery.webconsole.content.Line;
import org.apache.sling.discovery.webconsole.content.Look;
import org.apache.sling.discovery.webconsole.content.Part;
import org.apache.sling.discovery.webconsole.content.Section;
import org.apache.sling.discovery.webconsole.content.Section.Note;
import org.apache.sling.discovery.webconsole.content.Span.Style;
import org.apache.sling.discovery.webconsole.content.Table;

/** The last events and transitions of this instance since its process was started. */
public final class RecentSections {
    private RecentSections() {}

    /** Returns the events sent to listeners. */
    public static Section events(List<Event> events) {
        Table<Event> table = Table.of("", events)
                .column("When", event -> line().time(event.millis()))
                .column("Event", event -> line().styled(Style.CODE, line().foreign(event.type())))
                .number("View", Event::viewNumber)
                .wide("What changed", event -> line().because(event.details()));
        Part part = orNote(table, "No event has been delivered to a listener yet.");
        return new Section("dz-events", "Last events of this instance", List.of(part));
    }

    /** Returns the transitions between states. */
    public static Part transitions(List<Status> transitions) {
        Table<Status> table = Table.of("dz-transitions", transitions)
                .column("When", transition -> line().time(transition.sinceMillis()))
                .column("To", transition -> line().state(Look.of(transition.state())))
                .wide("Explanation", RecentSections::explanation);
        return orNote(table, "The state has not changed yet.");
    }

    /** Returns the explanation with the countdown as it was then. */
    private static Line explanation(Status transition) {
        Line explanation = line().because(transition.reasons());
        return transition
                .countdown()
                .map(each -> explanation.text("; ").foreign(each.words(transition.sinceMillis())))
                .orElse(explanation);
    }

    private static Part orNote(Table<?> table, String absent) {
        return table.rows().isEmpty() ? new Note(absent) : table;
    }
}
