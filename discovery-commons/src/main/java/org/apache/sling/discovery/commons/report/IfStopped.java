// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What follows if the reporting instance stops or stands down now, for the decision of an operator.
 *
 * @param leads whether this instance leads the view
 * @param leaderId the instance id of the instance that leads then; empty when no other instance is left
 * @param leaseUsers the bundles of this container that use the lease of the leader now, by symbolic name; empty when this
 *     instance does not lead or none uses it. A bundle that asks the lease without the service does not appear
 * @param consequence the same in words
 */
public record IfStopped(boolean leads, Optional<String> leaderId, List<String> leaseUsers, String consequence) {

    public IfStopped {
        Objects.requireNonNull(leaderId, "leaderId");
        leaseUsers = List.copyOf(leaseUsers);
        Objects.requireNonNull(consequence, "consequence");
    }

    /** Returns the consequence with its condition. */
    public String sentence() {
        return "if this instance stops, " + consequence;
    }
}
