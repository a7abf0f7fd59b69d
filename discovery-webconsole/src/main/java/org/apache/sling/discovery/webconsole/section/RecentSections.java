// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.section;

import static org.apache.sling.discovery.webconsole.content.Line.line;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.Recent.Event;
import org.apache.sling.discovery.commons.report.Recent.PropertyChange;
import org.apache.sling.discovery.commons.report.TopologyReport.Status;
import org.apache.sling.discovery.webconsole.content.Line;
import org.apache.sling.discovery.webconsole.content.Look;
import org.apache.sling.discovery.webconsole.content.Part;
import org.apache.sling.discovery.webconsole.content.Section;
import org.apache.sling.discovery.webconsole.content.Section.Note;
import org.apache.sling.discovery.webconsole.content.Span.Style;
import org.apache.sling.discovery.webconsole.content.Table;

/** The last events, transitions and property changes of this instance since its process was started. */
public final class RecentSections {
    private static final int VALUE_LENGTH = 300;

    private RecentSections() {}

    /** Returns the events sent to listeners. */
    public static Section events(List<Event> events) {
        Table<Event> table = Table.of("", events)
                .column("When", event -> line().time(event.millis()))
                .column("Event", event -> line().styled(Style.CODE, line().foreign(event.type())))
                .number("View", Event::viewNumber)
                .wide("What changed", event -> line().because(event.details()));
        return section(
                "dz-events", "Last events of this instance", table, "No event has been delivered to a listener yet.");
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

    /** Returns the changes of properties. */
    public static Section propertyChanges(List<PropertyChange> changes) {
        Table<PropertyChange> table = Table.of("", changes)
                .column("When", change -> line().time(change.millis()))
                .column("Instance", change -> line().instance(change.instanceId()))
                .column("Property", change -> line().foreign(change.name()))
                .column("Before", change -> value(change.before()))
                .column("After", change -> value(change.after()));
        return section(
                "dz-property-changes",
                "Last property changes",
                table,
                "No property has changed since this process was started.");
    }

    private static Line value(Optional<String> value) {
        return value.map(text -> line().foreign(text, VALUE_LENGTH)).orElse(line().soft("absent"));
    }

    private static Section section(String id, String title, Table<?> table, String absent) {
        return new Section(id, title, List.of(orNote(table, absent)));
    }

    private static Part orNote(Table<?> table, String absent) {
        return table.rows().isEmpty() ? new Note(absent) : table;
    }
}
