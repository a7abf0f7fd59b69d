// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.List;
import java.util.Objects;

/**
 * One change of view as kept in the store for people: what changed, why, who was waited for and how long.
 *
 * @param view the view that was published
 * @param joined who is a member now and was not before
 * @param left who was a member before and is gone, and how it left
 * @param leftOut who was a member before, is alive, and did not acknowledge in time; with the listener at fault where the
 *     member named one
 * @param publishedMillis wall-clock time of the coordinator at publication; for display only
 * @param changingMillis how long the coordinator saw the change going on
 */
public record HistoryEntry(
        EstablishedView view,
        List<Incarnation> joined,
        List<Departure> left,
        List<String> leftOut,
        long publishedMillis,
        long changingMillis) {

    public HistoryEntry {
        Objects.requireNonNull(view, "view");
        joined = List.copyOf(joined);
        left = List.copyOf(left);
        leftOut = List.copyOf(leftOut);
    }
}
