// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.List;
import java.util.Objects;

/**
 * One change of view as kept in the store: what changed, why, and which members delayed it for how long. Instances derive the view
 * from the difference; all else is kept for display.
 *
 * @param difference what makes the view that was published different from the previous one
 * @param left the members of the previous view that are gone, and how each left
 * @param leftOut the members of the previous view that are alive but did not acknowledge in time; with the slow listener where
 *     the member named one
 * @param publishedMillis wall-clock time of the coordinator at publication; for display only
 * @param changingMillis how long the coordinator had been CHANGING
 */
public record HistoryEntry(
        ViewDifference difference,
        List<Departure> left,
        List<String> leftOut,
        long publishedMillis,
        long changingMillis) {

    public HistoryEntry {
        Objects.requireNonNull(difference, "difference");
        left = List.copyOf(left);
        leftOut = List.copyOf(leftOut);
    }

    /** Returns the number of the view. */
    public long number() {
        return difference.number();
    }
}
