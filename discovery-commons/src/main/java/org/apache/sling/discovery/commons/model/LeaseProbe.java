// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.Optional;
import java.util.Set;

/**
 * The result of one reading of the renewals of leases and of the departure notes.
 *
 * @param renewals grows with each renewal of a lease by a leader; two readings of the same number mean that no lease was
 *     renewed in between
 * @param notes the departure notes
 */
public record LeaseProbe(long renewals, Set<DepartureNote> notes) {

    public LeaseProbe {
        notes = Set.copyOf(notes);
    }

    /** Returns the departure note of that member; empty when its session ended. */
    public Optional<DepartureNote> of(String node) {
        return notes.stream().filter(one -> one.node().equals(node)).findFirst();
    }
}
