// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.Waiting;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport.PropertyChange;
import org.apache.sling.discovery.commons.report.TopologyReport.State;

/** The last events, transitions and changes of properties, newest first. Written by the engine's thread, read by any. */
public final class RecentEvents {

    private static final int KEPT = 100;

    private final LongSupplier wall;
    private final RecentList<Event> events = new RecentList<>(KEPT);
    private final RecentList<Transition> transitions = new RecentList<>(KEPT);
    private final RecentList<PropertyChange> propertyChanges = new RecentList<>(KEPT);

    RecentEvents(LongSupplier wall) {
        this.wall = wall;
    }

    public List<Event> events() {
        return events.elements();
    }

    public List<Transition> transitions() {
        return transitions.elements();
    }

    public List<PropertyChange> propertyChanges() {
        return propertyChanges.elements();
    }

    void add(TopologyEvent.Type type, HeldView held, List<Reason> details) {
        events.add(new Event(wall.getAsLong(), type.name(), held.number(), details));
    }

    Transition add(Standing now, long monotonic) {
        Transition transition = new Transition(now.sinceMillis(), now.state(), now.waiting(), monotonic);
        transitions.add(transition);
        return transition;
    }

    /** Adds the differences between the properties of two views, and returns them without the values. */
    List<Reason> addDifferences(Optional<HeldView> last, HeldView next) {
        List<PropertyChange> changes = last.map(old -> PropertyDifferences.between(old, next, wall.getAsLong()))
                .orElse(List.of());
        changes.forEach(propertyChanges::add);
        return changes.stream().map(PropertyDifferences::reason).toList();
    }

    /**
     * An event that was sent to listeners.
     *
     * @param millis when, wall-clock
     * @param type the event type's name
     * @param viewNumber the number of the new view, or of the old one where there is no new one
     * @param details the change
     */
    public record Event(long millis, String type, long viewNumber, List<Reason> details) {}

    /**
     * A transition between states.
     *
     * @param millis when, wall-clock
     * @param to the new state
     * @param waiting why
     * @param at when, monotonic, for the countdown as it was
     */
    public record Transition(long millis, State to, Waiting waiting, long at) {

        /** Returns the sentence with the countdown as it was. */
        public String words(InstanceNames names) {
            return waiting.words(names::label, at);
        }
    }
}
