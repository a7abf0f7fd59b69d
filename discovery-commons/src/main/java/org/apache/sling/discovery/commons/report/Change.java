// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.TopologyReport.Countdown;

/**
 * The change that is going on: what began it, which instances it concerns, and what comes next. Each instance is in one list
 * at most. Times are wall-clock milliseconds since 1970.
 *
 * @param cause why the last view is not current any more, or why there is none yet: a sentence about this change
 * @param sinceMillis when this instance noticed it
 * @param gone members of the last view whose member nodes are gone, or that were left out
 * @param joining live instances that wait to be admitted
 * @param awaited members that are alive and have not acknowledged
 * @param acknowledged members that have acknowledged
 * @param next what this instance waits for and what happens then, a sentence
 * @param countdown what happens at a known time; empty when there is none
 */
public record Change(
        String cause,
        long sinceMillis,
        List<Concerned> gone,
        List<Concerned> joining,
        List<Concerned> awaited,
        List<Concerned> acknowledged,
        String next,
        Optional<Countdown> countdown) {

    public Change {
        Objects.requireNonNull(cause, "cause");
        gone = List.copyOf(gone);
        joining = List.copyOf(joining);
        awaited = List.copyOf(awaited);
        acknowledged = List.copyOf(acknowledged);
        Objects.requireNonNull(next, "next");
        Objects.requireNonNull(countdown, "countdown");
    }

    /**
     * An instance that the change concerns.
     *
     * @param id its instance id
     * @param label how a text names it, see {@link InstanceNames}
     * @param status its state with the reason
     */
    public record Concerned(String id, String label, InstanceStatus status) {
        public Concerned {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(label, "label");
            Objects.requireNonNull(status, "status");
        }
    }

    /**
     * The last change that this instance has settled. Times are wall-clock milliseconds since 1970.
     *
     * @param number the number of the view that followed
     * @param cause what changed, a sentence
     * @param sinceMillis when this instance noticed the change, or was started
     * @param settledMillis when this instance told its listeners the view that followed
     */
    public record Settled(long number, String cause, long sinceMillis, long settledMillis) {
        public Settled {
            Objects.requireNonNull(cause, "cause");
        }

        /** Returns how long the change took on this instance, in milliseconds. */
        public long tookMillis() {
            return Math.max(0, settledMillis - sinceMillis);
        }
    }
}
