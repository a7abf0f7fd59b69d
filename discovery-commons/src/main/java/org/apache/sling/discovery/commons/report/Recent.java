// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.model.Reason;

/**
 * What happened to this instance since its process was started, each list newest first and bounded.
 *
 * @param events the events sent to listeners
 * @param transitions the transitions between states, each with the explanation given at that moment
 * @param propertyChanges properties of instances of the view that were added, removed or changed
 */
public record Recent(
        List<Event> events, List<TopologyReport.Status> transitions, List<PropertyChange> propertyChanges) {

    /** Nothing has happened. */
    public static final Recent NOTHING = new Recent(List.of(), List.of(), List.of());

    public Recent {
        events = List.copyOf(events);
        transitions = List.copyOf(transitions);
        propertyChanges = List.copyOf(propertyChanges);
    }

    /**
     * An event that was sent to listeners.
     *
     * @param millis when
     * @param type the event type's name
     * @param viewNumber the number of the new view, or of the old one where there is no new one
     * @param details the change
     */
    public record Event(long millis, String type, long viewNumber, List<Reason> details) {}

    /**
     * A property that was added, removed or changed. Secret values are masked, long ones are cut.
     *
     * @param millis when this instance noticed it
     * @param instanceId the instance that has the property
     * @param name the name of the property
     * @param before its value before, empty when it was added
     * @param after its value after, empty when it was removed
     */
    public record PropertyChange(
            long millis, String instanceId, String name, Optional<String> before, Optional<String> after) {}
}
