// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.model.Reason;
import java.util.List;

/**
 * What happened to this instance since its process was started, each list newest first and bounded.
 *
 * @param events the events sent to listeners
 * @param transitions the transitions between states, each with the explanation given at that moment
 */
public record Recent(List<Event> events, List<TopologyReport.ExplainedState> transitions) {

    /** Nothing has happened. */
    public static final Recent NOTHING = new Recent(List.of(), List.of());

    public Recent {
        events = List.copyOf(events);
        transitions = List.copyOf(transitions);
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
}
