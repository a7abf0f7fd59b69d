// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.model.Reason;

/**
 * The change that is going on. The states of the instances tell which of them it concerns, the status of the reporting instance
 * what comes next.
 *
 * @param cause why the last view is no longer current, or why there is none yet
 * @param sinceMillis when this instance noticed it, in wall-clock milliseconds since 1970
 */
public record Change(List<Reason> cause, long sinceMillis) {

    public Change {
        cause = List.copyOf(cause);
    }

    /**
     * The last change that this instance has settled. Times are wall-clock milliseconds since 1970.
     *
     * @param number the number of the view that followed
     * @param cause what changed
     * @param sinceMillis when this instance noticed the change, or was started
     * @param settledMillis when this instance notified its listeners of the view that followed
     */
    public record Settled(long number, List<Reason> cause, long sinceMillis, long settledMillis) {

        /** Returns how long the change took on this instance, in milliseconds. */
        public long tookMillis() {
            return Math.max(0, settledMillis - sinceMillis);
        }
    }

    /**
     * What follows if the reporting instance stops or steps down now, for the decision of an operator.
     *
     * @param leads whether this instance leads the view
     * @param leaderId the instance id of the instance that leads then; empty when no other instance is left
     * @param leaseUsers the bundles of this container that use the lease of the leader now, by symbolic name; empty when this
     *     instance does not lead or none uses it. A bundle that asks the lease without the service does not appear
     * @param consequence the same as reasons
     */
    public record IfStopped(
            boolean leads, Optional<String> leaderId, List<String> leaseUsers, List<Reason> consequence) {}
}
