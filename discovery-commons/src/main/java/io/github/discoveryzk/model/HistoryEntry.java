// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One change of view as kept in the store: what changed, why, and which members delayed it for how long. Instances derive the view
 * from the difference; all else is kept for display.
 *
 * @param difference what makes the view that was published different from the previous one
 * @param left the members of the previous view that are gone, and how each left
 * @param publishedMillis wall-clock time of the coordinator at publication; for display only
 * @param changingMillis how long the coordinator had been CHANGING
 */
public record HistoryEntry(ViewDifference difference, List<Departure> left, long publishedMillis, long changingMillis) {

    public HistoryEntry {
        Objects.requireNonNull(difference, "difference");
        left = List.copyOf(left);
    }

    /** Returns the number of the view. */
    public long number() {
        return difference.number();
    }

    /**
     * Returns the members of the previous view that are alive but did not acknowledge in time, by instance id, with the slow listeners
     * that the cause names, else an empty text.
     */
    public Map<String, String> late() {
        Set<Incarnation> gone = left.stream().map(Departure::member).collect(Collectors.toSet());
        Map<String, String> named = new HashMap<>();
        difference.head().cause().forEach(each -> named.putAll(each.late()));
        Map<String, String> late = new LinkedHashMap<>();
        difference.removed().stream()
                .map(ViewDifference.Removal::member)
                .filter(member -> !gone.contains(member))
                .forEach(member -> late.put(member.instanceId(), named.getOrDefault(member.instanceId(), "")));
        return late;
    }
}
